import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// Reasons that no longer hold, in a real browser.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);

test('Past.TheEndOfTheAutopilotIsNoTroubleOfTheLink', async () => {
  const station = new PlayedStation();
  station.add('rover', { why: 'ann has stopped the robot', since: station.now - 240 });
  const page = await rig.show(station, '#/drive/rover');
  const link = page.getByRole('region', { name: 'Condition' }).locator('dt', { hasText: 'Link' }).locator('+ dd');
  assert.equal(await link.innerText(), 'both ways (CM3)');
  await page.goto(`${rig.address}/#/faults/rover`);
  await page.getByText('Link: both ways').waitFor();
  assert.equal(await page.getByText('ann has stopped the robot').count(), 0);
  await page.goto(`${rig.address}/#/modes/rover`);
  await page.getByText('The autopilot ended 4 min ago: ann has stopped the robot.').waitFor();
});

test('Past.AReportOfAFaultThatIsRepairedIsOver', async () => {
  const station = new PlayedStation();
  const rover = station.add('rover', { faults: ['sensor_dead'] });
  const page = await rig.show(station, '#/fleet');
  await page.getByText('1 with faults').waitFor();
  station.report('rover', 'sensor_dead');
  const report = page.getByRole('region', { name: /^Reports/ }).getByRole('listitem');
  await report.waitFor();
  assert.match(await report.innerText(), /rover a sensor that it needs gives no readings$/);
  rover.status = { ...rover.status, faults: [] };
  station.advance(0.1);
  await report.getByText('over', { exact: true }).waitFor();
});
