import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SteadyOrder } from './steady_order';

const named = (names: string) => [...names].map((name) => ({ name }));
const text = (items: { name: string }[]) => items.map(({ name }) => name).join('');

test('SteadyOrder.FollowsTheSortedListWhileNoOneAims', () => {
  const order = new SteadyOrder();
  assert.equal(text(order.arrange(named('abc'), false)), 'abc');
  assert.equal(text(order.arrange(named('cab'), false)), 'cab');
});

test('SteadyOrder.KeepsEverythingInItsPlaceWhileAPersonAims', () => {
  const order = new SteadyOrder();
  order.arrange(named('abc'), false);
  assert.equal(text(order.arrange(named('cab'), true)), 'abc');
  assert.equal(text(order.arrange(named('dca'), true)), 'acd', 'what is gone makes room, what is new comes last');
  assert.equal(text(order.arrange(named('dca'), false)), 'dca');
});

test('SteadyOrder.FollowsAnotherOrderAtOnceIfAPersonHasChosenIt', () => {
  const order = new SteadyOrder();
  order.arrange(named('abc'), true);
  order.forget();
  assert.equal(text(order.arrange(named('cab'), true)), 'cab');
  assert.equal(text(order.arrange(named('abc'), true)), 'cab');
});
