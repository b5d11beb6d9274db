import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Motion, Status } from './messages';
import { apply, nothing, type Robot } from './picture';
import { absenceText, isStale, obstacleToCommands, obstacleToStop, obstacleToViews, offText, oldScan, presenceClause, presenceOf, presenceText } from './presence';
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
  assert.equal(isStale(robot, 101.9, 1), false, 'the clock of a replay jumps');
  assert.equal(isStale(robot, 104, 10), false, 'further at a higher speed');
  assert.equal(isStale(robotAt(100, { stale: true }), 100.1), true);
});

test('Presence.FollowsTheLimitOfARobotThatSendsSlowly', () => {
  const robot = robotAt(100, { stale_after: 6 });
  assert.equal(isStale(robot, 105), false);
  assert.equal(isStale(robot, 107), true);
});

test('Presence.IsAsTheStationReportsItUnlessTheDataHasBecomeStaleSince', () => {
  assert.equal(presenceOf(robotAt(100, { presence: 'live' }), { now: 100.2 }), 'live');
  assert.equal(presenceOf(robotAt(100, { presence: 'live' }), { now: 112 }), 'lost');
  assert.equal(presenceOf(robotAt(100, { presence: 'telemetry_only' }), { now: 100.2 }), 'telemetry_only');
  assert.equal(presenceOf(robotAt(100, { presence: 'telemetry_only' }), { now: 112 }), 'lost');
  for (const presence of ['off', 'asleep', 'no_telemetry', 'lost'] as const)
    assert.equal(presenceOf(robotAt(100, { presence, stale: true }), { now: 112 }), presence);
  assert.equal(presenceOf(robotAt(null, { presence: 'unknown' }), { now: 112 }), 'unknown');
  assert.equal(presenceOf(robotAt(null, { presence: 'no_telemetry' }), { now: 112 }), 'no_telemetry');
});

test('Presence.OfARobotWithoutTelemetryFollowsItsHeartbeats', () => {
  const robot = robotAt(null, { presence: 'no_telemetry', stale: true, heard: 100 });
  assert.equal(presenceOf(robot, { now: 102.9 }), 'no_telemetry');
  assert.equal(presenceOf(robot, { now: 103.1 }), 'lost', 'counted by the page: the station may hang, too');
});

test('Presence.OfARobotThatHasAnnouncedRM0IsOffAndNotLost', () => {
  assert.equal(presenceOf(robotAt(100, { presence: 'live', run_mode: 'RM0' }), { now: 102 }), 'off');
});

test('Presence.OfAnEarlierRecordingFollowsFromItsData', () => {
  assert.equal(presenceOf(robotAt(100, { presence: undefined }), { now: 100.2, replay: 1 }), 'live');
  assert.equal(presenceOf(robotAt(100, { presence: 'unknown', stale: true }), { now: 100.2, replay: 1 }), 'lost');
});

test('Presence.IsUnknownWhereTheStationHasRecordedNothing', () => {
  const robot = robotAt(100, { presence: 'live' });
  assert.equal(presenceOf(robot, { now: 101.5, replay: 1 }), 'live');
  assert.equal(presenceOf(robot, { now: 103, replay: 1 }), 'unreported');
  assert.equal(absenceText(robot, { now: 103, replay: 1 }), 'Not known, last heard 3.0 s ago');
});

test('Presence.HasAText', () => {
  assert.equal(presenceText(robotAt(null, { presence: 'no_telemetry' }), { now: 112 }), 'connected without telemetry');
  assert.equal(presenceText(robotAt(null, { presence: 'no_telemetry', heard: 111.2 }), { now: 112 }), 'connected without telemetry, last heard 0.8 s ago');
  assert.equal(presenceText(robotAt(null, { presence: 'lost', mode: 'wait', heard: 100 }), { now: 112 }), 'lost, last heard 12 s ago');
  assert.equal(presenceText(robotAt(null, { presence: 'lost', mode: 'wait' }), { now: 112 }), 'lost');
  assert.equal(presenceText(robotAt(100, { presence: 'off' }), { now: 112 }), 'off for 12 s');
  assert.equal(presenceText(robotAt(100, { run_mode: 'RM2' }), { now: 112 }), 'lost, last heard 12 s ago');
  assert.equal(presenceText(robotAt(100), { now: 100.2 }), '');
});

test('Presence.SaysWhyACommandCannotWork', () => {
  assert.equal(obstacleToCommands(robotAt(100), { now: 100.1 }, true), '');
  assert.equal(obstacleToCommands(robotAt(100), { now: 100.1 }, false), 'No connection to the station.');
  assert.equal(obstacleToCommands(robotAt(100), { now: 112 }, true), 'rover is lost, last heard 12 s ago.');
  assert.equal(obstacleToCommands(robotAt(100, { presence: 'asleep' }), { now: 112 }, true), '', 'it can be woken');
  assert.equal(obstacleToCommands(robotAt(null, { presence: 'no_telemetry' }), { now: 112 }, true), '', 'it can be driven blind');
  assert.equal(
    obstacleToCommands(robotAt(100, { presence: 'telemetry_only', mode: 'wait', com_mode: 'CM1' }), { now: 100.1 }, true),
    'rover only sends telemetry, and receives no commands.',
  );
  assert.equal(
    obstacleToCommands(robotAt(100, { presence: 'telemetry_only', mode: 'wait', why: 'its program has ended' }), { now: 100.1 }, true),
    'rover is not connected: its program has ended.',
    'it was lost a moment ago',
  );
  assert.equal(
    obstacleToCommands(robotAt(100, { presence: 'off', mode: 'wait', why: 'nothing heard for 3s', off_reason: 'sensor_dead' }), { now: 112 }, true),
    'rover switched itself off (RM0): a sensor that it needs gives no readings.',
  );
  assert.equal(
    obstacleToCommands(robotAt(100, { presence: 'telemetry_only', mode: 'wait', com_mode: 'CM1', address: '127.0.0.1:9', why: 'nothing heard for 3s' }), { now: 100.1 }, true),
    'rover is not connected: nothing heard for 3s.',
    'it was frozen, and does not only send',
  );
});

test('Presence.StatesTheAgeOfAScanOnlyWhenItIsOld', () => {
  const robot = { ...robotAt(99.5), scan: { at: 90 } } as Robot;
  assert.equal(oldScan(robot, 100), 10);
  assert.equal(oldScan({ ...robot, scan: { at: 99.5 } } as Robot, 100), null);
  assert.equal(oldScan(robot, 100, true), null, 'the clock of a replay jumps');
  assert.equal(oldScan({ ...robot, scan: null }, 100), null);
});

test('Presence.BlamesTheStationAndNotTheRobotWhenTheStationIsSilent', () => {
  const live = robotAt(100, { presence: 'live' });
  assert.equal(presenceOf(live, { now: 100.9, silent: 0.9 }), 'live');
  assert.equal(presenceOf(live, { now: 101.1, silent: 1.1 }), 'unreported');
  assert.equal(presenceOf(live, { now: 101.1, silent: 0.2 }), 'lost', 'the station speaks, and has no newer data');
  assert.equal(presenceOf(live, { now: 100.1, silent: Infinity }), 'unreported', 'there is no connection');
  assert.equal(presenceText(live, { now: 101.1, silent: 1.1 }), 'not known, last heard 1.1 s ago');
  assert.equal(obstacleToCommands(live, { now: 101.1, silent: 1.1 }, true), 'The station is silent.');
  const blind = robotAt(null, { presence: 'no_telemetry', heard: 100 });
  assert.equal(presenceOf(blind, { now: 102, silent: 0.9 }), 'no_telemetry', 'it is reported once per second');
  assert.equal(presenceOf(blind, { now: 103.1, silent: 2.9 }), 'unreported');
  const lost = robotAt(100, { presence: 'lost', stale: true });
  assert.equal(presenceOf(lost, { now: 112, silent: 2 }), 'lost', 'as the station has reported it');
});

test('Presence.NamesAReasonForOffOnlyIfTheRobotGaveOne', () => {
  const off = (more: Partial<Status>) => offText(robotAt(100, { presence: 'off', why: 'nothing heard for 3s', ...more }));
  assert.equal(off({}), 'is off (RM0)');
  assert.equal(off({ off_reason: 'PowerOff' }), 'was switched off (RM0)');
  assert.equal(off({ off_reason: 'sensor_dead' }), 'switched itself off (RM0): a sensor that it needs gives no readings');
});

test('Presence.StatesTheReasonOfARobotThatIsOff', () => {
  const off = robotAt(90, { presence: 'off', stale: true, run_mode: 'RM2', off_reason: 'sensor_dead' });
  assert.equal(absenceText(off, { now: 100 }), 'Switched itself off (RM0): a sensor that it needs gives no readings, off for 10 s');
  assert.equal(off.status?.run_mode, 'RM0', 'its last telemetry was of before');
  const { run_mode: _, ...silent } = status({ presence: 'off', stale: true, off_reason: 'PowerOff' });
  const unseen = apply(nothing, { type: 'state', full: true, now: 0, robots: { rover: { status: silent as Status } } }).robots.rover!;
  assert.equal(unseen.status?.run_mode, 'RM0', 'also without any telemetry');
  assert.equal(absenceText(robotAt(90, { presence: 'lost', stale: true }), { now: 100 }), 'Lost, last heard 10 s ago');
});

test('Presence.OfViewsDoesNotDependOnTelemetry', () => {
  const obstacle = (fields: Partial<Status>, seen = { now: 112 }) => obstacleToViews(robotAt(null, fields), seen, true);
  for (const presence of ['no_telemetry', 'asleep'] as const) assert.equal(obstacle({ presence, stale: true, heard: 111.5 }), '', presence);
  assert.equal(obstacle({ presence: 'off', mode: 'wait' }), 'rover is off');
  assert.equal(obstacle({ presence: 'lost', mode: 'wait' }), 'rover is not connected');
  assert.equal(obstacleToViews(robotAt(112, { presence: 'telemetry_only', mode: 'wait', com_mode: 'CM1', address: null }), { now: 112 }, true), 'rover only sends telemetry');
  assert.equal(obstacleToViews(robotAt(112, { presence: 'live' }), { now: 112 }, false), 'there is no connection to the station');
});

test('Presence.OfASleeperIsASentenceWithItsEnd', () => {
  const asleep = robotAt(100, { presence: 'asleep', stale: true, run_mode: 'RM1', waits_for: 'TimedSleep' });
  assert.equal(presenceClause(asleep, { now: 105.6 }), 'has been asleep for 5.6 s, and wakes when its time is up, or when the station asks');
  assert.equal(presenceClause(robotAt(100, { presence: 'lost', stale: true, heard: 100 }), { now: 112 }), 'is lost, last heard 12 s ago');
});

test('Presence.OfARobotThatOnlySendsIsAnObstacleToItsStop', () => {
  const fields = { presence: 'telemetry_only', mode: 'wait', com_mode: 'CM1' } as const;
  assert.match(obstacleToStop(robotAt(112, { ...fields, address: null }), { now: 112 }), /cannot be stopped from here/);
  assert.equal(obstacleToStop(robotAt(112, { ...fields, address: '10.0.0.1:9' }), { now: 112 }), '', 'it is about to be connected again');
  assert.equal(obstacleToStop(robotAt(112, { presence: 'live' }), { now: 112 }), '');
});
