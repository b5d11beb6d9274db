import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, picture, watchedPage } from './page_rig';
import { program, RunningProgram } from './running_program';

// A robot that serves its own page, without a station.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
let folder: string;
let robot: RunningProgram;
let page: Page;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caribou-robot-'));
  const config = join(folder, 'rover.toml');
  writeFileSync(config, `name = "rover"\nDefaultRunMode = 2\nDefaultComMode = 0\nlog = '${join(folder, 'log')}'\n[web]\nlisten = "127.0.0.1:0"\n`);
  robot = await RunningProgram.start('robot', '--config', config);
  await robot.until('it drives itself', ({ status }) => status?.run_mode === 'RM2' && status.com_mode === 'CM0');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  await page.goto(`${robot.entry}#/drive/rover`);
});

after(async () => {
  await (await browser).close();
  await robot.end();
  rmSync(folder, { recursive: true });
});

test('Robot.ShowsABatteryThatIsNotReadAsUnknown', async () => {
  const condition = page.getByLabel('Condition');
  await condition.getByText(/^\d+ %$/).waitFor();
  const send = (line: string) => execFileSync(program, ['send', 'rover', ...line.split(' '), '--station', robot.address.replace('http://', '')]);
  send('disable_sensor sensor=battery');
  await condition.getByText('unknown', { exact: true }).waitFor();
  await picture(page, 'robot-battery-unknown');
  send('enable_sensor sensor=battery');
  await condition.getByText(/^\d+ %$/).waitFor();
});

test('Robot.ShowsItselfOnAPageOfItsOwn', async () => {
  await page.getByText('walls of its own map').first().waitFor();
  await page.keyboard.press('Space');
  await robot.until('stopped', ({ status }) => status?.stopped === true);
  await picture(page, 'robot-drive');
  await page.getByRole('button', { name: 'Release rover it will drive on by itself' }).click();
  await robot.until('released', ({ status }) => status?.stopped === false);
  await page.goto(`${robot.address}/#/behaviors/rover`);
  await page.getByRole('button', { name: 'Start stroll', exact: true }).click();
  await robot.until('it strolls', ({ status }) => ['walk', 'linger', 'stroll'].includes(status?.behavior ?? ''));
  await page.goto(`${robot.address}/#/modes/rover`);
  await page.getByText(/RM3 needs/).first().waitFor();
  await picture(page, 'robot-modes');
});
