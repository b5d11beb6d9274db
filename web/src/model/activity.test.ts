import assert from 'node:assert/strict';
import test from 'node:test';
import { activityOf } from './activity';
import type { Route, Status } from './messages';
import type { Robot } from './picture';

test('Activity.IsTheSentenceOfTheRobotItself', () => {
  const robot = { name: 'bee', status: { mode: 'run1', run_mode: 'RM2', behavior: 'explore' }, plan: { doing: 'Exploring: 3 m to go.' }, motion: { reason: 'order' } };
  assert.equal(activityOf(robot as Robot), 'Exploring: 3 m to go.');
  assert.equal(activityOf({ ...robot, motion: { reason: 'obstacle_stop' } } as Robot), 'Exploring: 3 m to go. Something is in its way.');
});

const activity = (status: Partial<Status>, route: Partial<Route> | null = null) =>
  activityOf({ name: 'bee', status: { mode: 'run1', driver: '', ...status }, route } as Robot);

test('Activity.IsUnknownWithoutTelemetry', () => assert.equal(activity({}), ''));
test('Activity.NamesTheBehaviorOfAnAutonomousRobot', () => {
  assert.equal(activity({ run_mode: 'RM2', behavior: 'go_to_dock' }), 'Go to dock.');
});
test('Activity.NamesTheDriver', () => {
  assert.equal(activity({ run_mode: 'RM3', driver: 'ada' }), 'Driven by ada.');
  assert.equal(activity({ run_mode: 'RM3' }), 'Waiting for someone to drive it.');
});
test('Activity.OfAStoppedRobotIsTheStop', () => {
  assert.match(activity({ run_mode: 'RM2', behavior: 'explore', stopped: true }), /^Stopped/);
});
test('Activity.CountsThePointsOfARoute', () => {
  assert.equal(activity({ run_mode: 'RM3', mode: 'run2' }, { next: 1, points: [[0, 0], [1, 1]] }), 'On its way to point 2 of 2.');
});
