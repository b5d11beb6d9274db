import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { gamepad, gamepadIsRead, scaled, scaleOf, spreadFingers } from './hands';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// Fingers, gamepads and keys in a real browser.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();

function rover(): { station: PlayedStation; last: () => string | undefined } {
  const station = new PlayedStation();
  const robot = station.add('rover');
  return { station, last: () => robot.commands.at(-1) };
}

test('Map.IsZoomedAndPannedWithTwoFingers', async () => {
  const { station } = rover();
  const page = await rig.show(station, '', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await text(page, 'walls of its own map');
  const before = await scaleOf(page);
  await spreadFingers(page);
  await scaled(page, (scale) => Math.abs(scale / before - 3) < 0.1);
  await page.getByRole('button', { name: 'Show all of the map' }).click();
  await scaled(page, (scale) => scale === before);
});

test('Map.FollowsTwoFingersAlsoOnWhatIsShownOverIt', async () => {
  const { station } = rover();
  const robot = station.robots.get('rover')!;
  const cubes = robot.views.cubes;
  robot.views.cubes = { ...cubes, comms: { ...cubes.comms, scanning: true, left: 12 }, cubes: cubes.cubes.map((cube) => ({ ...cube, connected: false })) } as typeof cubes;
  const page = await rig.show(station, '', { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  const panel = page.getByRole('status').filter({ hasText: 'Searching for cubes' });
  await panel.waitFor();
  await text(page, 'walls of its own map');
  const map = (await page.getByLabel(/^Map around rover/).boundingBox())!;
  const over = (await panel.boundingBox())!;
  const y = (over.y + over.height / 2 - map.y) / map.height;
  assert.ok(over.x < map.x + 0.7 * map.width, 'a finger is on the panel');
  const before = await scaleOf(page);
  await spreadFingers(page, y);
  await scaled(page, (now) => Math.abs(now / before - 3) < 0.1);
});

test('Map.FollowsTwoFingersOnANoticeWhichTakesNoTapForTheMap', async () => {
  const { station } = rover();
  const robot = station.robots.get('rover')!;
  const page = await rig.show(station, '', { viewport: { width: 800, height: 1180 }, hasTouch: true, isMobile: true });
  await text(page, 'walls of its own map');
  station.report('rover', 'stuck: commanded but not moving for 2 s');
  const notice = page.getByLabel('News').getByRole('listitem').first();
  await notice.waitFor();
  const map = (await page.getByLabel(/^Map around rover/).boundingBox())!;
  const over = (await notice.boundingBox())!;
  const y = (over.y + over.height / 2 - map.y) / map.height;
  assert.ok(over.x + over.width > map.x + 0.5 * map.width, 'a finger is on the notice');
  const before = await scaleOf(page);
  await spreadFingers(page, y);
  await scaled(page, (now) => Math.abs(now / before - 3) < 0.1);
  await page.getByRole('button', { name: 'Send to a point' }).tap();
  const tap = () => page.touchscreen.tap(over.x + 0.4 * over.width, over.y + over.height / 2);
  await tap();
  await page.getByRole('button', { name: 'Dismiss' }).tap();
  await notice.waitFor({ state: 'detached' });
  assert.equal(robot.route, null);
  await tap();
  await station.until(() => robot.route !== null);
});

test('Map.IsOperatedByKeys', async () => {
  const { station } = rover();
  const robot = station.robots.get('rover')!;
  const page = await rig.show(station);
  await text(page, 'walls of its own map');
  const before = await scaleOf(page);
  await page.getByLabel(/^Map around rover/).focus();
  await page.keyboard.press('+');
  assert.ok((await scaleOf(page)) > before);
  await page.keyboard.press('0');
  assert.equal(await scaleOf(page), before);
  await page.keyboard.press('f');
  await page.keyboard.press('Shift+ArrowRight');
  assert.deepEqual(robot.commands, [], 'panning drives nothing');
  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Send to a point' }).press('Enter');
  await page.getByLabel(/^Map around rover/).focus();
  await page.keyboard.press('Enter');
  await station.until(() => robot.route?.state === 'driving');
  const [point] = robot.route!.points;
  assert.ok(Math.hypot(...point!) < 0.1, 'the place in the middle, where the robot is');
});

test('Map.ZoomsWhereThePointerIs', async () => {
  const { station } = rover();
  const robot = station.robots.get('rover')!;
  const page = await rig.show(station);
  await text(page, 'walls of its own map');
  const map = (await page.getByLabel(/^Map around rover/).boundingBox())!;
  const at = [map.x + 0.7 * map.width, map.y + 0.6 * map.height] as const;
  const send = async () => {
    await page.getByRole('button', { name: 'Send to a point' }).click();
    await page.mouse.click(...at);
  };
  await send();
  await station.until(() => robot.route !== null);
  const [before] = robot.route!.points;
  robot.route = null;
  await page.mouse.move(...at);
  await page.mouse.wheel(0, -400);
  await send();
  await station.until(() => robot.route !== null);
  const [after] = robot.route!.points;
  assert.ok(Math.hypot(after![0] - before![0], after![1] - before![1]) < 0.03, `${after} is not ${before}`);
});

test('Gamepad.IsIgnoredAfterAStopUntilItsStickWasInItsMiddle', async () => {
  const { station } = rover();
  const robot = station.robots.get('rover')!;
  const driven = () => robot.commands.filter((each) => each.startsWith('drive')).length;
  const page = await rig.show(station);
  await text(page, 'walls of its own map');
  await gamepad(page, { x: 0, y: 0 });
  await text(page, 'Gamepad connected.');
  await gamepad(page, { x: 0, y: -1 });
  await station.until(() => driven() >= 2);
  robot.obey('full_stop', 'another#2', 0);
  await text(page, 'Not driving: let go, and hold again');
  robot.obey('release_stop', 'another#2', 0);
  const before = driven();
  await gamepad(page, { x: 0.4, y: -0.9 });
  await gamepadIsRead(page, 10);
  assert.equal(driven(), before, 'a stick that has been held since before the stop moves the robot');
  await gamepad(page, { x: 0, y: 0 });
  await text(page, /^Not driving$/);
  await gamepad(page, { x: 0, y: -1 });
  await station.until(() => driven() > before);
  await gamepad(page, null);
});

test('Gamepad.DrivesWhileTheStickIsHeldAndHaltsWhenItIsReleasedOrUnplugged', async () => {
  const { station, last } = rover();
  const page = await rig.show(station);
  await text(page, 'walls of its own map');
  await gamepad(page, { x: 0, y: 0 });
  await text(page, 'Gamepad connected.');
  await gamepad(page, { x: 0, y: -1 });
  await station.until(() => station.robots.get('rover')!.commands.filter((each) => each === 'drive forward=0.45 turn=0.00 ttl=400ms').length >= 3);
  await gamepad(page, { x: 0, y: 0 });
  await station.until(() => last() === 'move movement=HALT');
  await gamepad(page, { x: 1, y: 0 });
  await station.until(() => last() === 'drive forward=0.00 turn=-1.80 ttl=400ms');
  await gamepad(page, null);
  await station.until(() => last() === 'move movement=HALT');
  await gamepad(page, { x: 0, y: 0, pressed: 1 });
  await station.until(() => last() === 'full_stop');
});
