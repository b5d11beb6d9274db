import assert from 'node:assert/strict';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import type { Sections } from '../src/model/messages';
import { openBrowser, picture, watchedPage } from './page_rig';
import { RunningProgram } from './running_program';

// A demo with several robots.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
const names = ['rover-01', 'rover-02', 'rover-03'];
let demo: RunningProgram;
let page: Page;

before(async () => {
  demo = await RunningProgram.start('demo', '--port', '0', '--robots', '3');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  await page.goto(demo.entry);
});

after(async () => {
  await (await browser).close();
  await demo.end();
});

/** Waits until the page shows it, and checks it of every robot without the page. */
async function all(shown: string, is: (robot: Sections) => boolean): Promise<void> {
  await page.getByText(shown).first().waitFor();
  for (const name of names) assert.ok(is(await demo.robot(name)), `${name}: ${shown}`);
}

test('Fleet.OpensWithAWallOfLiveMaps', async () => {
  for (const name of names) {
    const card = page.getByRole('article', { name });
    await card.getByText(/^(Exploring|Going|Leaving|Connecting|Playing)/).waitFor();
    await card.getByText(/^\d+ %/).waitFor();
  }
  const walls = () => page.evaluate(() => [...document.querySelectorAll<HTMLCanvasElement>('article canvas')].map((map) => map.toDataURL()));
  await page.waitForFunction(() => document.querySelectorAll('article canvas').length === 3);
  const before = await walls();
  const deadline = Date.now() + 30_000;
  while ((await walls()).some((map, i) => map === before[i])) {
    assert.ok(Date.now() < deadline, 'every map moves');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await picture(page, 'demo-wall');
});

test('Fleet.StopsAndReleasesAllAtOnce', async () => {
  await page.getByRole('button', { name: 'STOP all 3' }).click();
  await all('3 robots · 3 connected · 3 stopped', ({ status }) => status?.stopped === true);
  const release = page.getByRole('button', { name: /^Release all/ });
  assert.equal(await release.innerText(), 'Release all\n3 robots will drive on');
  await release.click();
  await all('3 robots · 3 connected · 0 stopped', ({ status }) => status?.stopped === false);
});

test('Fleet.IsSortedByAClickOnAHeaderOfItsTable', async () => {
  await page.getByRole('button', { name: 'Table' }).click();
  const header = page.getByRole('columnheader', { name: 'Robot' });
  await header.getByRole('button').click();
  await header.getByRole('button').click();
  const first = page.locator('tbody tr').first();
  await first.getByRole('rowheader', { name: 'rover-03' }).waitFor();
  assert.equal(await header.getAttribute('aria-sort'), 'descending');
  await page.getByRole('button', { name: 'Maps' }).click();
});
