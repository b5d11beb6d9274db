import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wallColumns } from './wall';

test('Wall.FillsTheScreen', () => {
  assert.equal(wallColumns(1, 1280, 800, 312), 1);
  assert.equal(wallColumns(2, 1280, 800, 312), 2);
  assert.equal(wallColumns(8, 3840, 2160, 430), 4, 'two rows, not one row of small maps');
  assert.equal(wallColumns(50, 1920, 1080, 312), 6, 'as many as are legible');
  assert.equal(wallColumns(5, 390, 844, 312), 1);
  assert.equal(wallColumns(0, 390, 844, 312), 1);
});
