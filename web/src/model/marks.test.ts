import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupMarks, neighbor } from './marks';
import type { Mark } from './messages';

const mark = (at: number, kind: Mark['kind'], text: string): Mark => ({ at, robot: 'rover', kind, text });

test('Marks.ArePlacedByTheirTime', () => {
  const groups = groupMarks([mark(100, 'mode', 'a'), mark(150, 'stop', 'b'), mark(200, 'release', 'c')], 100, 200);
  assert.deepEqual(groups.map(({ at, share, kind }) => [at, share, kind]), [[100, 0, 'mode'], [150, 0.5, 'stop'], [200, 1, 'release']]);
  assert.match(groups[1]?.text ?? '', /^\d\d:\d\d:\d\d rover: b$/);
  assert.deepEqual(groupMarks([mark(5, 'mode', 'a')], 5, 5)[0]?.share, 0, 'a recording of one moment');
});

test('Marks.ThatAreCloseAreOneOfTheMostImportantKind', () => {
  const close = Array.from({ length: 10 }, (_, i) => mark(100 + i / 100, 'behavior', `b${i}`));
  const [first, ...rest] = groupMarks([...close, mark(100.2, 'fault', 'f'), mark(120, 'behavior', 'later')], 0, 1000);
  assert.equal(first?.kind, 'fault');
  assert.equal(first?.text.split('\n').length, 9);
  assert.match(first?.text ?? '', /and 3 more marks$/);
  assert.deepEqual(rest.map(({ at }) => at), [120]);
});

test('Marks.HaveNeighbors', () => {
  const groups = groupMarks([mark(10, 'mode', 'a'), mark(50, 'mode', 'b')], 0, 100);
  assert.equal(neighbor(groups, 0, 1)?.at, 10);
  assert.equal(neighbor(groups, 10, 1)?.at, 50, 'not the one where it is');
  assert.equal(neighbor(groups, 50, 1), undefined);
  assert.equal(neighbor(groups, 50, -1)?.at, 10);
  assert.equal(neighbor(groups, 5, -1), undefined);
});
