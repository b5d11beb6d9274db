import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerClock } from './peer_clock';

const near = (value: number | null, expected: number) => assert.ok(value !== null && Math.abs(value - expected) < 1e-9, `${value}`);

test('PeerClock.TrustsTheFastestRoundTripOfTheLastTenSeconds', () => {
  const clock = new PeerClock(); // of a station that is 40 s ahead
  assert.equal(clock.theirsAt(200), null);
  clock.learn(100, 140.9, 101);
  near(clock.theirsAt(200), 240.4);
  clock.learn(102, 142.01, 102.02);
  near(clock.theirsAt(200), 240);
  clock.learn(103, 143.9, 104);
  near(clock.theirsAt(200), 240);
  clock.learn(113, 153.9, 114);
  near(clock.theirsAt(200), 240.4);
});

test('PeerClock.IgnoresRoundTripsFromBeforeItsReset', () => {
  const clock = new PeerClock();
  clock.learn(100, 140, 100);
  clock.reset(101);
  assert.equal(clock.theirsAt(200), null);
  clock.learn(100.9, 140.9, 101.1);
  assert.equal(clock.theirsAt(200), null);
  clock.learn(101, 131, 101);
  near(clock.theirsAt(200), 230);
});

test('PeerClock.IgnoresAnAnswerFromBeforeItsQuestion', () => {
  const clock = new PeerClock();
  clock.learn(100, 100, 99);
  assert.equal(clock.theirsAt(5), null);
});

test('PeerClock.CountsTheStallOfAStationOnlyAsFarAsAQuestionWaitedForIt', () => {
  const clock = new PeerClock(); // of a station that is 40 s ahead, and did not run for 2 s
  clock.learn(100, 140.5, 100.5, 2);
  near(clock.theirsAt(200), 240); // asked 0.5 s before it ran again
  clock.learn(101, 141, 101, 2);
  near(clock.theirsAt(200), 240); // asked afterwards
});
