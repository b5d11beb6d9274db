import assert from 'node:assert/strict';
import test from 'node:test';
import { pannedBy, pinched, placeAt, zoomedAt, type Offset } from './camera';

const camera = { x: 2, y: 1, scale: 50 };
const near = (a: { x: number; y: number }, b: { x: number; y: number }) =>
  assert.ok(Math.hypot(a.x - b.x, a.y - b.y) < 1e-9, `${JSON.stringify(a)} is not ${JSON.stringify(b)}`);

test('Camera.FindsThePlaceAtAnOffset', () => near(placeAt(camera, [100, -50]), { x: 4, y: 2 }));
test('Camera.PansWithTheFinger', () => near(placeAt(pannedBy(camera, [30, 20]), [30, 20]), camera));
test('Camera.ZoomsAtThePointer', () => {
  const at: Offset = [120, 40];
  const zoomed = zoomedAt(camera, 2, at);
  assert.equal(zoomed.scale, 100);
  near(placeAt(zoomed, at), placeAt(camera, at));
});
test('Camera.KeepsItsScaleWithinLimits', () => {
  assert.equal(zoomedAt(camera, 1e6).scale, 600);
  assert.equal(zoomedAt(camera, 1e-6).scale, 8);
});
test('Camera.KeepsThePlacesUnderTwoFingers', () => {
  const before: [Offset, Offset] = [[-40, 0], [40, 20]];
  const after: [Offset, Offset] = [[-90, 30], [70, 70]];
  const pinchedOne = pinched(camera, before, after);
  assert.equal(pinchedOne.scale, 100);
  for (const i of [0, 1] as const) near(placeAt(pinchedOne, after[i]), placeAt(camera, before[i]));
});
