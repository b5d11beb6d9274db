import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, picture, watchedPage } from './page_rig';
import { program, RunningProgram } from './running_program';

// A robot that only receives (CM2), as a process: commands work, and what it does is not known.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
let folder: string;
let station: RunningProgram;
let robot: ChildProcess;
let page: Page;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caribou-cm2-'));
  const port = await freePort();
  writeFileSync(
    join(folder, 'rover.toml'),
    `name = "rover"\nhandshake_limit = 0.1\nDefaultRunMode = 3\nDefaultComMode = 2\nallow_blind_server_mode = true\n` +
      `SendPort = 9\nReceivePort = ${port}\nServerIP = "127.0.0.1"\nlog = '${join(folder, 'log')}'\n` +
      `[link]\nplain = true\nrecord = '${join(folder, 'link')}'\n`,
  );
  writeFileSync(join(folder, 'field.toml'), `name = "field"\n[dial]\nrover = "127.0.0.1:${port}"\n`);
  robot = spawn(program, ['robot', '--config', join(folder, 'rover.toml')], { stdio: 'ignore' });
  station = await RunningProgram.start('station', '--config', join(folder, 'field.toml'), '--plain', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0');
  await station.until('it is connected', ({ status }) => status?.presence === 'no_telemetry');
  send('release_stop');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  await page.goto(`${station.entry}#/drive/rover`);
});

after(async () => {
  await (await browser).close();
  robot.kill('SIGKILL');
  await station.end();
  rmSync(folder, { recursive: true });
});

const send = (...words: string[]) =>
  execFileSync(program, ['send', 'rover', ...words, '--station', station.address.replace('http://', '')], { encoding: 'utf8' });
const robots = () => execFileSync(program, ['robots', '--station', station.address.replace('http://', '')], { encoding: 'utf8' });

test('ReceiveOnly.IsDrivenWithoutBeingShown', async () => {
  await page.getByText(/rover is connected without telemetry, last heard 0\.\d s ago\. Commands work/).waitFor();
  await page.getByText('you drive it without seeing what it does').waitFor();
  assert.equal(await page.getByText(/cannot be driven/).count(), 0);
  await page.keyboard.down('KeyW');
  await page.getByText('You have control').waitFor();
  await page.keyboard.up('KeyW');
  assert.equal(await page.getByText(/refused/).count(), 0);
  await picture(page, 'receive-only');
});

test('ReceiveOnly.ShowsAStopAndReleasesIt', async () => {
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^STOPPED/ }).waitFor();
  assert.match(robots(), /STOPPED/);
  await page.goto(`${station.address}/#/fleet`);
  await page.getByText('■ stopped').waitFor();
  await page.getByRole('button', { name: 'Release rover' }).click();
  await page.getByText('■ stopped').waitFor({ state: 'detached' });
  assert.doesNotMatch(robots(), /STOPPED/);
  await page.goto(`${station.address}/#/modes/rover`);
  await page.getByRole('button', { name: 'Change to Waiting (RM1)' }).click();
  await station.until('it waits', ({ status }) => status?.acknowledged_mode === 'RM1');
  await page.goto(`${station.address}/#/drive/rover`);
});

test('ReceiveOnly.ShowsWhatHappensAtTheRobotItself', async () => {
  await page.getByRole('button', { name: 'Release control' }).click();
  await page.getByText('No one has control').waitFor();
  send('set_run_mode', 'mode=3');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^STOPPED/ }).waitFor();
  const { status } = await station.robot();
  assert.equal(status?.acknowledged_stop, true);
  execFileSync(program, ['robot', 'release', '--config', join(folder, 'rover.toml')]);
  await page.getByRole('button', { name: /^STOPPED/ }).waitFor({ state: 'detached' });
  send('set_run_mode', 'mode=1', 'time=2s');
  await page.goto(`${station.address}/#/modes/rover`);
  await page.getByText('Its reason is').waitFor();
  await station.until('it has woken up by itself', ({ status }) => status?.acknowledged_mode === 'RM3');
  await page.getByText('the robot is driven from here').waitFor();
  await page.getByText(/^Confirmed [01]\.\d s ago$/).waitFor();
  await picture(page, 'receive-only-confirmed');
  send('set_run_mode', 'mode=1'); // in RM3 a freeze would end it
  await page.goto(`${station.address}/#/drive/rover`);
});

test('ReceiveOnly.IsNotStaleInTheMetrics', async () => {
  const { text } = await station.ask('/metrics');
  assert.match(text, /caribou_station_stale_robots 0\n/);
  assert.match(text, /caribou_station_refused_total\{what="handshake"\} 0\n/);
});

test('ReceiveOnly.IsLateAtOnceAndLostInTimeWhenItFreezes', async () => {
  robot.kill('SIGSTOP');
  const frozen = performance.now();
  await page.locator('header .late').waitFor();
  const late = performance.now() - frozen;
  await page.getByText(/rover is lost, last heard [3-9]\.\d s ago/).first().waitFor();
  const lost = performance.now() - frozen;
  robot.kill('SIGCONT');
  assert.ok(late <= 2500, `late after ${late} ms`);
  assert.ok(lost <= 4500, `lost after ${lost} ms`);
  await page.getByText(/rover is connected without telemetry/).waitFor();
});

test('ReceiveOnly.IsOffAndNotUnreachableAfterAPowerOff', async () => {
  send('power_off');
  await page.getByText(/rover was switched off \(RM0\), off/).waitFor();
  assert.match(robots(), / off /);
  assert.equal(await page.locator('main > .note').getByText(/cannot be reached/).count(), 0);
});
