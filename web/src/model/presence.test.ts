import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Motion, Status } from './messages';
import { apply, nothing, type Robot } from './picture';
import { isStale, obstacleToCommands, presenceOf, presenceText } from './presence';
import { status } from './status_example';

function robotAt(at: number | null, more: Partial<Status> = {}): Robot {
  const wheel = { level: 0, speed: 0 };
  const motion: Motion | null =
    at === null
      ? null
      : { at, number: 1, pose: { x: 0, y: 0, heading: 0 }, state: 1, movement: 'halted', class: 'HALT', right: wheel, left: wheel, winner: '', reason: '', offset: 0 };
  const sections = { status: status(more), motion };
  return apply(nothing, { type: 'state', full: true, now: 0, robots: { rover: sections } }).robots.rover!;
}

test('Presence.IsStaleByThePagesOwnCountWhenTheStationIsSilent', () => {
  const robot = robotAt(100);
  assert.equal(isStale(robot, 100.9), false);
  assert.equal(isStale(robot, 101.1), true);
  assert.equal(isStale(robot, 101.1, true), false, 'the clock of a replay jumps');
  assert.equal(isStale(robotAt(100, { stale: true }), 100.1), true);
});

test('Presence.FollowsTheLimitOfARobotThatSendsSlowly', () => {
  const robot = robotAt(100, { stale_after: 6 });
  assert.equal(isStale(robot, 105), false);
  assert.equal(isStale(robot, 107), true);
});

test('Presence.IsAsTheStationReportsItUnlessTheDataHasBecomeStaleSince', () => {
  assert.equal(presenceOf(robotAt(100, { presence: 'live' }), 100.2), 'live');
  assert.equal(presenceOf(robotAt(100, { presence: 'live' }), 112), 'lost');
  assert.equal(presenceOf(robotAt(100, { presence: 'telemetry_only' }), 100.2), 'telemetry_only');
  assert.equal(presenceOf(robotAt(100, { presence: 'telemetry_only' }), 112), 'lost');
  for (const presence of ['off', 'asleep', 'no_telemetry', 'lost'] as const)
    assert.equal(presenceOf(robotAt(100, { presence, stale: true }), 112), presence);
  assert.equal(presenceOf(robotAt(null, { presence: 'unknown' }), 112), 'unknown');
  assert.equal(presenceOf(robotAt(null, { presence: 'no_telemetry' }), 112), 'no_telemetry');
});

test('Presence.OfAnEarlierRecordingFollowsFromItsData', () => {
  assert.equal(presenceOf(robotAt(100, { presence: undefined }), 100.2, true), 'live');
  assert.equal(presenceOf(robotAt(100, { presence: 'unknown', stale: true }), 100.2, true), 'lost');
});

test('Presence.HasAText', () => {
  assert.equal(presenceText(robotAt(null, { presence: 'no_telemetry' }), 112), 'connected, and sends no telemetry');
  assert.equal(presenceText(robotAt(100, { presence: 'off' }), 112), 'off for 12 s');
  assert.equal(presenceText(robotAt(100, { run_mode: 'RM2' }), 112), 'lost, last heard 12 s ago');
  assert.equal(presenceText(robotAt(100), 100.2), '');
});

test('Presence.SaysWhyACommandCannotWork', () => {
  assert.equal(obstacleToCommands(robotAt(100), 100.1, true), '');
  assert.equal(obstacleToCommands(robotAt(100), 100.1, false), 'No connection to the station.');
  assert.equal(obstacleToCommands(robotAt(100), 112, true), 'rover is lost, last heard 12 s ago.');
  assert.equal(obstacleToCommands(robotAt(100, { presence: 'asleep' }), 112, true), '', 'it can be woken');
  assert.equal(obstacleToCommands(robotAt(null, { presence: 'no_telemetry' }), 112, true), '', 'it can be driven blind');
  assert.equal(
    obstacleToCommands(robotAt(100, { presence: 'telemetry_only', mode: 'wait' }), 100.1, true),
    'rover only sends telemetry, and receives no commands.',
  );
  assert.equal(
    obstacleToCommands(robotAt(100, { presence: 'off', mode: 'wait', why: 'sensor_dead' }), 112, true),
    'rover is off: sensor_dead.',
  );
});
