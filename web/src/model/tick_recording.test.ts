import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BehaviorHistory } from './behavior_history';
import type { Behaviors } from './sections';
import { readTickRecording } from './tick_recording';

const golden = () => new Uint8Array(readFileSync('../tests/golden/behavior/run.behavior'));
const nodes = ['base', 'play', 'charge'].map((id) => ({ id, parent: null, class: 'act', label: id }));
const read = (bytes: Uint8Array, from?: number) => readTickRecording(bytes, { zero: 1000, nodes, step: 0, ...(from !== undefined && { from }) });

test('TickRecording.HasTheStackOfEachTick', () => {
  const moments = read(golden());
  assert.deepEqual(
    moments.map(({ tick, stack }) => [tick, stack.join(' ')]),
    [[1, 'base'], [2, 'base play'], [3, 'base'], [4, 'base'], [5, 'base charge'], [7, 'base charge'], [9, 'base'], [10, '']],
  );
  assert.equal(moments[0]?.at, 1000.01);
  assert.deepEqual(moments[0]?.tree, nodes);
});

test('TickRecording.KnowsReasonsConditionsAndActions', () => {
  const [first, second, , , charging] = read(golden());
  assert.deepEqual(first?.states['charge'], { scope: 1, in_scope: true, active: false, gate: 'condition', why: 'its condition `battery < 20` does not hold' });
  assert.equal(second?.states['play']?.active, true);
  assert.deepEqual(
    second?.conditions?.filter(({ behavior }) => behavior === 'play'),
    [
      { behavior: 'play', number: 0, text: 'cube', holds: null, forced: null },
      { behavior: 'play', number: 1, text: 'bored', holds: false, forced: null },
    ],
  );
  assert.deepEqual(charging?.actions, [{ behavior: 'charge', name: 'wait' }]);
});

test('TickRecording.LeavesOutWhatIsTooOldOrTooClose', () => {
  assert.ok(read(golden(), 1000.05).every(({ at }) => at >= 1000.05));
  const moments = readTickRecording(golden(), { zero: 1000, nodes });
  const stacks = moments.map(({ stack }) => stack.join(' '));
  assert.deepEqual(stacks, ['base', 'base play', 'base', 'base charge', 'base', ''], 'each stack, but not each tick');
});

test('TickRecording.HasItsOwnTreeIfTheRobotHasAnotherOne', () => {
  const [first] = readTickRecording(golden(), { zero: 0, nodes: [] });
  assert.deepEqual(first?.tree?.map(({ id }) => id), ['base', 'play', 'charge']);
});

test('TickRecording.RefusesWhatIsMalformed', () => {
  assert.throws(() => read(new Uint8Array([1, 2, 3])), /not a recording of ticks/);
  assert.throws(() => read(golden().subarray(0, 40)), /cut off/);
  const unknown = golden();
  unknown[0x3e] = 99;
  assert.throws(() => read(unknown), /unknown kind 99/);
});

test('BehaviorHistory.TakesOverARecordingAndFillsItsGaps', () => {
  const moment = (at: number, stack: string[]): Behaviors => ({ at, tick: 1, tree: nodes, idle: false, stack, states: {}, conditions: [], actions: [], recent: [] });
  const history = new BehaviorHistory();
  history.add(moment(990, ['base']), 990, 2);
  history.see(1010, 2); // after a gap
  history.add(moment(1010, ['base', 'play']), 1010, 2);
  history.addRecorded(read(golden()));
  assert.deepEqual(history.at(1000.02)?.stack, ['base', 'play']);
  assert.deepEqual(history.at(1009)?.stack, [], 'until the present');
  assert.deepEqual(history.at(1010)?.stack, ['base', 'play']);
  assert.deepEqual(history.gaps(0, 1010), [[990, 1000.01]], 'what was before the recording stays unknown');
});
