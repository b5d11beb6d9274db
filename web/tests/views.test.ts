import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { playedRecording } from './played_recording';
import { PlayedStation } from './played_station';

let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();

function rover(): { station: PlayedStation; last: () => string | undefined; did: (line: string) => Promise<void> } {
  const station = new PlayedStation();
  const robot = station.add('rover', { run_mode: 'RM2' });
  const last = () => robot.commands.at(-1);
  return { station, last, did: (line) => station.until(() => robot.commands.includes(line)) };
}

test('Behaviors.ShowsTheTreeAndWhyEachSleeps', async () => {
  const { station, did } = rover();
  const page = await rig.show(station, '#/behaviors/rover');
  await text(page, 'its condition `sees_cube` does not hold');
  await text(page, 'play popped, succeeded');
  await page.getByRole('button', { name: 'Start play' }).click();
  await did('behaviors line="start play"');
  station.advance(20);
  await page.getByLabel('The top first').getByText('play').waitFor();
  await page.getByLabel('Force play 1').selectOption('true');
  await did('behaviors line="force play 1 true"');
  await rig.picture(page, 'behaviors-light');
});

test('Behaviors.CanBeLookedAtAsTheyWere', async () => {
  const { station } = rover();
  const page = await rig.show(station, '#/behaviors/rover');
  const stack = page.getByLabel('The top first');
  await stack.getByText('explore').first().waitFor();
  station.advance(20);
  await page.getByRole('button', { name: 'Start play' }).click();
  await stack.getByText('play').waitFor();
  await page.getByLabel('Look back, in seconds').fill('-10');
  await stack.getByText('explore').first().waitFor();
  await text(page, /You see/);
  assert.equal(await page.getByRole('button', { name: 'Start charge' }).count(), 0, 'nothing is started in the past');
  await page.getByRole('button', { name: 'Back to now' }).click();
  await stack.getByText('play').waitFor();
});

test('Behaviors.ShowWhatWasBeforeThePageWasOpened', async () => {
  const { station } = rover();
  const page = await rig.show(station, '#/behaviors/rover');
  await page.locator('.names').getByText('play').waitFor();
  await page.getByLabel('Look back, in seconds').fill('-15');
  await page.getByLabel('The top first').getByText('play').waitFor();
  await text(page, /before this page was opened: only the stack is known/);
});

test('Behaviors.LoadTheRecordingOfTheRobot', async () => {
  const station = new PlayedStation();
  const robot = station.add('rover', { run_mode: 'RM2' });
  robot.recording = { bytes: playedRecording(), zero: station.now - 41 };
  const page = await rig.show(station, '#/behaviors/rover');
  await page.locator('.names').getByText('play').waitFor();
  await page.getByRole('button', { name: 'Load earlier' }).click();
  await page.locator('.names').getByText('base').waitFor();
  await page.getByLabel('Look back, in seconds').fill('-35');
  await page.getByLabel('The top first').getByText('play').waitFor();
  await text(page, 'it does not want to: the battery is full');
  assert.equal(await page.getByText('only the stack is known').count(), 0);
  await rig.picture(page, 'behaviors-earlier');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save recording' }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), 'rover.behavior');
  assert.deepEqual(new Uint8Array(readFileSync(await file.path())), playedRecording());
});

test('Behaviors.ReportARecordingThatCannotBeRead', async () => {
  const station = new PlayedStation();
  const robot = station.add('rover', { run_mode: 'RM2' });
  robot.recording = { bytes: new Uint8Array([1, 2, 3]), zero: station.now - 41 };
  const page = await rig.show(station, '#/behaviors/rover');
  await page.getByRole('button', { name: 'Load earlier' }).click();
  await text(page, 'Not read: recording of its ticks');
  await text(page, 'this is not a recording of ticks, or one of another version');
});

test('Behaviors.HaveAGapForTheTimeInWhichTheViewWasNotOpen', async () => {
  const { station } = rover();
  const page = await rig.show(station, '#/behaviors/rover');
  const bars = page.getByRole('img', { name: 'Which behavior was active when' });
  await bars.locator('rect').first().waitFor();
  station.advance(5);
  assert.equal(await bars.locator('.gap').count(), 0);
  await page.goto(`${rig.address}/#/modes/rover`);
  await station.until(() => station.views.includes('health'));
  station.advance(60);
  await page.goto(`${rig.address}/#/behaviors/rover`);
  await station.until(() => station.views.includes('behaviors'));
  station.advance(10);
  await bars.locator('.gap').waitFor();
  await text(page, 'not known: this view was not open, or the robot was not heard');
  await page.getByLabel('Look back, in seconds').fill('-40');
  await text(page, /You see .* ago: what it did then is not known/);
  await page.getByRole('region', { name: 'Stack' }).getByText('Not known.').waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByLabel('The top first').getByText('explore').first().waitFor();
});

test('Cubes.GlowAndAreHeldForAWhile', async () => {
  const { station, did } = rover();
  const page = await rig.show(station, '#/cubes/rover');
  await page.getByRole('img', { name: 'Lights of blue cube: #00c8ff, #00c8ff, #ff9d00, off' }).waitFor();
  await text(page, /in \d(\.\d+)? s/); // 9.4 at first, then less: how much is left depends on how fast this page was shown
  await page.getByRole('button', { name: 'Subscribe to play' }).click();
  await did('cubes line="subscribe page interactable 60s"');
  await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
  await page.getByRole('button', { name: 'Flash' }).click();
  await did('cubes line="flash"');
  await page.getByRole('button', { name: 'Prefer green cube' }).click();
  await did('cubes line="prefer c0:be:00:02"');
  await text(page, 'rover: prefer green cube');
  await rig.picture(page, 'cubes-light');
});

test('Cubes.NameTheConsequenceOfGoingBehindTheCoordinator', async () => {
  const { station, did } = rover();
  const page = await rig.show(station, '#/cubes/rover');
  await page.getByText('Manual control, past the coordinator').click();
  await text(page, /takes the cube away from\s+spin, who is notified that the connection is lost/);
  const button = page.getByRole('button', { name: 'Disconnect' });
  assert.ok(await button.isDisabled());
  await page.getByLabel('I understand').check();
  await button.click();
  await did('cubes line="disconnect"');
});

test('Bus.ShowsFiltersPlotsAndPokes', async () => {
  const { station, did } = rover();
  const page = await rig.show(station, '#/bus/rover');
  await text(page, '20480 bytes');
  await page.getByLabel('Filter').fill('pDepth');
  await page.getByRole('button', { name: 'CBOT_X' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'DEPTH' }).click();
  await page.getByRole('img', { name: 'DEPTH since this page was opened' }).waitFor();
  await page.getByRole('img', { name: 'pDepth write, no clients read' }).waitFor();
  await page.getByLabel('New value').fill('3.5');
  await page.getByRole('button', { name: 'Poke' }).click();
  await did('bus line="poke DEPTH \\"3.5\\""');
  await text(page, '3.5000');
  await page.getByLabel('Filter').fill('');
  await rig.picture(page, 'bus-light');
  await page.getByRole('button', { name: 'Pin' }).click();
  await did('bus line="pin DEPTH \\"3.5\\""');
});

test('Topics.SayWhatIsChosenAndWhy', async () => {
  const { station, did } = rover();
  const page = await rig.show(station, '#/topics/rover');
  await text(page, 'The next best, full, has a total weight that is lower by 2.');
  await text(page, '5.4 kB/s saved');
  await text(page, 'No one has subscribed, so that nothing is sent.');
  await text(page, '/cmd_vel: the publisher of /joy (best effort, volatile) and the subscription of this process (reliable, volatile) do not match');
  const weight = page.getByLabel('Weight of full on scan');
  await weight.fill('7');
  await weight.press('Enter');
  await did('topics line="weight scan full 7"');
  await page.getByRole('button', { name: 'Unsubscribe full of scan' }).click();
  await did('topics line="unsubscribe scan full"');
  const map = page.getByLabel('Topic map');
  await map.getByLabel('Encoding of map to take').selectOption('full');
  await map.getByLabel('Weight of the new encoding of map').fill('2.5');
  await map.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await did('topics line="subscribe map full 2.5"');
  await rig.picture(page, 'topics-light');
});

test('Faults.AreCausedAndRepaired', async () => {
  const { station, did } = rover();
  const page = await rig.show(station, '#/faults/rover');
  await page.getByRole('button', { name: 'Cut the link' }).click();
  await did('faults line="break link 5s"');
  await text(page, /^▲ cut, [45] s left$/);
  await page.getByRole('button', { name: 'Break Bumper front' }).click();
  await page.getByRole('button', { name: 'Repair Bumper front' }).waitFor();
  await rig.picture(page, 'faults-light');
});

test('Recordings.AreListedMadeAndReplayed', async () => {
  const { station } = rover();
  const page = await rig.show(station, '#/recordings/rover');
  await text(page, '12.3 MB of 1.0 GB used (1 %)');
  await page.getByRole('link', { name: 'mcap, 1.4 MB' }).waitFor();
  await page.getByRole('button', { name: '● Record' }).click();
  await text(page, '● recording 20260101-120000-0002');
  await page.getByRole('button', { name: 'Replay 20260101-113000-0001' }).click();
  await text(page, 'You see the past: 20260101-113000-0001');
  await page.getByRole('button', { name: '▶ Play' }).click();
  await station.until(() => station.replayed?.playing === true);
  await page.getByLabel('Speed').selectOption('20');
  await station.until(() => station.replayed?.speed === 20);
  await page.getByLabel('Time of the recording').fill(String(station.now - 100));
  await station.until(() => Math.abs((station.replayed?.at ?? 0) - (station.now - 100)) < 1);
  await rig.picture(page, 'recordings-light');
  // While the mouse is down.
  const line = (await page.getByLabel('Time of the recording').boundingBox())!;
  const seeks = () => station.requests.filter((request) => request.type === 'replay' && request.action === 'seek').length;
  const before = seeks();
  await page.mouse.move(line.x + line.width * 0.2, line.y + line.height / 2);
  await page.mouse.down();
  for (const part of [0.3, 0.4, 0.5]) {
    await page.mouse.move(line.x + line.width * part, line.y + line.height / 2);
    const at = station.now - 600 + 540 * part;
    await station.until(() => Math.abs((station.replayed?.at ?? 0) - at) < 10);
  }
  assert.ok(seeks() > before + 2, 'each place is shown at once');
  await page.mouse.up();
  await page.getByRole('button', { name: 'Back to the present' }).click();
  await page.getByText('You see the past').waitFor({ state: 'detached' });
});

test('Recordings.AreDeletedAfterAQuestion', async () => {
  const { station } = rover();
  const page = await rig.show(station, '#/recordings/rover');
  await page.getByRole('button', { name: 'Delete 20260101-113000-0001' }).dblclick();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete 20260101-113000-0001' }).click();
  const deletes = () => station.requests.flatMap((request) => (request.type === 'record' && request.action === 'delete' ? [request.name] : []));
  assert.deepEqual(deletes(), []);
  await page.getByRole('button', { name: 'Yes, delete 20260101-113000-0001' }).click();
  await station.until(() => deletes().includes('20260101-113000-0001'));
});

test('Modes.ShowChangesFromBeforeThePageWasOpened', async () => {
  const { station } = rover();
  const robot = station.robots.get('rover')!;
  const at = station.now - 3600;
  robot.changes = [
    { at, what: 'run_mode', from: 'RM2', to: 'RM3', why: 'requested by page#7' },
    { at: at + 60, what: 'link', from: 'run1', to: 'wait', why: 'no heartbeat for 3 s' },
  ];
  const page = await rig.show(station, '#/modes/rover');
  const changes = page.getByRole('region', { name: 'Changes of modes' }).getByRole('listitem');
  await changes.nth(1).waitFor();
  const lines = (await changes.allInnerTexts()).map((each) => each.replace(/\s+/g, ' ').replace(/^\S+ /, ''));
  assert.deepEqual(lines, [
    'Session: Connected → Waiting No heartbeat for 3 s',
    'Run mode: Autonomous (RM2) → Remote control (RM3) Requested by a page',
  ]);
  robot.changes = [...robot.changes, { at: at + 90, what: 'link', from: 'wait', to: 'run1', why: '' }];
  station.advance(0.1);
  await changes.nth(2).waitFor();
  assert.match(await changes.first().innerText(), /Waiting → Connected$/);
});

test('Modes.ShowThreadsStepsAndWhatTheRobotWouldRefuse', async () => {
  const { station } = rover();
  const page = await rig.show(station, '#/modes/rover');
  await text(page, 'RM3 needs the link in both directions');
  await text(page, /nothing heard for 2.4 s/);
  await text(page, 'Startup');
});

test('Views.FitAPhone', async () => {
  const { station } = rover();
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, colorScheme: 'dark' as const };
  const page = await rig.show(station, '#/behaviors/rover', phone);
  for (const [view, shows] of [['behaviors', 'Tree'], ['cubes', 'Subscribers'], ['bus', 'Variables'], ['topics', 'Offered'], ['recordings', 'Recordings'], ['faults', 'Simulated faults']] as const) {
    await page.goto(`${rig.address}/#/${view}/rover`);
    await page.getByRole('heading', { name: shows }).first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${view} sticks out by ${wide} pixels`);
    await rig.picture(page, `${view}-phone-dark`, false);
  }
});

test('Views.DoNotMarkDataAsOldThatComesOnlyWhenItChanges', async () => {
  const station = new PlayedStation();
  station.add('rover');
  const page = await rig.show(station, '#/bus/rover');
  await text(page, /changed 0\.\d s ago/);
  station.advance(30);
  for (const view of ['bus', 'modes', 'behaviors', 'cubes', 'topics']) {
    await page.goto(`${rig.address}/#/${view}/rover`);
    await text(page, /changed 3[01] s ago/);
    assert.equal(await page.locator('main .stale, main .late').count(), 0, `${view}: the robot is healthy`);
  }
});
