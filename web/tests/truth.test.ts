import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// What the page shows of robots that sleep, are off or were restarted, and what its stop and release lead to.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();

function fleet(fields = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', fields);
  station.add('bee', { run_mode: 'RM2' });
  return station;
}

test('Fleet.CountsNoConnectionsWithoutAStation', async () => {
  const station = fleet();
  const page = await rig.show(station, '#/fleet');
  await text(page, '2 robots · 2 connected');
  await station.goDown();
  await text(page, '2 robots · no connection to the station');
});

test('Off.IsSaidToBeTheWorkOfThePersonWhoOrderedIt', async () => {
  const station = fleet({ run_mode: 'RM0', mode: 'wait', off_reason: 'PowerOff', stale: true, presence: 'off' });
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'rover was switched off (RM0)');
});

test('Asleep.ShowsNoSpeedAndTheStopThatItHasAcknowledged', async () => {
  const station = fleet({ run_mode: 'RM1', waits_for: 'TimedSleep', presence: 'asleep' });
  const rover = station.robots.get('rover')!;
  rover.levels = { right: 2, left: 2 }; // of the last telemetry
  rover.silentSince = station.now - 60;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'The motors are off while it is asleep.');
  assert.equal(await page.getByText('0.24 m/s').count(), 0);
  await page.getByRole('button', { name: /^STOP/ }).click();
  await text(page, 'STOPPED');
  await page.getByRole('button', { name: 'Release rover' }).click();
  await station.until(() => rover.status.stopped === false);
});

test('Trail.BeginsAnewWithTheLifeOfTheRobot', async () => {
  const station = fleet({ life: 1 });
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /ranges now/);
  rover.levels = { right: 2, left: 2 };
  station.advance(3);
  await text(page, 'where it went');
  rover.levels = { right: 0, left: 0 };
  rover.status = { ...rover.status, life: 2 };
  station.advance(0.2);
  await page.getByText('where it went').waitFor({ state: 'detached' });
});

test('Drafts.OfAnEarlierStartAreDiscarded', async () => {
  const station = fleet({ life: 1 });
  const rover = station.robots.get('rover')!;
  rover.follow('load', 'points = [[1, 1], [2, 1]]');
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /ranges now/);
  const click = () => page.getByLabel(/^Map around rover/).click({ position: { x: 300, y: 300 } });
  const question = page.getByRole('group', { name: 'Replace the route' });
  const send = page.getByRole('button', { name: 'Send to a point' });
  const add = page.getByRole('button', { name: 'Add the zone' });
  const restart = (life: number) => {
    rover.status = { ...rover.status, life };
    station.advance(0.2);
  };
  await send.click();
  await click();
  await question.waitFor();
  restart(2);
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Draw a zone' }).click();
  await click();
  await add.waitFor();
  restart(3);
  await add.waitFor({ state: 'detached' });
  assert.equal(rover.commands.filter((line) => line.includes('zone')).length, 0);
});

test('Release.SaysThatAnAutonomousRobotWillDriveOn', async () => {
  const station = fleet();
  const page = await rig.show(station, '#/drive/bee');
  await text(page, /ranges now/);
  await page.keyboard.press('Space');
  await text(page, 'Release: it will drive on by itself');
  await page.getByLabel('Stop', { exact: true }).getByText('it will drive on by itself').waitFor();
  await rig.picture(page, 'release-autonomous');
  await page.goto(`${rig.address}/#/fleet`);
  await page.getByRole('button', { name: 'Release all 1 robot will drive on' }).waitFor();
  await page.getByRole('button', { name: 'Release bee: it will drive on by itself' }).click();
  await station.until(() => station.robots.get('bee')!.status.stopped === false);
  await page.keyboard.press('Space');
  await station.until(() => station.robots.get('rover')!.status.stopped === true);
  await page.goto(`${rig.address}/#/drive/rover`);
  await page.getByRole('button', { name: 'Release the stop' }).waitFor();
});

test('Replay.GivesTheSpaceBarToTheRecordingAndNamesWhatTheButtonStops', async () => {
  const station = fleet();
  const page = await rig.show(station, '#/recordings');
  await page.getByRole('button', { name: 'Replay 20260101-113000-0001' }).click();
  await page.getByText('You see the past').waitFor();
  await page.goto(`${rig.address}/#/drive/rover`);
  await page.keyboard.press('Space');
  await station.until(() => station.replayed?.playing === true);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('Space');
  await station.until(() => station.replayed?.playing === false);
  const stops = () => station.requests.filter((each) => each.type === 'stop_all' || (each.type === 'command' && each.command === 'full_stop'));
  assert.deepEqual(stops(), [], 'the space bar has stopped nothing');
  await rig.picture(page, 'replay-stop');
  await page.goto(`${rig.address}/#/fleet`);
  await text(page, '2 robots');
  assert.equal(await page.getByRole('button', { name: /^Stop (rover|bee|all)/ }).count(), 0, 'those are of the recording');
  await page.getByRole('button', { name: /^STOP all live robots/ }).click();
  await station.until(() => stops().length === 1);
  assert.equal(stops()[0]?.type, 'stop_all');
});

test('Sensors.HaveTheAgesOfTelemetryWhenScansEnd', async () => {
  const station = fleet();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /24 ranges now, sent as delta/);
  rover.scanAt = station.now;
  station.advance(68);
  await text(page, /24 ranges, 68 s old/);
  const condition = page.getByRole('region', { name: 'Condition' });
  await condition.getByText('3 sensors, the oldest reading 68 s old').waitFor();
  assert.deepEqual(await condition.locator('dd.bad').allInnerTexts(), ['68 s old'], 'the lidar alone');
});

test('Control.OfARobotThatIsStoppedOrLostIsNotSaidToDriveItself', async () => {
  const station = fleet({ run_mode: 'RM2' });
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  const driving = page.getByRole('region', { name: 'Driving' });
  await driving.getByText('It drives itself; no one has taken control').waitFor();
  rover.status = { ...rover.status, stopped: true };
  station.advance(0.1);
  await driving.getByText('It is stopped; no one has taken control').waitFor();
  rover.silentSince = station.now;
  station.advance(27);
  await driving.getByText('It drove itself when it was last heard; no one has taken control').waitFor();
});
