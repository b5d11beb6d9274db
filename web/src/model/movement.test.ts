import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldText, movementOf, movementText, velocityOfStick, wishOfKeys } from './movement';

const ofKeys = (...keys: string[]) => movementOf(wishOfKeys(keys, 2));

test('Movement.FollowsTheHeldKeys', () => {
  assert.equal(ofKeys(), 'HALT');
  assert.equal(ofKeys('KeyW'), 'MOVE_FW_2');
  assert.equal(ofKeys('ArrowDown'), 'MOVE_BW_2');
  assert.equal(ofKeys('ArrowLeft'), 'SWIV_LEFT_2');
  assert.equal(ofKeys('KeyD'), 'SWIV_RIGHT_2');
  assert.equal(ofKeys('KeyW', 'KeyA'), 'TURN_FW_2_1', 'right then left');
  assert.equal(ofKeys('KeyW', 'KeyD'), 'TURN_FW_1_2');
  assert.equal(ofKeys('KeyS', 'KeyA'), 'TURN_BW_-1_-2', 'the nose goes left');
  assert.equal(ofKeys('KeyS', 'KeyD'), 'TURN_BW_-2_-1');
});

test('Movement.TurnsAroundTheInnerWheelWhenSlow', () => {
  assert.equal(movementOf({ ahead: 1, left: 1, level: 1 }), 'TURN_FW_1_0');
  assert.equal(movementOf({ ahead: -1, left: -1, level: 1 }), 'TURN_BW_-1_0');
});

test('Movement.HaltsWhenKeysContradictEachOther', () => {
  assert.equal(ofKeys('KeyW', 'KeyS'), 'HALT');
  assert.equal(ofKeys('KeyW', 'ArrowUp'), 'MOVE_FW_2', 'and two that agree are one');
});

test('Velocity.FollowsTheStickWithoutSteps', () => {
  assert.equal(velocityOfStick(0.1, 0.1), 'HALT', 'near the middle');
  assert.equal(velocityOfStick(0, 1), 'forward=0.45 turn=0.00');
  assert.equal(velocityOfStick(0.05, -1), 'forward=-0.45 turn=0.00', 'an axis that drifts is still');
  assert.equal(velocityOfStick(-1, 0), 'forward=0.00 turn=1.80', 'on the spot, to the left');
  assert.equal(velocityOfStick(0.7, -0.7), 'forward=-0.23 turn=-0.95', 'the nose goes right');
  assert.equal(velocityOfStick(0.16, 0.16), 'forward=0.01 turn=-0.05', 'a stick that is deflected does not halt');
  const speeds = Array.from({ length: 18 }, (_, i) => velocityOfStick(0, 0.15 + i * 0.05));
  assert.ok(new Set(speeds).size > 15, 'more than three of them');
});

test('MovementText.IsPlainWords', () => {
  assert.equal(movementText('HALT'), 'Halt');
  assert.equal(movementText('MOVE_FW_2'), 'Forward, speed 2');
  assert.equal(movementText('SWIV_LEFT_1'), 'Turn left, speed 1');
  for (const level of [1, 2, 3] as const)
    for (const [ahead, left, text] of [[1, 1, 'Forward left'], [1, -1, 'Forward right'], [-1, 1, 'Backward left'], [-1, -1, 'Backward right']] as const)
      assert.equal(movementText(movementOf({ ahead, left, level })), `${text}, speed ${level}`);
});

test('MovementText.NamesTheSpeedOfAVelocity', () => {
  assert.equal(movementText('forward=0.30 turn=0.00'), 'Forward, 0.30 m/s');
  assert.equal(movementText('forward=-0.10 turn=-0.50'), 'Backward right, 0.10 m/s');
  assert.equal(movementText('forward=0.00 turn=1.80'), 'Turn left, 1.80 rad/s');
});

test('Movement.ThatIsHeldIsNotKnownToArriveWhenTheRobotCannotBeReached', () => {
  assert.equal(heldText('SWIV_RIGHT_1', true), 'Turn right, speed 1');
  assert.equal(heldText('SWIV_RIGHT_1', false), 'Turn right, speed 1: not known whether it arrives');
  assert.equal(heldText('HALT', false), 'Not driving');
});
