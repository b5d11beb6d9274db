import assert from 'node:assert/strict';
import test from 'node:test';
import { limitText, linkModeText, modeText, sourceText } from './words';

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
  assert.equal(sourceText('ai'), 'its behaviors');
  assert.equal(sourceText(''), 'none');
});
