import assert from 'node:assert/strict';
import test from 'node:test';
import { GamepadDrive, type PadReading } from './gamepad';

const pad = (x: number, y: number, pressed: number[] = []): PadReading => ({
  axes: [x, y, 0, 0],
  buttons: Array.from({ length: 16 }, (_, i) => ({ pressed: pressed.includes(i) })),
});
const middle = pad(0, 0);
const ahead = pad(0, -1);

test('Gamepad.HoldsAMovementWhileTheStickIsDeflected', () => {
  const drive = new GamepadDrive();
  assert.equal(drive.read(middle, true).movement, null);
  assert.equal(drive.read(ahead, true).movement, 'forward=0.45 turn=0.00');
  assert.equal(drive.read(pad(-0.5, 0), true).movement, 'forward=0.00 turn=0.50');
  assert.equal(drive.read(middle, true).movement, 'HALT');
  assert.equal(drive.read(middle, true).movement, null, 'keys may hold something now');
});

test('Gamepad.IgnoresAStickThatDrifts', () => {
  const drive = new GamepadDrive();
  drive.read(middle, true);
  assert.equal(drive.read(pad(0.1, -0.12), true).movement, null);
});

test('Gamepad.HaltsWhenItIsUnpluggedOrTheWindowIsLeft', () => {
  for (const lost of [(drive: GamepadDrive) => drive.read(null, true), (drive: GamepadDrive) => drive.read(ahead, false)]) {
    const drive = new GamepadDrive();
    drive.read(middle, true);
    drive.read(ahead, true);
    assert.equal(lost(drive).movement, 'HALT');
    assert.equal(drive.read(ahead, true).movement, null, 'not before the stick was in its middle');
    drive.read(middle, true);
    assert.equal(drive.read(ahead, true).movement, 'forward=0.45 turn=0.00');
  }
});

test('Gamepad.StopsOncePerPressAndHoldsNothingAfterIt', () => {
  const drive = new GamepadDrive();
  drive.read(middle, true);
  drive.read(ahead, true);
  assert.deepEqual(drive.read(pad(0, -1, [1]), true), { movement: 'HALT', stop: true });
  assert.deepEqual(drive.read(pad(0, -1, [1]), true), { movement: null, stop: false });
  assert.equal(drive.read(ahead, true).movement, null);
});
