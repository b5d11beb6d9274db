import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doneText, refusalText } from './refusals';

test('Refusals.AreInTheWordsOfThePage', () => {
  assert.equal(refusalText('EXPIRED', 'it is 1.2 s old; at most 0.4 s are allowed'), 'the command arrived too late (1.2 s old, limit 0.4 s)');
  assert.equal(refusalText('UNSAFE', 'what is known shuts the goal off'), 'no known way leads to the goal');
  assert.equal(refusalText('NO_LEASE', 'another page drives; take_lease takes over'), 'another page has control; “Take control” takes it over');
  assert.equal(refusalText('WRONG_MODE', 'ada is in RM2, and a route needs RM3: send set_run_mode mode=3 first'), 'ada is in RM2, and a route needs RM3: take over first');
});

test('Refusals.WithOtherTextsKeepThem', () => {
  assert.equal(refusalText('UNAVAILABLE', 'no dock is known'), 'no dock is known');
  assert.equal(refusalText('STOPPED', ''), 'a full stop is latched: release it first');
  assert.equal(refusalText(null, ''), 'no reason was given');
});

test('DoneText.IsForPeople', () => {
  assert.equal(doneText(''), 'done');
  assert.equal(doneText('a\nb'), 'done', 'a list');
  assert.equal(doneText('dead_sensor.bumpers is broken'), 'done', 'the title names it');
  assert.equal(doneText('DB_TIME is written; the broker set 3'), 'DB_TIME is written; the broker set 3');
});
