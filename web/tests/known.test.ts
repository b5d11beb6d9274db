import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Status } from '../src/model/messages';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// What is not known is shown as that, with the reason, and what cannot be done is disabled, with the reason.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();
const reasonOf = (control: Locator) => control.evaluate((node) => node.closest('[title]')?.getAttribute('title') ?? '');
async function isBlocked(control: Locator, reason: RegExp): Promise<void> {
  await control.waitFor();
  assert.equal(await control.isDisabled(), true);
  assert.match(await reasonOf(control), reason);
}

function lone(fields: Partial<Status> = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { presence: 'live', ...fields });
  return station;
}

/** A robot that only receives (CM2), stopped. */
function mole(): PlayedStation {
  const station = new PlayedStation();
  const { now } = station;
  station.add('mole', {
    presence: 'no_telemetry', stale: true, heard: now, run_mode: undefined, com_mode: undefined, stopped: undefined, battery: undefined, faults: undefined,
    acknowledged_stop: true, acknowledged_stop_at: now, acknowledged_mode: 'RM3', acknowledged_mode_at: now,
  });
  return station;
}

test('Known.AStopOfARobotWithoutTelemetryIsKnownOnlyWhileItIsConfirmed', async () => {
  const station = mole();
  const { status } = station.robots.get('mole')!;
  const page = await rig.show(station, '#/fleet');
  await text(page, '1 robot · 1 connected · 1 stopped ·');
  station.now += 20;
  Object.assign(status, { heard: station.now });
  station.advance(0.1);
  await text(page, /■ stopped when last confirmed, 20 s ago/);
  await text(page, '1 robot · 1 connected · 0 stopped (1 not known) ·');
  await page.getByRole('button', { name: 'Release mole: its mode is not known: it may drive by itself' }).waitFor();
  await page.goto(`${rig.address}/#/modes/mole`);
  await text(page, /Not known now; last confirmed 2\d s ago/);
  assert.equal(await page.getByRole('button', { name: /^STOPPED/ }).count(), 0);
  await rig.picture(page, 'known-confirmed');
});

test('Known.AStationThatStartsLaterDoesNotCountARobotAsReleased', async () => {
  const station = mole();
  Object.assign(station.robots.get('mole')!.status, { acknowledged_stop: null, acknowledged_stop_at: null, acknowledged_mode: null, acknowledged_mode_at: null });
  const page = await rig.show(station, '#/fleet');
  await text(page, '1 robot · 1 connected · 0 stopped (1 not known) ·');
  await text(page, '□ not known whether it is stopped');
});

test('Known.AStopThatIsNotConfirmedSurvivesAReload', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'STOP rover' }).waitFor();
  station.frozen = true;
  await page.keyboard.press('Space');
  await page.getByRole('alert').getByText(/STOP of rover is not confirmed/).waitFor();
  await page.reload();
  await page.getByRole('alert').getByText(/STOP of rover is not confirmed: the page was loaded again/).waitFor();
  station.frozen = false;
  await station.until(() => rover.status.stopped === true);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: /^STOPPED/ }).waitFor();
  assert.equal(rover.commands.filter((command) => command === 'full_stop').length, 1, 'once it is confirmed, it is not sent again');
});

test('Known.ADismissedStopIsNotSentAfterAReload', async () => {
  const station = lone();
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'STOP rover' }).waitFor();
  station.frozen = true;
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Dismiss the stop of rover' }).click();
  await page.reload();
  station.frozen = false;
  await page.getByLabel(/^Map around rover/).waitFor();
  assert.deepEqual(station.robots.get('rover')!.commands, []);
});

test('Known.ReleaseWarnsOfARobotThatWakesUp', async () => {
  const station = lone({ run_mode: 'RM1', waits_for: 'TimedSleep', stopped: true });
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Release: it may drive by itself when it wakes up' }).waitFor();
  await page.getByRole('button', { name: 'Release rover it may drive by itself when it wakes up' }).waitFor();
});

test('Known.AnObserverFindsEveryControlButTheStopDisabledWithTheReason', async () => {
  const station = lone({ stopped: true });
  station.role = 'observe';
  station.robots.get('rover')!.follow('load', 'points = [[1, 1]]');
  const page = await rig.show(station, '#/drive/rover');
  const reason = /You may observe and stop, but not drive/;
  await isBlocked(page.getByRole('button', { name: 'Release rover' }), reason);
  await isBlocked(page.getByRole('button', { name: 'Release the stop' }), reason);
  await isBlocked(page.getByRole('button', { name: 'Start route' }), reason);
  assert.equal(await page.getByRole('button', { name: /^STOPPED/ }).isDisabled(), false);
  await page.goto(`${rig.address}/#/fleet`);
  await isBlocked(page.getByRole('button', { name: 'Release all' }), reason);
  await isBlocked(page.getByLabel('rover', { exact: true }).getByRole('button', { name: 'Release rover' }), reason);
  await page.goto(`${rig.address}/#/recordings`);
  await isBlocked(page.getByRole('button', { name: '● Record' }), reason);
});

test('Known.ARobotThatIsOffCannotBeReleased', async () => {
  const station = lone({ run_mode: 'RM0', mode: 'wait', why: 'nothing heard for 3s', stale: true, presence: 'off', stopped: true });
  station.robots.get('rover')!.silentSince = station.now - 20;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'rover is off (RM0), off for 20 s');
  assert.equal(await page.getByText('switched itself off').count(), 0, 'it gave no reason');
  await isBlocked(page.getByRole('button', { name: /^Release rover/ }), /rover is off/);
});

test('Known.ARouteOfAnEarlierMapCannotBeStarted', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  rover.follow('load', 'points = [[1, 1]]');
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Start route', disabled: false }).waitFor();
  rover.route = { ...rover.route!, state: 'failed', why: 'rover was started again', obstacle: 'rover was started again, and its map begins anew: place the points again' };
  station.advance(0.1);
  await text(page, 'rover was started again');
  await isBlocked(page.getByRole('button', { name: 'Start route' }), /its map begins anew/);
});

test('Known.TheCommandSourceAndTheDriverAreNamedForPeople', async () => {
  const station = lone({ mode: 'run2', driver: 'autopilot' });
  const rover = station.robots.get('rover')!;
  rover.levels = { right: 1, left: 1 };
  const page = await rig.show(station, '#/drive/rover');
  const source = page.getByLabel('Motion').getByText('the station’s autopilot');
  await source.waitFor();
  Object.assign(rover.status, { mode: 'run1', driver: 'page#7', why: 'page#7 drives' });
  station.advance(0.1);
  await text(page, 'Another page has control');
  assert.equal(await page.getByText('page#').count(), 0);
});

test('Known.ARobotThatWasFrozenIsNotSaidToOnlySend', async () => {
  const station = lone({ mode: 'wait', why: 'nothing heard for 3s', com_mode: 'CM1', presence: 'telemetry_only' });
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'rover is not connected: nothing heard for 3s.');
  assert.equal(await page.getByText('only sends telemetry').count(), 0);
});

test('Known.TheStationIsBlamedForItsSilenceFromTheFirstMoment', async () => {
  const station = lone({ run_mode: 'RM2' });
  const page = await rig.show(station, '#/drive/rover');
  await page.getByText(/ranges now/).first().waitFor();
  const shown = new Set<string>();
  await page.exposeFunction('note', (what: string) => shown.add(what));
  await page.evaluate(() => {
    const look = () => void (window as unknown as { note: (what: string) => void }).note(document.body.innerText);
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  station.frozen = true;
  await text(page, /The station is silent: nothing received for 1\.\d s/);
  await rig.picture(page, 'known-station-silent');
  await text(page, 'No connection to the station: the station has been silent for 3 s');
  for (const each of shown) assert.doesNotMatch(each, /rover is lost|○ lost|lost, last heard/);
  assert.ok(shown.size > 5);
});

test('Known.ReportsOfAReplayAreThoseOfTheRecording', async () => {
  const station = lone();
  const page = await rig.show(station, '#/fleet');
  station.report('rover', 'a live report');
  await text(page, 'a live report');
  station.marks = [{ at: station.now - 500, robot: 'rover', kind: 'report', text: 'a recorded report' }];
  await page.goto(`${rig.address}/#/recordings`);
  await page.getByRole('button', { name: /^Replay/ }).click();
  await text(page, 'You see the past');
  await page.goto(`${rig.address}/#/fleet`);
  await page.getByRole('heading', { name: 'yard' }).waitFor();
  assert.equal(await page.locator('main').getByText('a live report').count(), 0);
  await page.getByRole('button', { name: 'Next mark' }).click();
  await text(page, 'Reports of the recording');
  await page.locator('main').getByText('a recorded report').waitFor();
});

test('Known.ARobotThatOnlySendsIsShownInTheTable', async () => {
  const station = new PlayedStation();
  station.add('tail', { presence: 'telemetry_only', mode: 'wait', com_mode: 'CM1', address: null, run_mode: 'RM2' });
  station.add('rover', { presence: 'live' });
  const page = await rig.show(station, '#/fleet');
  await page.getByRole('button', { name: 'Table' }).click();
  const row = page.getByRole('row').filter({ hasText: 'tail' });
  await row.getByText('▽ only sends').waitFor();
  await row.getByText('▽ telemetry only').waitFor();
  assert.equal(await row.getByText('✕').count(), 0);
  await rig.picture(page, 'known-table');
});

for (const height of [844, 664])
  test(`Known.ThePadIsInReachOfTheThumbOnAPhoneOf${height}Pixels`, async () => {
    const station = lone();
    const page = await rig.show(station, '#/drive/rover', { viewport: { width: 390, height }, hasTouch: true });
    await page.getByLabel(/^Map around rover/).waitFor();
    const pad = await page.getByLabel(/^Drive pad/).boundingBox();
    const stop = await page.getByRole('button', { name: /^STOP/ }).boundingBox();
    const map = await page.getByLabel(/^Map around rover/).boundingBox();
    assert.ok(pad && stop && map);
    assert.ok(pad.y + pad.height <= stop.y, `the pad ends at ${pad.y + pad.height}, the stop button begins at ${stop.y}`);
    assert.ok(map.y < height / 2 && map.height >= 200, `the map is at ${map.y}, ${map.height} high`);
    await rig.picture(page, `known-phone-${height}`, false);
  });
