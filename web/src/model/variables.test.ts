import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variable } from './sections';
import { isLike, matches, valueText } from './variables';

const variable = (fields: Partial<Variable>): Variable => ({
  name: 'CBOT_X',
  type: 'double',
  cut: false,
  source: 'rover',
  at: 0,
  rate: 0,
  pinned: false,
  ...fields,
});
const x = variable({ number: 1.5 });

test('Variables.ShowEveryTypeOfValue', () => {
  assert.equal(valueText(x), '1.5000');
  assert.equal(valueText(variable({ number: -3 })), '−3');
  assert.equal(valueText(variable({ type: 'string', text: 'RM2', cut: true })), 'RM2 …');
  assert.equal(valueText(variable({ type: 'binary', bytes: 12 })), '12 bytes');
});

test('Variables.AreFoundByNameSourceAndText', () => {
  for (const filter of ['', 'bot_x', 'ROVER', '1.5', 'cbot*', ' CBOT_? '.trim() + '*'])
    assert.ok(matches(x, filter), filter);
  for (const filter of ['nothing', 'BOT*', 'x_*']) assert.ok(!matches(x, filter), filter);
});

test('Variables.MatchPatternsLiterally', () => {
  assert.ok(isLike('A.B(1)', 'a.b(*)'));
  assert.ok(!isLike('AXB', 'a.b'));
});
