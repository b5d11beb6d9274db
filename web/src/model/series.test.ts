import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variable } from './sections';
import { SeriesBook } from './series';

const variable = (name: string, value: number | string, at: number): Variable => ({
  name,
  ...(typeof value === 'number' ? { type: 'double', number: value } : { type: 'string', text: value }),
  cut: false,
  source: 'rover',
  at,
  rate: 1,
  pinned: false,
});

test('SeriesBook.KeepsEachNumberOnce', () => {
  const book = new SeriesBook();
  book.add([variable('X', 1, 1), variable('MODE', 'RM2', 1)], 1);
  book.add([variable('X', 1, 1), variable('X', 2, 2)], 2);
  assert.deepEqual(book.of('X'), [[1, 2], [1, 2]]);
  assert.deepEqual(book.of('MODE'), [[], []]);
});

test('SeriesBook.StaysSmallAndBeginsAgainWhenTimeGoesBack', () => {
  const book = new SeriesBook();
  for (let at = 0; at < 3 * SeriesBook.most; at++) book.add([variable('X', at, at)], at);
  assert.ok(book.of('X')[0].length <= SeriesBook.most);
  book.add([variable('X', 7, 5)], 5);
  assert.deepEqual(book.of('X'), [[5], [7]]);
});

test('SeriesBook.LeavesAGapWhereNothingWasHeard', () => {
  const book = new SeriesBook();
  book.add([variable('X', 1, 1), variable('Y', 7, 1)], 1);
  book.add([variable('X', 2, 2), variable('Y', 7, 1)], 2);
  book.add([variable('X', 3, 20), variable('Y', 7, 1)], 20.5);
  assert.deepEqual(book.of('X'), [[1, 2, 2.001, 20], [1, 2, null, 3]]);
  assert.deepEqual(book.of('Y'), [[1, 2.001, 20.5], [7, null, 7]], 'it has lasted, as far as is known');
});
