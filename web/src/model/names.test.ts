import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientName, withPastNames, withPlainNames } from './names';

test('Names.OfClientsAreThoseThatPeopleRead', () => {
  assert.equal(clientName('page#3', 'page#3'), 'this page');
  assert.equal(clientName('page#4', 'page#3'), 'another page');
  assert.equal(clientName('autopilot', 'page#3'), 'the station’s autopilot');
  assert.equal(clientName('ada#2', 'page#3'), 'ada');
  assert.equal(withPlainNames('page#9 drives; take_lease takes over', 'page#3'), 'another page drives; take_lease takes over');
  assert.equal(withPlainNames('page#3 drives', 'page#3'), 'this page drives');
  assert.equal(withPlainNames('a fault', 'page#3'), 'a fault');
  assert.equal(withPlainNames('page#3 drives', null), 'a page drives', 'in a replay, numbers are of another time');
});

test('Names.OfThePastMayBeEarlierConnectionsOfThisPage', () => {
  assert.equal(withPastNames('requested by page#2', 'page#3'), 'requested by a page');
  assert.equal(withPastNames('requested by page#3', 'page#3'), 'requested by this page');
  assert.equal(withPastNames('requested by ann#2', 'page#3'), 'requested by ann');
});
