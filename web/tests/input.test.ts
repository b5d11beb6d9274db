import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
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

/** CSS pixels per meter, as the scale bar shows it. */
async function scaleOf(page: Page): Promise<number> {
  const bar = page.locator('.scale');
  const meters = parseFloat((await bar.textContent()) ?? '');
  return (await bar.locator('i').boundingBox())!.width / meters;
}

/** Fingers on the map, in parts of its width and height. */
async function fingers(client: CDPSession, page: Page, type: 'touchStart' | 'touchMove' | 'touchEnd', places: [number, number][]): Promise<void> {
  const map = (await page.getByLabel(/^Map around rover/).boundingBox())!;
  const touchPoints = places.map(([x, y], id) => ({ id, x: map.x + x * map.width, y: map.y + y * map.height }));
  await client.send('Input.dispatchTouchEvent', { type, touchPoints });
}

test('Map.IsZoomedAndPannedWithTwoFingers', async () => {
  const { station } = rover();
  const page = await rig.show(station, '', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await text(page, 'walls of its own map');
  const before = await scaleOf(page);
  const client = await page.context().newCDPSession(page);
  await fingers(client, page, 'touchStart', [[0.4, 0.5], [0.6, 0.5]]);
  await fingers(client, page, 'touchMove', [[0.3, 0.5], [0.7, 0.5]]);
  await fingers(client, page, 'touchMove', [[0.2, 0.5], [0.8, 0.5]]);
  await fingers(client, page, 'touchEnd', []);
  assert.ok((await scaleOf(page)) > 2 * before, `${await scaleOf(page)} is not much more than ${before}`);
  await page.getByRole('button', { name: 'Show all of the map' }).click();
  assert.equal(await scaleOf(page), before);
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

/** Plugs in a gamepad whose left stick and buttons are so, or unplugs it. */
async function gamepad(page: Page, state: { x: number; y: number; pressed?: number } | null): Promise<void> {
  await page.evaluate((now) => {
    const pad = now && {
      id: 'Played gamepad',
      mapping: 'standard',
      axes: [now.x, now.y, 0, 0],
      buttons: Array.from({ length: 16 }, (_, i) => ({ pressed: i === now.pressed })),
    };
    Object.defineProperty(navigator, 'getGamepads', { value: () => [pad], configurable: true });
  }, state);
}

test('Gamepad.DrivesWhileTheStickIsHeldAndHaltsWhenItIsReleasedOrUnplugged', async () => {
  const { station, last } = rover();
  const page = await rig.show(station);
  await text(page, 'walls of its own map');
  await gamepad(page, { x: 0, y: 0 });
  await text(page, 'Gamepad connected.');
  await gamepad(page, { x: 0, y: -1 });
  await station.until(() => station.robots.get('rover')!.commands.filter((each) => each === 'move movement=MOVE_FW_3 ttl=400ms').length >= 3);
  await gamepad(page, { x: 0, y: 0 });
  await station.until(() => last() === 'move movement=HALT');
  await gamepad(page, { x: 1, y: 0 });
  await station.until(() => last() === 'move movement=SWIV_RIGHT_3 ttl=400ms');
  await gamepad(page, null);
  await station.until(() => last() === 'move movement=HALT');
  await gamepad(page, { x: 0, y: 0, pressed: 1 });
  await station.until(() => last() === 'full_stop');
});
