import assert from 'node:assert/strict';
import test from 'node:test';
import { byAttention, troublesOf } from './attention';
import type { Presence, Status } from './messages';
import type { Robot } from './picture';

const robot = (name: string, status: Partial<Status> = {}): Robot => ({ name, status: status as Status }) as Robot;
const battery = (level: number | null, on_charger = false) => ({ level, volts: 12, amperes: -1, on_charger });
const texts = (one: Robot, presence: Presence = 'live') => troublesOf(one, presence).map(({ text }) => text);

test('Attention.IsNotNeededByAHealthyRobot', () => {
  assert.deepEqual(texts(robot('bee', { stopped: false, faults: [], battery: battery(0.9) })), []);
});

test('Attention.NamesEveryTroubleTheMostUrgentFirst', () => {
  const bee = robot('bee', { stopped: true, faults: ['bumper'], battery: battery(0.1), why: 'no signal' });
  assert.deepEqual(texts(bee, 'lost'), ['▲ bumper', '✕ lost: no signal', '■ stopped', '▼ battery low']);
});

test('Attention.NamesTheDirectionOfTheLinkThatIsMissing', () => {
  assert.deepEqual(texts(robot('bee'), 'telemetry_only'), ['▽ telemetry only']);
  assert.deepEqual(texts(robot('bee'), 'no_telemetry'), ['▽ no telemetry']);
});

test('Attention.IsNotNeededByALowRobotThatCharges', () => {
  assert.deepEqual(texts(robot('bee', { battery: battery(0.1, true) })), []);
});

test('Attention.IsNotNeededForABatteryOfUnknownLevel', () => {
  assert.deepEqual(texts(robot('bee', { battery: battery(null) })), []);
});

test('Attention.SortsTroubleFirstThenByNumber', () => {
  const all = [robot('r10'), robot('r2'), robot('low', { battery: battery(0.1) }), robot('gone'), robot('bad', { faults: ['x'] })];
  const sorted = byAttention(all, ({ name }) => (name === 'gone' ? 'lost' : 'live'));
  assert.deepEqual(sorted.map(({ name }) => name), ['bad', 'gone', 'low', 'r2', 'r10']);
});
