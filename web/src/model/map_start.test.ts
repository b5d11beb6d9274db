import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoomMap } from '../generated/data';
import { isOtherMap, MapStart } from './map_start';
import { status } from './status_example';

const map = (runs: number[], x = 0): RoomMap => ({ at: 0, width: 40, height: 10, resolution: 0.1, origin: { x, y: 0 }, runs });
const robot = (life: number, runs: number[] | null = null) => ({ status: status({ life }), map: runs && map(runs) });

test('MapStart.ChangesWhenTheProgramWasStartedAgain', () => {
  const start = new MapStart();
  assert.equal(start.changes(null), false);
  assert.equal(start.changes(robot(0)), false, 'not known yet');
  assert.equal(start.changes(robot(2)), false, 'the first that is known');
  assert.equal(start.changes(robot(2)), false);
  assert.equal(start.changes(robot(0)), false, 'a station that was started again has not heard it yet');
  assert.equal(start.changes(robot(3)), true);
  assert.equal(start.changes(robot(3)), false, 'once');
});

test('MapStart.ChangesWhenTheMapWasReplaced', () => {
  const start = new MapStart();
  assert.equal(start.changes(robot(1)), false);
  assert.equal(start.changes(robot(1, [1, 200, 0, 200])), false, 'the first that is known');
  assert.equal(start.changes(robot(1, [1, 300, 0, 100])), false, 'more is known');
  assert.equal(start.changes(robot(1)), false, 'it is not sent at present');
  assert.equal(start.changes(robot(1, [0, 100, 1, 300])), true);
  assert.equal(start.changes(robot(1, [0, 100, 1, 300])), false, 'once');
});

test('MapStart.TellsACorrectedMapFromAnotherOne', () => {
  assert.equal(isOtherMap(map([1, 200, 0, 200]), map([1, 100, 2, 10, 1, 200, 0, 90])), false, 'an object, and more that is known');
  assert.equal(isOtherMap(map([1, 200, 0, 200]), map([1, 100, 2, 100, 1, 200])), true);
  assert.equal(isOtherMap(map([1, 400]), map([1, 400], 2)), true, 'it is elsewhere');
  assert.equal(isOtherMap(map([1, 200, 0, 200]), map([0, 400])), true, 'it begins anew');
  assert.equal(isOtherMap(map([0, 400]), map([1, 200, 2, 200])), false, 'nothing was known');
});
