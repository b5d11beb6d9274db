import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// The fleet as a table, in a real browser.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);

const levels: [name: string, level: number][] = [['rover-1', 0.5], ['rover-2', 0.9], ['rover-10', 0.3]];

function fleet(): PlayedStation {
  const station = new PlayedStation();
  for (const [name, level] of levels)
    station.add(name, { run_mode: 'RM2', behavior: 'explore', battery: { level, volts: 12, amperes: -1, on_charger: false } });
  return station;
}

function charge(station: PlayedStation, name: string, level: number): void {
  const robot = station.robots.get(name)!;
  robot.status = { ...robot.status, battery: { level, volts: 12, amperes: -1, on_charger: false } };
  station.advance(0.1);
}

async function openTable(station: PlayedStation, width = 1280): Promise<Page> {
  const page = await rig.show(station, '#/fleet', { viewport: { width, height: 800 } });
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('rowheader', { name: 'rover-10' }).waitFor();
  return page;
}

const header = (page: Page, name: string): Locator => page.getByRole('columnheader', { name });

/** Waits until the rows are in this order. */
async function rows(page: Page, ...names: string[]): Promise<void> {
  const row = page.locator('tbody tr');
  for (const [i, name] of names.entries()) await row.nth(i).getByRole('rowheader', { name, exact: true }).waitFor();
  assert.equal(await row.count(), names.length);
}

test('FleetTable.IsSortedByAClickOnAHeader', async () => {
  const page = await openTable(fleet());
  await rows(page, 'rover-1', 'rover-2', 'rover-10');
  const click = () => header(page, 'Battery').getByRole('button').click();
  await click();
  await rows(page, 'rover-10', 'rover-1', 'rover-2');
  assert.equal(await header(page, 'Battery').getAttribute('aria-sort'), 'ascending');
  await click();
  await rows(page, 'rover-2', 'rover-1', 'rover-10');
  assert.equal(await header(page, 'Battery').getAttribute('aria-sort'), 'descending');
  await click();
  await rows(page, 'rover-1', 'rover-2', 'rover-10');
  assert.equal(await header(page, 'Battery').getAttribute('aria-sort'), null);
  await header(page, 'Robot').getByRole('button').press('Enter');
  await page.keyboard.press('Enter');
  await rows(page, 'rover-10', 'rover-2', 'rover-1');
});

test('FleetTable.FollowsItsColumnWhilePointingAtAHeaderButKeepsTheRobotThatIsPointedAt', async () => {
  const station = fleet();
  const page = await openTable(station);
  await header(page, 'Battery').getByRole('button').click();
  await rows(page, 'rover-10', 'rover-1', 'rover-2');
  charge(station, 'rover-10', 0.95);
  await rows(page, 'rover-1', 'rover-2', 'rover-10');
  await page.getByRole('button', { name: 'Stop rover-2' }).hover();
  charge(station, 'rover-2', 0.1);
  await page.getByRole('row', { name: 'rover-2' }).getByText('10 %').waitFor();
  await rows(page, 'rover-1', 'rover-2', 'rover-10');
  await page.getByRole('button', { name: 'Table' }).hover();
  await rows(page, 'rover-2', 'rover-1', 'rover-10');
});

test('FleetTable.IsSortedOnAPhoneToo', async () => {
  const page = await openTable(fleet(), 390);
  await page.getByLabel('Sort by').selectOption('Battery');
  await rows(page, 'rover-10', 'rover-1', 'rover-2');
  await page.getByRole('button', { name: 'Sort Battery descending' }).click();
  await rows(page, 'rover-2', 'rover-1', 'rover-10');
  await page.getByLabel('Sort by').selectOption('Trouble first');
  await rows(page, 'rover-1', 'rover-2', 'rover-10');
});
