import assert from 'node:assert/strict';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { panFingers, scaled, scaleOf, spreadFingers } from './hands';
import { openBrowser, picture, watchedPage } from './page_rig';
import { RunningProgram } from './running_program';

// Fingers on the map of the real program, while its map grows and the robot moves under them.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 120_000 }, run);
const browser = openBrowser();
let demo: RunningProgram;

before(async () => (demo = await RunningProgram.start('demo', '--port', '0')));
after(async () => {
  await (await browser).close();
  await demo.end();
});

/** Loads a route of the one point that is at this place of the map; returns the point, in meters. The map is on screen then. */
async function pointAt(page: Page, x: number, y: number): Promise<[number, number]> {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await button('Place points on the map').tap();
  const canvas = page.getByLabel(/^Map around rover/);
  await page.evaluate(() => scrollTo(0, 0));
  const map = (await canvas.boundingBox())!;
  await page.touchscreen.tap(map.x + x * map.width, map.y + y * map.height);
  const before = (await demo.robot()).route?.points[0];
  await button('Load 1 point').tap();
  await page.evaluate(() => scrollTo(0, 0));
  const { route } = await demo.until('the route is loaded', ({ route }) => route?.points.length === 1 && String(route.points[0]) !== String(before), 10);
  return route!.points[0]!;
}

for (const [width, height] of [[390, 844], [844, 390]] as const)
  test(`Touch.ZoomsAndPansTheMapWithTwoFingersAt${width}`, async () => {
    const context = await (await browser).newContext({ viewport: { width, height }, hasTouch: true, isMobile: true });
    const page = await watchedPage(context);
    await page.goto(demo.entry);
    await page.getByText('walls of its own map').waitFor();
    // From now on the scale does not follow the map, which grows.
    const whole = await scaleOf(page);
    await page.getByRole('button', { name: 'Zoom in' }).tap();
    const before = await scaled(page, (scale) => scale !== whole);
    const showAll = page.getByRole('button', { name: 'Show all of the map' });
    assert.equal(await showAll.getAttribute('aria-pressed'), 'false');
    await spreadFingers(page);
    const scale = await scaled(page, (now) => Math.abs(now / before - 3) < 0.1);
    const first = await pointAt(page, 0.3, 0.8);
    await panFingers(page);
    const second = await pointAt(page, 0.3, 0.8);
    const { width: shown } = (await page.getByLabel(/^Map around rover/).boundingBox())!;
    assert.ok(Math.abs(second[0] - first[0] - (0.1 * shown) / scale) < 0.03, `${second} is not a tenth of the map right of ${first}`);
    assert.ok(Math.abs(second[1] - first[1]) < 0.03, `${second} is not beside ${first}`);
    await picture(page, `touch-${width}`, false);
    await showAll.tap();
    await scaled(page, (now) => now < scale / 2);
    await page.getByRole('button', { name: 'Clear route' }).tap(); // the next page would ask before it replaces it
    await page.getByText('No route is loaded.').waitFor();
    await context.close();
  });
