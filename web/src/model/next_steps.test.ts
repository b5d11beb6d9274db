import assert from 'node:assert/strict';
import test from 'node:test';
import type { Status } from './messages';
import { nextSteps } from './next_steps';
import type { Robot } from './picture';

const seen = { now: 100.1 };
const robot = (status: Partial<Status>): Robot =>
  ({ name: 'bee', status: { presence: 'live', stale: false, ...status } as Status, motion: { at: 100 } }) as Robot;
const labels = (one: Robot, behaviors = new Set(['connect'])) => nextSteps(one, '', seen, '', behaviors).map(({ label }) => label);
const obstacles = (one: Robot, why = '') =>
  nextSteps(one, why, seen, '', new Set(['connect'])).filter(({ obstacle }) => obstacle).map(({ id }) => id);

test('NextSteps.OfferToTakeOverARobotThatDrivesItself', () => {
  assert.deepEqual(labels(robot({ run_mode: 'RM2' })), ['Take over', 'Send to a point', 'Go to the dock', 'Play with a cube']);
  assert.deepEqual(obstacles(robot({ run_mode: 'RM2' })), []);
});

test('NextSteps.OfferToHandBackARobotThatIsDriven', () => {
  assert.equal(labels(robot({ run_mode: 'RM3' }))[0], 'Hand back to autonomy');
  assert.deepEqual(obstacles(robot({ run_mode: 'RM3' })), ['play']);
});

test('NextSteps.OfferTheReleaseOfAStopFirst', () => {
  const stopped = robot({ run_mode: 'RM2', stopped: true });
  assert.equal(labels(stopped)[0], 'Release: it will drive on by itself');
  assert.equal(labels(robot({ run_mode: 'RM3', stopped: true }))[0], 'Release the stop');
  assert.deepEqual(obstacles(stopped), ['send', 'dock', 'play']);
});

test('NextSteps.WarnThatAReleaseMayLeadToAutonomy', () => {
  assert.equal(labels(robot({ run_mode: 'RM1', waits_for: 'TimedSleep', stopped: true }))[0], 'Release: it may drive by itself when it wakes up');
  const blind = { ...robot({ presence: 'no_telemetry', stopped: true, acknowledged_stop_at: 100, heard: 100 }), motion: null } as Robot;
  assert.equal(labels(blind)[0], 'Release: its mode is not known: it may drive by itself');
});

test('NextSteps.NeedADockThatIsNotReachedYet', () => {
  const battery = { level: 1, volts: 12, amperes: 1, on_charger: true };
  assert.deepEqual(obstacles(robot({ run_mode: 'RM2', battery })), ['dock']);
});

test('NextSteps.AreAllBlockedByTheSameObstacle', () => {
  assert.equal(obstacles(robot({ run_mode: 'RM2' }), 'bee is lost.').length, 4);
});

test('NextSteps.SendNoRobotWhosePositionIsNotKnown', () => {
  const blind = { ...robot({ run_mode: 'RM2', presence: 'no_telemetry' }), motion: null } as Robot;
  assert.deepEqual(obstacles(blind), ['send']);
});

test('NextSteps.OfferAGameOnlyIfTheTreeHasIt', () => {
  assert.deepEqual(labels(robot({ run_mode: 'RM2' }), new Set(['explore'])), ['Take over', 'Send to a point', 'Go to the dock']);
});

test('NextSteps.AreTheirsWhoHaveControl', () => {
  const driven = robot({ run_mode: 'RM3', driver: 'page#2' });
  const steps = nextSteps(driven, '', seen, 'page#1');
  for (const id of ['hand_back', 'send', 'dock']) assert.equal(steps.find((step) => step.id === id)?.obstacle, 'Another page has control.');
  assert.equal(nextSteps(driven, '', seen, 'page#2').find(({ id }) => id === 'hand_back')?.obstacle, '');
});
