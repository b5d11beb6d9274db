import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder, nextOrder, type Column } from './fleet_order';
import type { Status } from './messages';
import type { Robot } from './picture';

const seen = { now: 100.1 };
const robot = (name: string, level: number | null, behavior: string, faults: string[] = []): Robot =>
  ({
    name,
    status: { presence: 'live', stale: false, mode: 'run1', why: '', driver: '', run_mode: 'RM2', behavior, faults, battery: { level, volts: 12, amperes: 1, on_charger: false } } as unknown as Status,
    motion: { at: 100 },
  }) as Robot;
const fleet = [robot('r10', 0.5, 'explore'), robot('r2', 0.9, 'walk', ['bumper']), robot('r1', null, 'connect')];
const names = (by: Column, down = false) => inOrder(fleet, { by, down }, seen).map(({ name }) => name);

test('FleetOrder.SortsByAnyColumnAndByNameAmongEquals', () => {
  assert.deepEqual(names('robot'), ['r1', 'r2', 'r10']);
  assert.deepEqual(names('robot', true), ['r10', 'r2', 'r1']);
  assert.deepEqual(names('doing'), ['r1', 'r10', 'r2']);
  assert.deepEqual(names('trouble'), ['r2', 'r1', 'r10']);
  assert.deepEqual(names('age'), ['r1', 'r2', 'r10']);
});

test('FleetOrder.KeepsRobotsThatSendTogetherWhateverTheMillisecond', () => {
  const sending = [robot('r1', 1, ''), { ...robot('r2', 1, ''), motion: { at: 100.05 } } as Robot, { ...robot('r3', 1, ''), motion: { at: 90 } } as Robot];
  assert.deepEqual(inOrder(sending, { by: 'age', down: false }, seen).map(({ name }) => name), ['r1', 'r2', 'r3']);
});

test('FleetOrder.PutsABatteryOfUnknownLevelLast', () => {
  assert.deepEqual(names('battery'), ['r10', 'r2', 'r1']);
});

test('FleetOrder.IsThatOfTheTroublesByDefault', () => {
  assert.deepEqual(inOrder(fleet, null, seen).map(({ name }) => name), ['r2', 'r1', 'r10']);
});

test('FleetOrder.ChangesWithEachClick', () => {
  const first = nextOrder(null, 'battery');
  assert.deepEqual(first, { by: 'battery', down: false });
  const second = nextOrder(first, 'battery');
  assert.deepEqual(second, { by: 'battery', down: true });
  assert.equal(nextOrder(second, 'battery'), null);
  assert.deepEqual(nextOrder(second, 'robot'), { by: 'robot', down: false });
});
