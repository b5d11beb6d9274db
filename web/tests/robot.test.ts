import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser, picture, watchedPage } from './page_rig';
import { RunningProgram } from './running_program';

// A robot that shows itself, without any station.
test('Robot.ShowsItselfOnAPageOfItsOwn', { timeout: 90_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'caribou-robot-'));
  const config = join(folder, 'rover.toml');
  writeFileSync(config, `name = "rover"\nDefaultRunMode = 2\nDefaultComMode = 0\nlog = '${join(folder, 'log')}'\n[web]\nlisten = "127.0.0.1:0"\n`);
  const robot = await RunningProgram.start('robot', '--config', config);
  const browser = await openBrowser();
  try {
    await robot.until('it drives itself', ({ status }) => status?.run_mode === 'RM2' && status.com_mode === 'CM0');
    const page = await watchedPage(await browser.newContext({ viewport: { width: 1280, height: 800 } }));
    await page.goto(`${robot.entry}#/drive/rover`);
    await page.getByText('walls of its own map').first().waitFor();
    await page.keyboard.press('Space');
    await robot.until('stopped', ({ status }) => status?.stopped === true);
    await picture(page, 'robot-drive');
    await page.getByRole('button', { name: 'Release rover', exact: true }).click();
    await robot.until('released', ({ status }) => status?.stopped === false);
    await page.goto(`${robot.address}/#/behaviors/rover`);
    await page.getByRole('button', { name: 'Start stroll', exact: true }).click();
    await robot.until('it strolls', ({ status }) => ['walk', 'linger', 'stroll'].includes(status?.behavior ?? ''));
    await page.goto(`${robot.address}/#/modes/rover`);
    await page.getByText(/RM3 needs/).first().waitFor();
    await picture(page, 'robot-modes');
  } finally {
    await browser.close();
    await robot.end();
    rmSync(folder, { recursive: true });
  }
});
