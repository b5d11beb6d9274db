import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { Network } from './network';
import { openBrowser, picture, watchedPage } from './page_rig';
import { program, RunningProgram, writeRobot } from './running_program';

// A robot that is killed and a station that hangs, as processes: what API, command line and page show, and when.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const staleAfter = 1000; // ms, by default
const browser = openBrowser();
let folder: string;
let station: RunningProgram;
let robot: ChildProcess;
let page: Page;

function startRobot(): ChildProcess {
  return spawn(program, ['robot', '--config', join(folder, 'rover.toml')], { stdio: 'ignore' });
}
const isLive = async () => station.until('the robot is live', ({ status }) => status?.mode === 'run1' && !status.stale && status.run_mode === 'RM2');

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caribou-lost-'));
  station = await RunningProgram.start('station', '--plain', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0');
  writeRobot(folder, station);
  robot = startRobot();
  await isLive();
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  await page.goto(`${station.entry}#/drive/rover`);
  await page.getByText(/ranges now/).first().waitFor();
});

after(async () => {
  await (await browser).close();
  robot.kill('SIGKILL');
  await station.end();
  rmSync(folder, { recursive: true });
});

const robots = (...words: string[]) =>
  execFileSync(program, ['robots', '--station', station.address.replace('http://', ''), ...words], { encoding: 'utf8' });

test('Lost.ARobotThatWasKilledIsStaleEverywhereInTime', async () => {
  const killed = performance.now();
  const shown = page.getByText(/rover is lost, last heard/).first().waitFor();
  robot.kill('SIGKILL');
  await station.until('it is stale', ({ status }) => status?.stale === true, 10);
  const api = performance.now() - killed;
  await shown;
  const seen = performance.now() - killed;
  assert.ok(api <= staleAfter + 1000, `the API showed it after ${api} ms`);
  assert.ok(seen <= staleAfter + 1500, `the page showed it after ${seen} ms`);
  const [told] = JSON.parse(robots('--json')) as { stale: boolean; age: number }[];
  assert.equal(told?.stale, true);
  assert.ok((told?.age ?? 0) > 1);
  assert.match(robots(), /rover +wait +lost .*was RM2/);
  assert.match((await station.ask('/metrics')).text, /caribou_station_stale_robots 1/);
  assert.ok((await page.locator('main .past').count()) >= 2);
  assert.equal(await page.getByRole('button', { name: 'Go to the dock' }).isDisabled(), true);
  await picture(page, 'lost-robot');
  robot = startRobot();
  await isLive();
  await station.until('it is known to be another start', ({ status }) => status?.life === 2);
  await page.locator('main .past').first().waitFor({ state: 'detached' });
});

test('Lost.AStationThatHangsIsNoticedAndTheStopArrivesWhenItRunsAgain', async () => {
  const frozen = performance.now();
  station.signal('SIGSTOP');
  try {
    await page.keyboard.press('Space');
    await page.getByText(/The station is silent: nothing received for/).first().waitFor();
    const seen = performance.now() - frozen;
    assert.ok(seen <= staleAfter + 1500, `the page showed it after ${seen} ms`);
    assert.equal(await page.getByText(/rover is lost/).count(), 0, 'nothing is known of the robot');
    await page.getByText(/the station has been silent for 3 s/).first().waitFor();
    await page.getByRole('alert').getByText(/STOP of rover is not confirmed/).waitFor();
    await picture(page, 'lost-station');
  } finally {
    station.signal('SIGCONT');
  }
  await station.until('it is stopped', ({ status }) => status?.stopped === true, 40);
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('Lost.ADeadNetworkIsNoticedAndTheStopArrivesWhenItIsBack', async () => {
  execFileSync(program, ['send', 'rover', 'release_stop', '--station', station.address.replace('http://', '')]);
  await station.until('it is released', ({ status }) => status?.stopped === false);
  const port = Number(new URL(station.address).port);
  const network = await Network.to(port);
  const far = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  try {
    await far.goto(`${station.entry.replace(`:${port}/`, `:${network.port}/`)}#/drive/rover`);
    await far.getByText(/ranges now/).first().waitFor();
    const cut = performance.now();
    network.die();
    await far.keyboard.press('Space');
    await far.getByText(/The station is silent: nothing received for/).first().waitFor();
    const seen = performance.now() - cut;
    assert.ok(seen <= staleAfter + 1500, `the page showed it after ${seen} ms`);
    assert.ok((await far.locator('main .past').count()) >= 2, 'it is gray');
    assert.equal(await far.getByRole('button', { name: 'Go to the dock' }).isDisabled(), true);
    await far.getByText(/the station has been silent for 3 s/).first().waitFor();
    await far.getByRole('alert').getByText(/STOP of rover is not confirmed/).waitFor();
    await picture(far, 'lost-network');
    assert.equal((await station.robot()).status?.stopped, false);
  } finally {
    network.live();
  }
  await station.until('it is stopped', ({ status }) => status?.stopped === true, 40);
  await far.getByRole('alert').waitFor({ state: 'detached' });
  await far.close();
  network.close();
});
