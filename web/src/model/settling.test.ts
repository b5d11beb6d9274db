import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Settling } from './settling';

test('Settling.AcceptsAPressOnlyAfterItsTime', () => {
  const settling = new Settling(1000);
  assert.equal(settling.accepts(0), true, 'nothing has changed');
  settling.changed(5000);
  assert.equal(settling.left(5400), 600);
  assert.equal(settling.accepts(6000), true);
  assert.equal(settling.left(6000), 0);
});

test('Settling.NeverLetsRepeatedPressesThrough', () => {
  const settling = new Settling(2000);
  settling.changed(0);
  for (let at = 300; at < 6000; at += 300) assert.equal(settling.accepts(at), false, `${at}`);
  assert.equal(settling.accepts(7900), true);
});

test('Settling.CountsAPressFromItsBeginning', () => {
  const settling = new Settling(1000);
  settling.changed(1000);
  assert.equal(settling.accepts(900, 2500), false, 'it began before the control changed');
  assert.equal(settling.left(2500), 1000);
});
