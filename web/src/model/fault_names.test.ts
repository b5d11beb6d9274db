import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultName } from './fault_names';

test('FaultName.IsPlainWords', () => {
  assert.equal(faultName('dead_sensor.range.front_left').name, 'Range sensor, front left');
  assert.deepEqual(faultName('dead_sensor.imu'), { group: 'Sensors', name: 'IMU', what: 'It gives no readings.' });
  assert.equal(faultName('stuck_motor.left').name, 'Left motor stuck');
  assert.equal(faultName('low_battery').name, 'Low battery');
  assert.deepEqual(faultName('bumper_front'), { group: 'Sensors', name: 'Bumper front', what: '' });
});
