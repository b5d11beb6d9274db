import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variable } from './sections';
import { isLike, matches, valueText } from './variables';

const variable = (fields: Partial<Variable>): Variable => ({
  name: 'CBOT_X',
  type: 'double',
  value: 1.5,
  source: 'rover',
  at: 0,
  ...fields,
});

test('Variables.ShowEveryTypeOfValue', () => {
  assert.equal(valueText(variable({})), '1.5000');
  assert.equal(valueText(variable({ value: -3 })), '−3');
  assert.equal(valueText(variable({ type: 'string', value: 'RM2', cut: true })), 'RM2 …');
  assert.equal(valueText(variable({ type: 'binary', value: { bytes: 12 } })), '12 bytes');
});

test('Variables.AreFoundByNameSourceAndText', () => {
  for (const filter of ['', 'bot_x', 'ROVER', '1.5', 'cbot*', ' CBOT_? '.trim() + '*'])
    assert.ok(matches(variable({}), filter), filter);
  for (const filter of ['nothing', 'BOT*', 'x_*']) assert.ok(!matches(variable({}), filter), filter);
});

test('Variables.MatchPatternsLiterally', () => {
  assert.ok(isLike('A.B(1)', 'a.b(*)'));
  assert.ok(!isLike('AXB', 'a.b'));
});
