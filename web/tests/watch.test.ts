import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Request } from '../src/model/messages';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const isWatch = (request: Request) => request.type === 'watch';

test('Watch.IsThatOfTheDriveViewAfterTheFleetViewWasLeft', async () => {
  const station = new PlayedStation();
  for (const name of ['rover', 'bee', 'wren']) station.add(name);
  const page = await rig.show(station, '#/fleet');
  for (const name of ['rover', 'bee', 'wren']) {
    await page.goto(`${rig.address}/#/fleet`);
    await page.reload();
    await station.until(() => station.watched.length === 3 && !station.views.includes('scan'));
    await page.getByRole('article', { name }).getByRole('link', { name }).first().click();
    await page.getByText(/ranges now/).waitFor();
    // A request of the view that was left would be sent before this heartbeat.
    const heard = station.requests.length;
    await station.until(() => station.requests.slice(heard).filter(({ type }) => type === 'heartbeat').length >= 2);
    const last = station.requests.filter(isWatch).at(-1) as Request & { type: 'watch' };
    assert.deepEqual([last.robots, last.views], [[name], ['scan', 'map', 'plan', 'cubes']]);
  }
});

test('Watch.LabelsAnOldScanWithItsAge', async () => {
  const station = new PlayedStation();
  station.add('rover');
  const page = await rig.show(station, '#/drive/rover');
  await page.getByText(/24 ranges now/).waitFor();
  await page.goto(`${rig.address}/#/modes/rover`);
  await station.until(() => !station.views.includes('scan'));
  station.ignoresWatch = true;
  station.advance(5);
  await page.goto(`${rig.address}/#/drive/rover`);
  const legend = page.locator('figcaption').getByText(/24 ranges, 5\.\d s old/);
  await legend.waitFor();
  assert.doesNotMatch((await legend.textContent()) ?? '', /B\/s/, 'nothing arrives at this rate');
});
