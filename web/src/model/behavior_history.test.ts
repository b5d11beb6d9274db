import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BehaviorHistory } from './behavior_history';
import type { Behaviors } from './sections';

function moment(at: number, stack: string[]): Behaviors {
  const tree = ['base', 'play', 'explore'].map((id) => ({ id, parent: null, class: 'act' }));
  return { at, tick: at * 20, tree, stack, states: {}, recent: [{ at, tick: 0, text: 'something' }] };
}

test('BehaviorHistory.KeepsOnlyWhatChanges', () => {
  const history = new BehaviorHistory();
  for (const at of [1, 2, 3]) history.add(moment(at, ['base']));
  history.add(moment(4, ['base', 'play']));
  assert.equal(history.moments.length, 2);
  assert.equal(history.moments[0]?.recent, undefined, 'and not what the robot tells anyhow');
});

test('BehaviorHistory.TellsHowItWasThen', () => {
  const history = new BehaviorHistory();
  history.add(moment(1, ['base']));
  history.add(moment(4, ['base', 'play']));
  assert.deepEqual(history.at(3.9)?.stack, ['base']);
  assert.deepEqual(history.at(4)?.stack, ['base', 'play']);
  assert.deepEqual(history.at(0)?.stack, ['base'], 'before anything is known: the first');
  assert.equal(new BehaviorHistory().at(1), null);
});

test('BehaviorHistory.JoinsMomentsToSpans', () => {
  const history = new BehaviorHistory();
  history.add(moment(1, ['base', 'explore']));
  history.add(moment(3, ['base', 'play']));
  history.add(moment(5, ['base', 'explore']));
  history.add(moment(6, ['base', 'explore']));
  assert.deepEqual(history.lanes(2), [
    { id: 'base', spans: [[2, 6]] },
    { id: 'play', spans: [[3, 5]] },
    { id: 'explore', spans: [[2, 3], [5, 6]] },
  ]);
});

test('BehaviorHistory.StaysSmallAndBeginsAgainWhenTimeGoesBack', () => {
  const history = new BehaviorHistory();
  for (let at = 0; at < 3 * BehaviorHistory.most; at++) history.add(moment(at, [`b${at}`]));
  assert.ok(history.moments.length <= BehaviorHistory.most);
  history.add(moment(5, ['base']));
  assert.deepEqual(history.moments.map(({ at }) => at), [5]);
});
