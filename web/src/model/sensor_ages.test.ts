import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Robot } from './picture';
import { sensorAges } from './sensor_ages';
import { status } from './status_example';

const ages = { encoders: 0, lidar: 68 };
const robot = (at: number, scanAt: number) => ({ name: 'rover', status: status(), motion: { at }, scan: { at: scanAt, ranges: [], ages } }) as unknown as Robot;

test('SensorAges.AreThoseOfTelemetryHoweverOldTheScanIs', () => {
  assert.deepEqual(sensorAges(robot(100, 32), 100.2), [['lidar', 68], ['encoders', 0]]);
});

test('SensorAges.GrowWithTheAgeOfTelemetryThatIsStale', () => {
  assert.deepEqual(sensorAges(robot(100, 32), 110), [['lidar', 78], ['encoders', 10]]);
  assert.deepEqual(sensorAges(robot(100, 32), 101.5, 1), [['lidar', 68], ['encoders', 0]], 'the clock of a replay jumps');
});

test('SensorAges.AreNotKnownWithoutAScan', () => assert.deepEqual(sensorAges(null, 1), []));
