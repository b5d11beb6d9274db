import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Robot, SeenReport } from './picture';
import { isOver } from './reports';
import { status } from './status_example';

const report = (raw: string): SeenReport => ({ type: 'report', now: 90, robot: 'rover', raw, text: raw });
const robot = (faults: string[], presence: 'live' | 'lost' = 'live'): Robot =>
  ({ name: 'rover', status: status({ faults, presence, stale: presence === 'lost' }), motion: { at: 100 } }) as Robot;
const seen = { now: 100.1 };

test('Reports.AreOverWhenTheRobotDoesNotHaveTheFaultAnyMore', () => {
  assert.equal(isOver(report('sensor_dead'), robot(['sensor_dead']), seen), false);
  assert.equal(isOver(report('sensor_dead'), robot([]), seen), true);
});

test('Reports.AreNotOverIfThatIsNotKnown', () => {
  assert.equal(isOver(report('sensor_dead'), robot([], 'lost'), seen), false);
  assert.equal(isOver(report('sensor_dead'), undefined, seen), false);
  assert.equal(isOver(report('RM2 -> RM0: sensor_dead'), robot([]), seen), false, 'no fault, but an event');
});
