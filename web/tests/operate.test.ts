import assert from 'node:assert/strict';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import type { Sections } from '../src/model/messages';
import { cellsOf } from './map_cells';
import { gamepad } from './hands';
import { openBrowser, watchedPage } from './page_rig';
import { RunningProgram } from './running_program';

// A person operates the robot of the demo: what the page shows is true, and its controls do what they say. The tests
// share one demo, and follow each other.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
let demo: RunningProgram;
let page: Page;

before(async () => {
  demo = await RunningProgram.start('demo', '--port', '0');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 }, hasTouch: true }));
  await page.goto(demo.entry);
  await button('Take over').click();
  await demo.until('remote control', ({ status }) => status?.run_mode === 'RM3');
});

after(async () => {
  await (await browser).close();
  await demo.end();
});

const text = (what: string | RegExp) => page.getByText(what).first().waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const show = (place: string) => page.goto(`${demo.address}/#/${place}`);
const isHalted = ({ motion }: Sections) => motion?.right.speed === 0 && motion.left.speed === 0;

test('Operate.APokeOfAWrongTypeSaysWhatTheBusHolds', async () => {
  await show('bus/rover');
  await button('CBOT_X').click();
  await page.getByLabel('New value').fill('hello');
  await button('Poke').click();
  await text('rover refused: poke CBOT_X');
  await text(/CBOT_X holds numbers .*`hello` is not a number/);
});

test('Operate.AGamepadDrivesWhileItsStickIsHeld', async () => {
  await show('drive/rover');
  await gamepad(page, { x: 0, y: 0 });
  await text('Gamepad connected.');
  await gamepad(page, { x: 1, y: 0 });
  await demo.until('it turns', ({ motion }) => motion?.winner === 'operator' && (motion.left.speed ?? 0) > 0);
  await gamepad(page, { x: 0, y: 0 });
  await demo.until('it halts', isHalted);
  await gamepad(page, null);
});

/** Loads a route to one point by the fields of the page, and starts it. */
async function drive(to: { x: number; y: number }): Promise<void> {
  const route = page.getByLabel('Route', { exact: true });
  await route.getByRole('button', { name: 'Place points on the map' }).click();
  await route.getByLabel('x').fill(to.x.toFixed(2));
  await route.getByLabel('y').fill(to.y.toFixed(2));
  await route.getByRole('button', { name: 'Add' }).click();
  await route.getByRole('button', { name: 'Load 1 point' }).click();
  await demo.until('the route is loaded', ({ route }) => Math.abs((route?.points[0]?.[0] ?? NaN) - to.x) < 0.01 && Math.abs((route?.points[0]?.[1] ?? NaN) - to.y) < 0.01);
  await route.getByRole('button', { name: 'Start route' }).click();
}

test('Operate.AGoalInsideSomethingIsRefusedAtOnce', async () => {
  const { all, around } = cellsOf((await demo.robot()).map!);
  const wall = all.find((each) => each.cell === 2 && around(each, 0.05, 2)) ?? all.find(({ cell }) => cell === 2)!;
  await drive(wall);
  await text(/^rover refused: start route/);
  await text(/cannot reach point 1 of 1 at .*: an obstacle is at the goal/);
  assert.notEqual((await demo.robot()).route?.state, 'driving');
});
