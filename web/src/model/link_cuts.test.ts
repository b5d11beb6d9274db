import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkCuts } from './link_cuts';

test('LinkCuts.CountTheSecondsThatAreLeft', () => {
  const cuts = new LinkCuts();
  cuts.add('rover', 7, 105);
  assert.equal(cuts.left('rover', 101), 4);
  assert.equal(cuts.left('rover', 106), 0);
  assert.equal(cuts.left('bee', 101), 0);
});

test('LinkCuts.EndWithARefusal', () => {
  const cuts = new LinkCuts();
  cuts.add('rover', 7, 105);
  cuts.refused(6);
  assert.equal(cuts.left('rover', 101), 4);
  cuts.refused(7);
  assert.equal(cuts.left('rover', 101), 0);
});
