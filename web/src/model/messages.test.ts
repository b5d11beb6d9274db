import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from './messages';
import { status } from './status_example';

const state = (sections: object) => JSON.stringify({ type: 'state', full: true, now: 1, robots: { rover: sections } });

test('Messages.AcceptsSectionsAsTheyAreDescribed', () => {
  const message = readMessage(state({ status: status({ waits_for: null }), motion: null, later: { x: 1 } }));
  assert.equal(message?.type, 'state');
});

test('Messages.AcceptsABatteryOfUnknownLevel', () => {
  const battery = { level: null, volts: null, amperes: null, on_charger: false };
  assert.equal(readMessage(state({ status: status({ battery }) }))?.type, 'state');
});

test('Messages.NamesThePlaceOfAWrongMember', () => {
  const fault = (sections: object) => readMessage(state(sections));
  const found = (text: string) => ({ type: 'error', text: `The station sent a malformed message: ${text}` });
  assert.deepEqual(fault({ status: { ...status(), stale: 'no' } }), found('rover.status.stale: expected a boolean, found a string'));
  assert.deepEqual(fault({ status: { ...status(), battery: { level: 'full' } } }), found('rover.status.battery.level: expected a number, found a string'));
  assert.deepEqual(fault({ route: { state: 'lost' } }), found('rover.route.state: `lost` is not one of idle, driving, paused, arrived, failed, aborted'));
  assert.deepEqual(fault({ scan: { at: 1, ranges: [[1, 2], [3]], ages: {} } }), found('rover.scan.ranges[1]: expected a list of 2, found a list'));
  assert.deepEqual(readMessage('{"type":"answer","id":"1"}'), found('answer.id: expected a number, found a string'));
});

test('Messages.IgnoresWhatThisPageDoesNotKnow', () => {
  assert.equal(readMessage('{"type":"toString"}'), null);
  assert.equal(readMessage('{"type":"later"}'), null);
  assert.equal(readMessage('[]'), null);
  assert.equal(readMessage('{'), null);
});
