import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOf, outlineOf, ruleOf, zoneLine, type ZoneDraft } from './zones';

const stairs: ZoneDraft = { name: 'stairs', speed: null, corners: [[1, 2], [3.456, 4]] };

test('Zones.AreAddedByALineOfTheMap', () => {
  assert.equal(zoneLine(stairs), 'zone stairs keep_out 1.00,2.00 3.46,4.00');
  assert.equal(zoneLine({ name: 'door', speed: 0.2, corners: [[0, 0], [1, 0], [0, -1]] }), 'zone door speed 0.20 0.00,0.00 1.00,0.00 0.00,-1.00');
});

test('Zones.OfTwoCornersAreRectangles', () => {
  assert.deepEqual(outlineOf(stairs.corners), [[1, 2], [3.456, 2], [3.456, 4], [1, 4]]);
  assert.deepEqual(outlineOf([[1, 2]]), [[1, 2]]);
  assert.deepEqual(outlineOf([[0, 0], [1, 0], [0, 1]]), [[0, 0], [1, 0], [0, 1]]);
});

test('Zones.AreNotAddedWithoutANameCornersAndASpeed', () => {
  assert.equal(faultOf(stairs), '');
  assert.equal(faultOf({ ...stairs, speed: 0.3 }), '');
  assert.match(faultOf({ ...stairs, corners: [[1, 2]] }), /two corners/);
  assert.match(faultOf({ ...stairs, corners: Array.from({ length: 33 }, (_, i) => [i, 0]) }), /at most 32/);
  assert.match(faultOf({ ...stairs, name: '' }), /name/);
  assert.match(faultOf({ ...stairs, name: 'a b' }), /letters/);
  for (const speed of [0, 6, NaN]) assert.match(faultOf({ ...stairs, speed }), /speed/);
});

test('Zones.DoNotReplaceOneOfTheSameName', () => {
  const zone = (name: string) => ({ name, kind: 'keep_out' as const, speed: 0, corners: [] });
  assert.match(faultOf(stairs, [zone('door'), zone('stairs')]), /forget it first/);
  assert.equal(faultOf(stairs, [zone('door')]), '');
});

test('Zones.AreShownWithTheirRule', () => {
  assert.equal(ruleOf({ name: 'stairs', kind: 'keep_out', speed: 0, corners: [] }), 'keep out');
  assert.equal(ruleOf({ name: 'door', kind: 'speed', speed: 0.2, corners: [] }), 'at most 0.20 m/s');
});
