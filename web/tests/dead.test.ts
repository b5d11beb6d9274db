import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// What the page shows of robots and stations that have died, and of stops that nobody confirmed.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);

function lone(): PlayedStation {
  const station = new PlayedStation();
  station.add('rover');
  return station;
}
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();

/** The robot dies; the station lives on, and has not marked it yet. */
function die(station: PlayedStation, seconds: number): void {
  station.robots.get('rover')!.silentSince = station.now;
  station.advance(seconds);
}

test('Dead.ARobotIsGrayInEveryViewByItsAgeAlone', async () => {
  const station = lone();
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /ranges now/);
  assert.equal(await page.locator('.past').count(), 0);
  die(station, 2);
  await text(page, /rover is lost, last heard 2\.\d s ago/);
  await text(page, 'was Remote control (RM3)');
  assert.equal(await page.getByRole('button', { name: 'Go to the dock' }).isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'STOP rover' }).isEnabled(), true);
  const color = (name: string) =>
    page.getByRole('button', { name }).evaluate(async (button) => {
      await Promise.all(button.getAnimations().map((each) => each.finished));
      return getComputedStyle(button).backgroundColor;
    });
  assert.equal(await color('Hand back to autonomy'), await color('Go to the dock'), 'what is disabled looks so');
  await rig.picture(page, 'dead-drive');
  for (const view of ['drive', 'modes', 'behaviors', 'cubes', 'bus', 'topics', 'faults']) {
    await page.goto(`${rig.address}/#/${view}/rover`);
    await text(page, /rover is lost/);
    await page.locator('main .past').first().waitFor();
  }
  const commands = page.getByRole('button', { name: /^(Break|Cut the link)/ });
  for (const each of await commands.all()) assert.equal(await each.isDisabled(), true);
  await page.goto(`${rig.address}/#/fleet`);
  await text(page, '○ lost');
  await text(page, '1 robot · 0 connected');
  await rig.picture(page, 'dead-fleet');
  station.robots.get('rover')!.silentSince = 0;
  station.advance(0.2);
  await page.locator('main .past').first().waitFor({ state: 'detached' });
});

test('Dead.AsleepAndOffAreShownAsThat', async () => {
  const station = lone();
  const { status } = station.robots.get('rover')!;
  Object.assign(status, { run_mode: 'RM1', waits_for: 'TimedSleep', presence: 'asleep' });
  const page = await rig.show(station, '#/modes/rover');
  die(station, 70);
  await text(page, 'rover has been asleep for 70 s, and wakes when its time is up, or when the station asks');
  Object.assign(status, { run_mode: 'RM0', waits_for: null, mode: 'wait', why: 'nothing heard for 3s', off_reason: 'sensor_dead', stale: true, presence: 'off' });
  station.advance(0.1);
  await text(page, 'rover switched itself off (RM0): a sensor that it needs gives no readings, off for 70 s');
  assert.equal(await page.getByRole('button', { name: 'Start again' }).count(), 0, 'nobody owns its process');
});

test('Dead.ARobotWithASupervisorIsStartedAgainFromThePage', async () => {
  const station = lone();
  station.supervised = true;
  const rover = station.robots.get('rover')!;
  Object.assign(rover.status, { run_mode: 'RM0', mode: 'wait', why: 'nothing heard for 3s', off_reason: 'sensor_dead', stale: true, presence: 'off' });
  rover.silentSince = station.now - 20;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'switched itself off (RM0): a sensor that it needs gives no readings');
  await rig.picture(page, 'dead-off');
  await page.getByRole('button', { name: 'Start again' }).click();
  await station.until(() => rover.status.run_mode === 'RM2');
  station.advance(0.2);
  await page.locator('main').getByText(/switched itself off/i).first().waitFor({ state: 'detached' });
});

test('Stop.ShowsAStopOfAnotherPersonThatIsNotConfirmedUntilItIsDismissed', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  Object.assign(rover.status, { mode: 'wait', stop_pending: { since: station.now - 12, by: 'ann#2', why: 'rover is not connected' } });
  const page = await rig.show(station, '#/fleet');
  await page.getByRole('alert').getByText(/STOP of rover is not confirmed.*rover is not connected \(requested by ann#2\)/).waitFor();
  await page.getByRole('button', { name: 'Dismiss the stop of rover' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  assert.equal(station.requests.filter(({ type }) => type === 'dismiss_stop').length, 1);
  assert.deepEqual(rover.commands, [], 'the station sends it, not the page');
});

test('Stop.StopsAllFromTheFleetAndOneElsewhereAsTheButtonSays', async () => {
  const station = lone();
  const other = station.add('other');
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'STOP rover' }).waitFor();
  await page.keyboard.press('Space');
  await station.until(() => rover.status.stopped === true);
  assert.equal(other.status.stopped, false);
  await page.goto(`${rig.address}/#/fleet`);
  await page.getByRole('button', { name: 'STOP all 2' }).waitFor();
  await page.keyboard.press('Space');
  await station.until(() => other.status.stopped === true);
  await page.getByRole('button', { name: 'Release all' }).click();
  await station.until(() => !other.status.stopped && !rover.status.stopped);
});

test('Drive.HandsBackToAutonomy', async () => {
  const station = lone();
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Hand back to autonomy' }).click();
  await station.until(() => station.robots.get('rover')!.status.run_mode === 'RM2');
  await page.getByRole('button', { name: 'Take over' }).waitFor();
});

test('Dead.AStationThatHangsIsLostAndTheStopIsSentAgainWhenItIsBack', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /ranges now/);
  station.frozen = true;
  await page.keyboard.press('Space');
  const alert = page.getByRole('alert');
  await alert.getByText(/STOP of rover is not confirmed/).waitFor();
  await text(page, /the station has been silent for 3 s/);
  await page.locator('main .past').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Go to the dock' }).isDisabled(), true);
  await rig.picture(page, 'dead-station');
  assert.deepEqual(rover.commands, []);
  station.frozen = false;
  await station.until(() => rover.commands.includes('full_stop'));
  await alert.waitFor({ state: 'detached' });
  await text(page, 'STOPPED');
});

test('Dead.AStopWithoutAStationStaysUntilItIsDismissed', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /ranges now/);
  await station.goDown();
  await text(page, /No connection to the station/);
  await page.keyboard.press('Space');
  await page.getByRole('alert').getByText(/there is no connection to the station|the connection was lost/).waitFor();
  await page.getByRole('button', { name: 'Dismiss the stop of rover' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  station.away = false;
  await station.until(() => station.requests.some(({ type }) => type === 'heartbeat'));
  assert.deepEqual(rover.commands, [], 'what was dismissed is not sent');
});

test('Stop.OfAStationThatIsGoneIsNotPromised', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  Object.assign(rover.status, { run_mode: 'RM0', mode: 'wait', stale: true, presence: 'off', stop_pending: { since: station.now - 2, by: 'yard', why: '' } });
  const page = await rig.show(station, '#/drive/rover');
  const alert = page.getByRole('alert');
  await alert.getByText('It is stopped as soon as it is started again').waitFor();
  await station.goDown();
  await alert.getByText(/was not confirmed when the station was last heard: .*requested by yard/).waitFor();
  assert.equal(await alert.getByText(/as soon as/).count(), 0);
});

for (const [width, colorScheme] of [[390, 'dark'], [820, 'light'], [1280, 'dark'], [1920, 'light']] as const)
  test(`Dead.FitsAScreenOf${width}Pixels`, async () => {
    const station = lone();
    station.supervised = true;
    station.add('other');
    const page = await rig.show(station, '#/drive/rover', { viewport: { width, height: 900 }, colorScheme });
    await text(page, /ranges now/);
    station.robots.get('rover')!.status.mode = 'wait';
    die(station, 12);
    await page.getByRole('button', { name: 'Start again' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('alert').waitFor();
    for (const view of ['drive/rover', 'fleet', 'faults/rover']) {
      await page.goto(`${rig.address}/#/${view}`);
      await page.locator('main .past').first().waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${view} is too wide`);
      await rig.picture(page, `dead-${width}-${view.split('/')[0]}`);
    }
  });
