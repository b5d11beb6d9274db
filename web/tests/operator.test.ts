import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';
import type { Status } from '../src/model/messages';

// What an operator needs is in reach, named in plain words, and hidden by nothing.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();

function lone(fields: Partial<Status> = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { presence: 'live', ...fields });
  return station;
}

const boxOf = async (control: Locator) => {
  await control.waitFor();
  const box = await control.boundingBox();
  assert.ok(box);
  return box;
};
const overlap = (a: Awaited<ReturnType<typeof boxOf>>, b: typeof a) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

for (const height of [844, 664])
  test(`Operator.TakesOverAndStopsOnTheFirstScreenOfAPhoneOf${height}Pixels`, async () => {
    const page = await rig.show(lone({ run_mode: 'RM2' }), '#/drive/rover', { viewport: { width: 390, height }, hasTouch: true });
    const take = await boxOf(page.getByRole('button', { name: 'Take over' }));
    const stop = await boxOf(page.getByRole('button', { name: /^STOP/ }));
    const map = await boxOf(page.getByLabel(/^Map around rover/));
    assert.ok(take.y + take.height <= stop.y && stop.y + stop.height <= height, `${take.y}, ${stop.y}`);
    assert.ok(map.y + map.height <= take.y, 'nothing covers the map');
    await rig.picture(page, `operator-phone-${height}`, false);
  });

for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }])
  test(`Operator.NoNoticeCoversAControlOfTheDriveViewAt${viewport.width}Pixels`, async () => {
    const station = lone();
    const page = await rig.show(station, '#/drive/rover', { viewport });
    await text(page, /ranges now/);
    station.report('rover', 'stuck: commanded but not moving for 2 s');
    const notice = await boxOf(page.getByLabel('News').getByText('rover reports').locator('..'));
    const controls = [page.getByLabel(/^Drive pad/), page.getByRole('button', { name: /^STOP/ }), page.getByRole('button', { name: 'Hand back' }), page.getByLabel('Robot', { exact: true })];
    for (const control of controls) assert.equal(overlap(notice, await boxOf(control)), false, `${control}`);
  });

test('Operator.ReadsInWordsWhatIsHeld', async () => {
  const station = lone({ run_mode: 'RM3', com_mode: 'CM3' });
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /ranges now/);
  await page.keyboard.down('ArrowUp');
  await text(page, 'Forward, speed 1');
  await page.keyboard.up('ArrowUp');
  await text(page, 'Not driving');
});

test('Operator.HasOneButtonToReleaseAll', async () => {
  const station = lone({ run_mode: 'RM2' });
  station.add('bee', { presence: 'live', run_mode: 'RM3' });
  const page = await rig.show(station, '#/fleet');
  await page.getByRole('button', { name: 'STOP all 2' }).click();
  const release = page.getByRole('button', { name: /^Release all/ });
  await release.waitFor();
  assert.equal(await release.innerText(), 'Release all\n1 robot will drive on');
  assert.equal(await page.getByRole('button', { name: /^(stop|stopped) all/i }).count(), 1);
});

test('Operator.SeesARobotThatIsOffWithItsReasonAndLastPose', async () => {
  const station = lone({ mode: 'wait', why: 'it cannot be reached', stale: true, presence: 'off', off_reason: 'sensor_dead', run_mode: 'RM2', heard: 0 });
  station.robots.get('rover')!.silentSince = station.now - 2;
  const page = await rig.show(station, '#/drive/rover');
  await page.getByLabel('What rover does now').getByText(/^Switched itself off \(RM0\): a sensor that it needs gives no readings, off for \d/).waitFor();
  await page.locator('header').getByText('○ off').waitFor();
  await text(page, 'Position');
  assert.equal(await page.getByText(/not known/).count(), 0);
  assert.equal(await page.locator('header .fresh').count(), 0, 'no green dot');
  assert.equal(await page.getByText('both ways').count(), 0, 'its link is of then');
  await page.reload();
  await page.getByLabel('What rover does now').getByText(/^Switched itself off/).waitFor();
  await rig.picture(page, 'operator-off');
});

test('Operator.TapsASimulatedCubeOnTheMap', async () => {
  const station = lone({ run_mode: 'RM2' });
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Tap blue cube' }).click();
  await station.until(() => rover.commands.includes('cubes line="tap c0:be:00:01"'));
  const map = page.getByLabel(/^Map around rover/);
  const box = await boxOf(map);
  // The cube on the map is found by the pointer that it shows.
  let found = false;
  for (let x = 10; x < box.width - 150 && !found; x += 12)
    for (let y = 90; y < box.height && !found; y += 12) {
      await page.mouse.move(box.x + x, box.y + y);
      found = (await map.getAttribute('title')) === 'Tap the cube';
    }
  assert.ok(found, 'the cube is on the map');
  const before = rover.commands.length;
  await page.mouse.down();
  await page.mouse.up();
  await station.until(() => rover.commands.slice(before).some((command) => command.startsWith('cubes line="tap c0:be:00:0')));
});

test('Operator.SeesHowFarTheConnectionToACubeIs', async () => {
  const station = lone({ run_mode: 'RM2' });
  const rover = station.robots.get('rover')!;
  const { cubes } = rover.views;
  rover.views.cubes = { ...cubes!, comms: { state: 'scanning', scanning: true, radio: 'simulated', left: 9 }, cubes: cubes!.cubes.map((cube) => ({ ...cube, connected: false, state: 'seen' })) };
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'Searching for cubes: 2 cubes received');
  await page.getByRole('progressbar', { name: /^Searching/ }).waitFor();
  await text(page, /at most \d+\.\d s left/);
});

test('Operator.IsNotToldThatAMapIsMissingBeforeItCame', async () => {
  const station = lone();
  delete (station.robots.get('rover')!.views as { map?: unknown }).map;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'no map yet');
  assert.equal(await page.getByText('sends no map').count(), 0);
});

test('Operator.FindsAbbreviationsExplained', async () => {
  const page = await rig.show(lone({ run_mode: 'RM2' }), '#/drive/rover');
  await page.getByLabel('Driving').getByTitle(/^Run mode 2, autonomous/).filter({ hasText: 'RM2' }).first().waitFor();
  await page.getByTitle(/^Com mode 3/).first().waitFor();
  await page.goto(`${rig.address}/#/faults/rover`);
  await page.getByRole('button', { name: 'Break Bumper front' }).waitFor();
  await page.getByTitle(/^Run mode 0, off/).first().waitFor();
});
