import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, readPlace } from './place';

test('Place.IsReadAsItWasWritten', () => {
  for (const robot of ['', 'rover', 'a/b #1', 'Ren\u00e9'])
    assert.deepEqual(readPlace(placeOf('drive', robot)), { view: 'drive', robot });
});

test('Place.IsEmptyWhereItMakesNoSense', () => {
  assert.deepEqual(readPlace(''), { view: '', robot: '' });
  assert.deepEqual(readPlace('#/drive/%E0%A4%A'), { view: 'drive', robot: '' });
});
