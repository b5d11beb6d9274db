import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BehaviorHistory, earlierMoments } from './behavior_history';
import type { Behaviors } from './sections';

function moment(at: number, stack: string[]): Behaviors {
  const tree = ['base', 'play', 'explore'].map((id) => ({ id, parent: null, class: 'act', label: id }));
  return { at, tick: at * 20, tree, idle: false, stack, states: {}, conditions: [], actions: [], recent: [{ at, tick: 0, text: 'something' }] };
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

test('BehaviorHistory.ExtendsTheLastMomentOfALiveRobot', () => {
  const history = new BehaviorHistory();
  history.add(moment(1, ['base']));
  history.see(5, 10);
  history.see(9, 10);
  assert.deepEqual(history.lanes(0), [{ id: 'base', spans: [[1, 9]] }]);
});

const without = (at: number, stack: string[], recent: Behaviors['recent'] = []): Behaviors => ({ ...moment(at, stack), recent });

test('BehaviorHistory.HasAGapWhereNothingWasReceived', () => {
  const history = new BehaviorHistory();
  history.add(without(1, ['base']), 1, 2);
  history.see(2, 2);
  history.see(60, 2); // it is looked at again, and its data is under way
  assert.deepEqual(history.lanes(0), [{ id: 'base', spans: [[1, 2]] }]);
  assert.deepEqual(history.gaps(0, 60), [[2, 60]]);
  history.add(without(60, ['base']), 60.1, 2);
  history.see(61, 2);
  assert.deepEqual(history.lanes(0), [{ id: 'base', spans: [[1, 2], [60, 61]] }]);
  assert.deepEqual(history.gaps(0, 61), [[2, 60]]);
  assert.equal(history.at(30), null);
  assert.deepEqual(history.at(1.5)?.stack, ['base']);
  assert.deepEqual(history.at(60.5)?.stack, ['base']);
});

test('BehaviorHistory.GoesOnAfterAGapIfNothingHasChanged', () => {
  const history = new BehaviorHistory();
  history.add(without(1, ['base']), 1, 2);
  for (const at of [2, 60, 61, 62, 63, 64]) history.see(at, 2);
  assert.deepEqual(history.lanes(0), [{ id: 'base', spans: [[1, 2], [63, 64]] }]);
});

test('BehaviorHistory.FillsAGapWithTheRecentEventsAsFarAsTheyReach', () => {
  const events = [{ at: 30, tick: 1, text: 'explore popped, canceled' }, { at: 50, tick: 2, text: 'play pushed by base' }];
  const after = (recent: Behaviors['recent']) => {
    const history = new BehaviorHistory();
    history.add(without(1, ['base', 'explore']), 1, 2);
    history.add(without(60, ['base', 'play'], recent), 60.1, 2);
    return history;
  };
  assert.deepEqual(after(events).gaps(0, 60), [[1, 30]], 'what was before the first event is not known');
  const reaching = after([{ at: 0.5, tick: 0, text: 'explore pushed by base' }, ...events]);
  assert.deepEqual(reaching.gaps(0, 60), []);
  assert.deepEqual(reaching.lanes(0), [
    { id: 'base', spans: [[1, 60]] },
    { id: 'play', spans: [[50, 60]] },
    { id: 'explore', spans: [[1, 30]] },
  ]);
});

test('BehaviorHistory.BeginsWithTheRecentEventsOfTheRobot', () => {
  const recent = [
    { at: 1, tick: 1, text: 'base pushed by the runner' },
    { at: 1, tick: 1, text: 'explore pushed by base' },
    { at: 5, tick: 9, text: 'explore popped, canceled' },
    { at: 5, tick: 9, text: 'play pushed by base' },
    { at: 8, tick: 12, text: 'a condition is forced' },
  ];
  const history = new BehaviorHistory();
  history.add({ ...moment(10, ['base', 'play']), recent });
  assert.deepEqual(history.lanes(0), [
    { id: 'base', spans: [[1, 10]] },
    { id: 'play', spans: [[5, 10]] },
    { id: 'explore', spans: [[1, 5]] },
  ]);
  assert.deepEqual(history.at(3)?.stack, ['base', 'explore']);
  assert.deepEqual(history.at(3)?.states, {}, 'why others were inactive is not known');
});

test('BehaviorHistory.EndsWhereEventsAreMissing', () => {
  const now = { ...moment(10, ['base']), recent: [{ at: 4, tick: 1, text: 'lost pushed by base' }, { at: 6, tick: 2, text: 'play popped, done' }] };
  assert.deepEqual(earlierMoments(now).map(({ at, stack }) => [at, stack]), [[4, ['base', 'play']], [6, ['base']]]);
});
