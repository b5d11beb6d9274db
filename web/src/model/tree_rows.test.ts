import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from './tree_rows';

const node = (id: string, parent: string | null) => ({ id, parent, class: 'act', label: id });

test('TreeRows.GoFromTheTopDownWithTheirDepth', () => {
  const rows = rowsOf([node('game', 'play'), node('base', null), node('play', 'base'), node('explore', 'base')]);
  assert.deepEqual(
    rows.map(({ node: { id }, depth }) => [id, depth]),
    [['base', 0], ['play', 1], ['game', 2], ['explore', 1]],
  );
});

test('TreeRows.LoseNobodyWhoseParentIsNotTold', () => {
  assert.deepEqual(rowsOf([node('lost', 'nobody')]).map(({ node: { id } }) => id), ['lost']);
});
