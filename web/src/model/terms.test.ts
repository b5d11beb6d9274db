import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningOf, withTerms } from './terms';

test('Terms.ExplainAbbreviationsInAText', () => {
  assert.deepEqual(
    withTerms('It drives itself (RM2): take over first.').map(({ text, title }) => [text, title !== undefined]),
    [['It drives itself (', false], ['RM2', true], ['): take over first.', false]],
  );
  assert.deepEqual(withTerms('half full'), [{ text: 'half full' }]);
  assert.deepEqual(withTerms('ARM2X'), [{ text: 'ARM2X' }]);
  assert.match(meaningOf('delta'), /changes/);
});

test('Terms.ExplainTheFaultsOfARobot', () => {
  assert.match(meaningOf('missed_deadlines'), /too slow/);
  assert.match(meaningOf('encoder_disagreement'), /wheels turned otherwise/);
});
