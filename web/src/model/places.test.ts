import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goesTo, isPlaceName, mapLine } from './places';

test('Places.HaveNamesOfTheirOwn', () => {
  for (const name of ['kitchen', 'desk_2', 'A-b']) assert.ok(isPlaceName(name), name);
  for (const name of ['', 'dock', 'a b', 'a"b', 'küche', 'a'.repeat(65)]) assert.ok(!isPlaceName(name), name);
});

test('Places.AreWhereTheCommandGoLeads', () => {
  assert.equal(goesTo('kitchen'), 'go place=kitchen');
  assert.equal(mapLine('place kitchen'), 'map line="place kitchen"');
});
