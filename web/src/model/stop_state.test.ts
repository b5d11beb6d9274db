import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from './messages';
import { apply, nothing, type Robot } from './picture';
import { status } from './status_example';
import { isModeKnown, mayBeStopped, stopLabel, stopStateOf, stopText } from './stop_state';

/** A robot without telemetry (CM2). */
function blind(more: Partial<Status>): Robot {
  const { run_mode: _, ...known } = status({ presence: 'no_telemetry', stale: true, heard: 110, ...more });
  return apply(nothing, { type: 'state', full: true, now: 0, robots: { mole: { status: known } } }).robots.mole!;
}
const confirmed = blind({ acknowledged_stop: true, acknowledged_stop_at: 100, acknowledged_mode: 'RM3', acknowledged_mode_at: 100 });

test('StopState.OfARobotWithoutTelemetryIsKnownOnlyWhileItIsConfirmed', () => {
  assert.equal(stopStateOf(confirmed, { now: 102.9 }).is, 'stopped');
  const later = stopStateOf(confirmed, { now: 112 });
  assert.deepEqual(later, { is: 'unknown', last: true, age: 12 });
  assert.equal(stopText(later), '■ stopped when last confirmed, 12 s ago');
  assert.equal(mayBeStopped(later), true);
});

test('StopState.IsUnknownBeforeTheRobotHasConfirmedAnything', () => {
  const state = stopStateOf(blind({}), { now: 110 });
  assert.equal(state.is, 'unknown', 'and not released');
  assert.equal(mayBeStopped(state), true);
  assert.equal(stopText(state), '');
});

test('StopState.FollowsFreshTelemetry', () => {
  const robot = { ...blind({}), status: status({ stopped: false, presence: 'live' }), motion: { at: 100 } } as Robot;
  assert.equal(stopStateOf(robot, { now: 100.1 }).is, 'released');
  assert.equal(stopStateOf(robot, { now: 100.1, silent: Infinity }).is, 'unknown', 'without a station');
  const lost = stopStateOf({ ...robot, status: status({ stopped: true, presence: 'lost', stale: true }) }, { now: 150 });
  assert.equal(stopText(lost), '■ stopped when last confirmed, 50 s ago');
});

test('StopState.KnowsTheModeOnlyWhileItIsConfirmed', () => {
  assert.equal(isModeKnown(confirmed, { now: 102.9 }), true);
  assert.equal(isModeKnown(confirmed, { now: 103.1 }), false);
  assert.equal(isModeKnown(blind({}), { now: 110 }), false);
});

test('StopState.ButtonShowsAnUnconfirmedStopBeforeAnythingElse', () => {
  const facts = { shared: false, open: false, stopped: false, stopping: false };
  assert.equal(stopLabel(facts), 'STOP');
  assert.equal(stopLabel({ ...facts, stopping: true }), 'STOPPING …');
  assert.equal(stopLabel({ ...facts, stopped: true }), 'STOPPED');
  assert.equal(stopLabel({ ...facts, stopped: true, open: true }), 'STOP not confirmed');
});
