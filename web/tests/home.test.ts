import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();
const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

function alone(fields = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { run_mode: 'RM2', behavior: 'explore', ...fields });
  return station;
}

function several(count: number): PlayedStation {
  const station = new PlayedStation();
  for (let i = 1; i <= count; i++) station.add(`rover-${String(i).padStart(2, '0')}`, { run_mode: 'RM2', behavior: 'explore' });
  return station;
}

const names = (page: Page) => page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));

test('Home.IsTheMapOfTheOnlyRobotWithTheNextThingsToTry', async () => {
  const station = alone();
  const page = await rig.show(station);
  await page.getByLabel('Map around rover').waitFor();
  await text(page, 'Exploring: 2 m to a place that it has not seen.');
  await text(page, 'its goal, and the path to it');
  await text(page, 'Autonomous');
  for (const step of ['Take over', 'Send to a point', 'Go to the dock', 'Play with a cube'])
    await page.getByRole('button', { name: step, exact: true, disabled: false }).waitFor();
  assert.equal(await tab(page, 'Drive').getAttribute('aria-current'), 'page');
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Hand back to autonomy' }).click();
  await station.until(() => station.robots.get('rover')?.status.run_mode === 'RM2');
});

test('Home.IsTheWallIfThereAreSeveralRobots', async () => {
  const page = await rig.show(several(3));
  await text(page, '3 robots');
  assert.deepEqual(await names(page), ['rover-01', 'rover-02', 'rover-03']);
  await page.getByRole('link', { name: 'rover-02' }).click();
  await page.getByLabel('Map around rover-02').waitFor();
  await page.getByRole('link', { name: 'Caribou' }).click();
  await text(page, '3 robots');
});

test('Home.BecomesTheWallWhenAnotherRobotComesUnlessTheReaderIsBusy', async () => {
  const station = alone();
  const page = await rig.show(station);
  await page.getByLabel('Map around rover').waitFor();
  station.add('bee');
  station.advance(0.1);
  await text(page, '2 robots');
  station.robots.delete('bee');
  await page.reload();
  await page.getByRole('button', { name: 'Take over' }).click();
  await station.until(() => station.robots.get('rover')?.status.run_mode === 'RM3');
  station.add('bee');
  station.advance(0.1);
  await page.locator('option', { hasText: 'bee' }).waitFor({ state: 'attached' });
  assert.ok(await page.getByLabel('Map around rover').isVisible(), 'whoever drives keeps the map');
});

test('Wall.ShowsTroubleFirstAndWatchesOnlyTheMapsOnScreen', async () => {
  const station = several(40);
  Object.assign(station.robots.get('rover-20')!.status, { faults: ['bumper front left: no signal'] });
  Object.assign(station.robots.get('rover-31')!.status, { battery: { level: 0.08, volts: 10.9, amperes: -1, on_charger: false } });
  const lost = station.robots.get('rover-07')!;
  Object.assign(lost.status, { mode: 'wait', why: 'no telemetry for 3 s', stale: true });
  lost.silentSince = station.now - 40;
  const page = await rig.show(station);
  await text(page, '▲ bumper front left: no signal');
  await text(page, '✕ lost: no telemetry for 3 s');
  await text(page, '▼ battery low');
  assert.deepEqual((await names(page)).slice(0, 4), ['rover-20', 'rover-07', 'rover-31', 'rover-01']);
  await station.until(() => station.watched.includes('rover-20'));
  assert.ok(!station.watched.includes('rover-40'), 'the last is not on screen');
  assert.deepEqual(station.views, ['map', 'plan']);
  await page.getByLabel('rover-40', { exact: true }).scrollIntoViewIfNeeded();
  await station.until(() => station.watched.includes('rover-40') && !station.watched.includes('rover-20'));
  await rig.picture(page, 'wall-40', false);
});

test('Wall.StopsOneRobotAndOffersATable', async () => {
  const station = several(3);
  const page = await rig.show(station);
  await page.getByRole('button', { name: 'Stop rover-02' }).click();
  await text(page, '■ stopped');
  assert.equal((await names(page))[0], 'rover-01', 'nothing moves under the pointer');
  await page.getByRole('button', { name: 'Table' }).hover();
  await page.locator('article:first-child[aria-label="rover-02"]').waitFor();
  await page.getByRole('button', { name: 'Table' }).click();
  await page.locator('thead').getByText('Battery').waitFor();
});

test('Drive.SendsTheRobotToThePointThatIsClicked', async () => {
  const station = alone();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station);
  await text(page, 'walls of its own map');
  await page.getByRole('button', { name: 'Send to a point' }).click();
  const map = (await page.getByLabel('Map around rover').boundingBox())!;
  const banner = (await page.getByLabel('What rover does now').boundingBox())!;
  await page.mouse.click(map.x + map.width / 2, map.y + (map.height + banner.height) / 2);
  await station.until(() => rover.route?.state === 'driving');
  assert.equal(rover.status.run_mode, 'RM3', 'it was taken over first');
  const [point] = rover.route!.points;
  assert.ok(Math.hypot(...point!) < 0.1, 'the middle of the room');
});

const sizes = [[390, 844], [820, 1180], [1280, 800], [1920, 1080], [3840, 2160]] as const;
for (const colorScheme of ['light', 'dark'] as const)
  test(`Page.FitsEveryWidthIn${colorScheme === 'light' ? 'Light' : 'Dark'}`, async () => {
    for (const [width, height] of sizes) {
      const station = several(7);
      Object.assign(station.robots.get('rover-03')!.status, { stopped: true });
      const page = await rig.show(station, '', { viewport: { width, height }, colorScheme });
      await text(page, '7 robots');
      for (const view of ['Fleet', 'Drive', 'Modes', 'Behaviors', 'Cubes', 'Bus', 'Topics', 'Recordings', 'Faults']) {
        const box = (await tab(page, view).boundingBox())!;
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${view} is reachable at ${width}`);
        await tab(page, view).click();
        await page.locator(`nav a[aria-current='page']`, { hasText: view }).waitFor();
        if (view === 'Drive') await text(page, 'walls of its own map');
        if (view === 'Cubes') await text(page, 'green cube');
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${view} at ${width} is ${over} pixels too wide`);
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll('main .card')].filter((card) => card.scrollWidth > card.clientWidth + 1).map((card) => card.textContent?.slice(0, 40)),
        );
        assert.deepEqual(cut, [], `${view} at ${width} has cards that are too narrow`);
        await rig.picture(page, `${view.toLowerCase()}-${width}-${colorScheme}`, false);
      }
      await page.context().close();
    }
  });
