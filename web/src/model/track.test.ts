import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Motion } from './messages';
import { echoAt, Track } from './track';

const motion = (at: number, x: number): Motion => ({
  at,
  number: at,
  pose: { x, y: 0, heading: 0 },
  state: 2,
  movement: 'forward',
  class: 'MOVE_FW',
  right: { level: 1, speed: 0.1 },
  left: { level: 1, speed: 0.2 },
  winner: 'operator',
  reason: '',
  offset: 0,
});

test('EchoAt.TurnsWithTheRobot', () => {
  const point = echoAt({ x: 1, y: 2, heading: Math.PI / 2 }, Math.PI / 2, 3);
  assert.ok(Math.abs(point.x + 2) < 1e-9 && Math.abs(point.y - 2) < 1e-9, 'to the left of north is west');
});

test('Track.NotesWhereTheRobotHasMoved', () => {
  const track = new Track();
  for (let i = 0; i < 10; i++) track.move(motion(i, i < 5 ? 0 : i));
  assert.deepEqual(
    track.trail.map((point) => point.x),
    [0, 5, 6, 7, 8, 9],
  );
});

test('Track.KeepsTheSpeedsOfTheLastMinute', () => {
  const track = new Track();
  for (let i = 0; i < 200; i++) track.move(motion(i, 0));
  track.move(motion(199, 0));
  assert.equal(track.speeds[0][0], 199 - Track.speedsFor);
  assert.equal(track.speeds[0].length, Track.speedsFor + 1);
  assert.equal(track.speeds[1].length, track.speeds[2].length);
});

test('Track.BoundsWhatItKeeps', () => {
  const track = new Track();
  for (let i = 0; i < 30_000; i++) {
    track.move(motion(i, i));
    track.see({ x: i, y: 0, heading: 0 }, { at: i, ranges: [[0, 1]], ages: {} });
  }
  assert.ok(track.trail.length <= Track.longestTrail);
  assert.equal([...track.echoes].length, Track.mostEchoes);
  assert.equal(track.trail.at(-1)?.x, 29_999);
});

test('Track.LeavesOutWhatEchoedFromNowhere', () => {
  const track = new Track();
  track.see({ x: 0, y: 0, heading: 0 }, { at: 1, ranges: [[0, 0], [0, 30], [0, 2], [0, 2.01]], ages: {} });
  assert.equal([...track.echoes].length, 1, 'and those of one place are one');
});

test('Track.LeavesTheLinesOpenWhereNothingWasMeasured', () => {
  const track = new Track();
  for (const [at, x] of [[0, 0], [0.1, 0.1], [20, 2], [20.1, 2.1]] as const) track.move(motion(at, x));
  assert.deepEqual(
    track.trail.map(({ x, begins }) => [x, begins ?? false]),
    [[0, false], [0.1, false], [2, true], [2.1, false]],
  );
  assert.deepEqual(track.speeds[1].map((each) => each === null), [false, false, true, false, false]);
  track.move(motion(20.2, 9));
  assert.equal(track.trail.at(-1)?.begins, true, 'a robot that was started anew is elsewhere');
});

test('Track.KnowsTheGapOfARobotThatSendsSlowly', () => {
  const track = new Track();
  for (const at of [0, 2, 4]) track.move(motion(at, at / 10), 6);
  assert.ok(track.trail.every(({ begins }) => !begins));
});

test('Track.HasNoWayOfPointsThatNothingConnects', () => {
  const track = new Track();
  assert.equal(track.hasWay, false);
  for (const [at, x] of [[0, 0], [10, 1], [20, 2]] as const) track.move(motion(at, x));
  assert.equal(track.hasWay, false, 'a replay that jumps');
  track.move(motion(20.5, 2.5));
  assert.equal(track.hasWay, true);
});
