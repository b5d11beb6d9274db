import assert from 'node:assert/strict';
import { test } from 'node:test';
import { degrees, duration, fixed, freshness, metres, percent, speed } from './units';

test('Fixed.WritesNoNegativeZero', () => {
  assert.equal(fixed(-0.001, 2), '0.00');
  assert.equal(fixed(-1.5, 1), '\u22121.5');
});

test('Units.StandBehindEveryNumber', () => {
  assert.equal(metres(1.234), '1.23 m');
  assert.equal(percent(0.834), '83 %');
});

test('Speed.IsUnknownWithoutANumber', () => {
  assert.equal(speed(-0.25), '\u22120.25 m/s');
  assert.equal(speed(null), 'unknown');
});

test('Degrees.GoRoundOnce', () => {
  assert.equal(degrees(0), '0°');
  assert.equal(degrees(-Math.PI / 2), '270°');
  assert.equal(degrees(4 * Math.PI + 0.1), '6°');
  assert.equal(degrees(2 * Math.PI - 0.001), '0°', 'and not 360°');
});

test('Duration.TakesTheUnitThatFits', () => {
  const texts = [-1, 0.42, 9.99, 61, 600, 7200, 1e6].map(duration);
  assert.deepEqual(texts, ['0.0 s', '0.4 s', '10 s', '61 s', '10 min', '2 h', '12 d']);
});

test('Freshness.GoesWithTime', () => {
  assert.deepEqual([0.3, 0.7, 1].map((age) => freshness(age)), ['fresh', 'late', 'stale']);
});
