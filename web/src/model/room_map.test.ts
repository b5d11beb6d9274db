import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownArea, pixelsOf, placedCubes, rgbOf } from './room_map';

const map = { at: 0, width: 2, height: 2, resolution: 0.05, origin: { x: 0, y: 0 } };

test('RoomMap.HasItsLowestRowAtTheBottom', () => {
  const pixels = pixelsOf({ ...map, runs: [0, 1, 1, 1, 2, 2] }, [1, 1, 1], [9, 9, 9]);
  assert.deepEqual([...pixels], [9, 9, 9, 255, 9, 9, 9, 255, 0, 0, 0, 0, 1, 1, 1, 255]);
});

test('RoomMap.IgnoresWhatGoesBeyondItsEnd', () => {
  assert.equal(pixelsOf({ ...map, runs: [2, 1_000_000_000, 1, 5, 2] }, [1, 1, 1], [9, 9, 9]).length, 16);
});

test('RoomMap.TellsWhereAnythingIsKnown', () => {
  const wide = { ...map, width: 4, height: 3, resolution: 1, origin: { x: 10, y: 20 } };
  assert.deepEqual(knownArea({ ...wide, runs: [0, 5, 1, 2, 0, 5] }), { left: 11, bottom: 21, width: 2, height: 1 });
  assert.deepEqual(knownArea({ ...wide, runs: [0, 3, 2, 3, 0, 6] }), { left: 10, bottom: 20, width: 4, height: 2 });
  assert.equal(knownArea({ ...wide, runs: [0, 12] }), null);
});

test('RoomMap.ReadsColoursAsBrowsersWriteThem', () => {
  assert.deepEqual(rgbOf(' #0102ff'), [1, 2, 255]);
  assert.deepEqual(rgbOf('rgb(7, 8, 9)'), [7, 8, 9]);
});

test('RoomMap.ShowsTheLightsOfACubeThatTheEyesAndTheRadioCallTheSame', () => {
  const seen = { ...map, runs: [], cubes: [{ id: 'cube 1', name: 'blue', x: 1, y: 2 }, { id: 'cube 2', name: '', x: 3, y: 4 }] };
  const heard = { id: 'c0:be:00:00:00:01', name: 'blue', state: 'connected', rssi: -50, preferred: false, connected: true, lights: ['#0000ff'] };
  assert.deepEqual(placedCubes(seen, [heard]), [{ x: 1, y: 2, name: 'blue', lights: ['#0000ff'] }, { x: 3, y: 4, name: '', lights: [] }]);
  assert.deepEqual(placedCubes(seen, [{ ...heard, connected: false }])[0]?.lights, []);
  assert.deepEqual(placedCubes(seen, [heard, { ...heard, id: 'c0:be:00:00:00:02' }])[0]?.lights, [], 'two of one name cannot be told apart');
  assert.deepEqual(placedCubes(null, [heard]), []);
});
