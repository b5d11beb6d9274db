import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watch, type Wanted } from './watch';

const drive: Wanted = { robots: ['rover'], views: ['scan', 'map'], rate: 10 };

test('Watch.RequestsOnceWhatIsWanted', () => {
  const watch = new Watch();
  assert.deepEqual(watch.due(drive), { type: 'watch', ...drive });
  assert.equal(watch.due({ ...drive }), null);
  assert.equal(watch.due({ ...drive, views: ['health'] })?.views[0], 'health');
  assert.deepEqual(watch.due(drive)?.views, ['scan', 'map'], 'the request before it was another one');
});

test('Watch.RequestsAgainOnANewConnection', () => {
  const watch = new Watch();
  watch.due(drive);
  watch.reset();
  assert.deepEqual(watch.due(drive)?.robots, ['rover']);
});

test('Watch.RequestsNoMoreRobotsThanTheStationSends', () => {
  const robots = Array.from({ length: 150 }, (_, i) => `rover-${i}`);
  assert.equal(new Watch().due({ ...drive, robots })?.robots.length, Watch.mostRobots);
});
