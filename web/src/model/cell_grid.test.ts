import assert from 'node:assert/strict';
import test from 'node:test';
import type { MarineGrid } from '../generated/data';
import { changed, valueAt, valueColor } from './cell_grid';

const grid: MarineGrid = { name: 'x', cell_size: 20, least: 0, most: 10, cells: [[10, 10], [10, 30]], values: [0, 5] };

test('CellGrid.ColorsRunFromTheLeastToTheMost', () => {
  assert.equal(valueColor(0, 0, 10), '#440154');
  assert.equal(valueColor(5, 0, 10), '#21918c');
  assert.equal(valueColor(10, 0, 10), '#fde725');
  assert.equal(valueColor(99, 0, 10), '#fde725');
  assert.equal(valueColor(3, 3, 3), '#440154');
});

test('CellGrid.ChangesKeepTheGridThatWasThere', () => {
  const next = changed(grid, { key: 'k', least: -1, most: 10, cells: [1, 7], values: [-1, 4] });
  assert.deepEqual([next.values, next.least, grid.values], [[0, -1], -1, [0, 5]]);
});

test('CellGrid.FindsTheValueUnderAPoint', () => {
  assert.equal(valueAt(grid, 3, 39), 5);
  assert.equal(valueAt(grid, 25, 10), null);
});
