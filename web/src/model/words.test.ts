import assert from 'node:assert/strict';
import test from 'node:test';
import { status } from './status_example';
import { faultText, limitText, linkModeText, modeText, sourceText, withPlainFaults } from './words';

test('Words.PutTheNumberOfAModeSecond', () => {
  assert.equal(modeText('RM2'), 'Autonomous (RM2)');
  assert.equal(modeText('RM3'), 'Remote control (RM3)');
  assert.equal(linkModeText('CM3'), 'both ways (CM3)');
  assert.equal(linkModeText(undefined), 'not known');
});
test('Words.ExplainWhyARobotMovesLessThanOrdered', () => {
  assert.equal(limitText('obstacle_stop'), 'an obstacle is too near: halted');
  assert.equal(limitText('of_a_later_robot'), 'of_a_later_robot');
});
test('Words.NameTheSourceOfOrders', () => {
  assert.equal(sourceText('ai', status(), 'page#1'), 'its behaviors');
  assert.equal(sourceText('', status(), 'page#1'), 'none');
  assert.equal(sourceText('operator', status({ driver: 'page#1' }), 'page#1'), 'this page');
  assert.equal(sourceText('operator', status({ driver: 'ada' }), 'page#1'), 'ada');
  assert.equal(sourceText('operator', status({ driver: 'autopilot', mode: 'run2' }), 'page#1'), 'the station’s autopilot');
});
test('Words.ExplainFaults', () => {
  assert.equal(faultText('sensor_dead'), 'a sensor that it needs gives no readings');
  assert.equal(faultText('of_a_later_robot'), 'of_a_later_robot');
  assert.equal(withPlainFaults('RM2 -> RM0: battery_critical'), 'RM2 -> RM0: the battery is empty');
  assert.equal(withPlainFaults('go_to_dock ends'), 'go_to_dock ends');
});
