import assert from 'node:assert/strict';
import test from 'node:test';
import { byAttention, troublesOf } from './attention';
import type { Presence, Status } from './messages';
import type { Robot } from './picture';

const robot = (name: string, status: Partial<Status> = {}): Robot =>
  ({ name, status: { presence: 'live', stale: false, ...status } as Status, motion: { at: 100 } }) as Robot;
const battery = (level: number | null, on_charger = false) => ({ level, volts: 12, amperes: -1, on_charger });
const of = (one: Robot, presence: Presence): Robot => ({ ...one, status: { ...one.status!, presence } });
const texts = (one: Robot, presence: Presence = 'live', now = 100.1) => troublesOf(of(one, presence), { now }).map(({ text }) => text);

test('Attention.IsNotNeededByAHealthyRobot', () => {
  assert.deepEqual(texts(robot('bee', { stopped: false, faults: [], battery: battery(0.9) })), []);
});

test('Attention.NamesEveryTroubleTheMostUrgentFirst', () => {
  const bee = robot('bee', { stopped: true, faults: ['bumper'], battery: battery(0.1), why: 'no signal' });
  assert.deepEqual(texts(bee, 'lost', 112), ['▲ bumper', '✕ lost: no signal', '■ stopped when last confirmed, 12 s ago', '▼ battery low']);
  assert.deepEqual(texts(bee), ['▲ bumper', '■ stopped', '▼ battery low']);
});

test('Attention.NamesTheDirectionOfTheLinkThatIsMissing', () => {
  assert.deepEqual(texts(robot('bee'), 'telemetry_only'), ['▽ telemetry only']);
  assert.deepEqual(texts(robot('bee', { stopped: false }), 'no_telemetry'), ['▽ no telemetry']);
  assert.deepEqual(texts(robot('bee'), 'no_telemetry'), ['▽ no telemetry', '□ not known whether it is stopped']);
});

test('Attention.IsNotNeededByALowRobotThatCharges', () => {
  assert.deepEqual(texts(robot('bee', { battery: battery(0.1, true) })), []);
});

test('Attention.IsNotNeededForABatteryOfUnknownLevel', () => {
  assert.deepEqual(texts(robot('bee', { battery: battery(null) })), []);
});

test('Attention.SortsTroubleFirstThenByNumber', () => {
  const all = [robot('r10'), robot('r2'), robot('low', { battery: battery(0.1) }), robot('gone', { presence: 'lost' }), robot('bad', { faults: ['x'] })];
  const sorted = byAttention(all, { now: 100.1 });
  assert.deepEqual(sorted.map(({ name }) => name), ['bad', 'gone', 'low', 'r2', 'r10']);
});
