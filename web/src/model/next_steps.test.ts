import assert from 'node:assert/strict';
import test from 'node:test';
import type { Status } from './messages';
import { nextSteps } from './next_steps';
import type { Robot } from './picture';

const robot = (status: Partial<Status>): Robot => ({ name: 'bee', status: status as Status }) as Robot;
const labels = (one: Robot) => nextSteps(one, 'drive', '').map(({ label }) => label);
const obstacles = (one: Robot, role = 'drive', why = '') =>
  nextSteps(one, role, why).filter(({ obstacle }) => obstacle).map(({ id }) => id);

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
  assert.equal(labels(stopped)[0], 'Release the stop');
  assert.deepEqual(obstacles(stopped), ['send', 'dock', 'play']);
});

test('NextSteps.NeedADockThatIsNotReachedYet', () => {
  const battery = { level: 1, volts: 12, amperes: 1, on_charger: true };
  assert.deepEqual(obstacles(robot({ run_mode: 'RM2', battery })), ['dock']);
});

test('NextSteps.AreAllBlockedForAnObserverAndOnALostRobot', () => {
  assert.equal(obstacles(robot({ run_mode: 'RM2' }), 'observe').length, 4);
  assert.equal(obstacles(robot({ run_mode: 'RM2' }), 'drive', 'bee is lost.').length, 4);
});
