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
  assert.equal(activity({ run_mode: 'RM2', behavior: 'go_to_dock' }), 'Driving itself: go to dock.');
});
test('Activity.NamesTheDriver', () => {
  assert.equal(activity({ run_mode: 'RM3', driver: 'ada' }), 'Driven by ada.');
  assert.equal(activity({ run_mode: 'RM3', driver: 'page#2' }), 'Driven by another page.');
  assert.equal(activity({ run_mode: 'RM3' }), 'Waiting for someone to drive it.');
});
test('Activity.OfAStoppedRobotIsTheStop', () => {
  assert.match(activity({ run_mode: 'RM2', behavior: 'explore', stopped: true }), /^Stopped\. /);
});
test('Activity.OfAStoppedRobotHasTheCause', () => {
  assert.equal(activity({ stopped: true, stop_cause: 'main_silent', run_mode: 'RM2' }), 'Stopped: its program did not run for a while. It stays stopped until a person releases it.');
  assert.match(activity({ stopped: true, stop_cause: 'station', run_mode: 'RM2' }), /^Stopped by an operator\./);
  assert.match(activity({ stopped: true, stop_cause: 'ros', run_mode: 'RM2' }), /^Stopped by a node of ROS 2\./);
});
test('Activity.CountsThePointsOfARoute', () => {
  assert.equal(activity({ run_mode: 'RM3', mode: 'run2' }, { state: 'driving', why: '', next: 1, points: [[0, 0], [1, 1]] }), 'On its way to point 2 of 2.');
});
test('Activity.OfARouteThatALowBatteryInterruptsIsTheWayToTheDock', () => {
  const route: Partial<Route> = { state: 'driving', why: 'the battery is low; the robot goes to its dock', next: 0, points: [[0, 0], [1, 1]] };
  assert.equal(activity({ run_mode: 'RM2', mode: 'run2', behavior: 'come_home' }, route), 'Going to its dock: the battery is low.');
});
test('Activity.OfAChargingRobotHasTheLevelOfItsBattery', () => {
  const waits = { run_mode: 'RM1', waits_for: 'Charging' } as const;
  assert.equal(activity({ ...waits, battery: { level: 0.43, volts: 12, amperes: 1, on_charger: true } }), 'Charging, 43 %.');
  assert.equal(activity({ ...waits, battery: { level: null, volts: null, amperes: null, on_charger: true } }), 'Charging.');
});
