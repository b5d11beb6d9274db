import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyChosen } from './choice';
import { report } from './report_example';

test('Choice.SaysWhyAnEncodingIsChosenAndWhatElseWouldCost', () => {
  assert.deepEqual(whyChosen(report('scan')), [
    'delta: one encoding is enough for all subscribers, with a weight of 5 in total.',
    'The next best, full, has a total weight that is lower by 2.',
  ]);
});

test('Choice.SaysWhenNothingIsSentAndWhy', () => {
  assert.deepEqual(whyChosen({ ...report('scan'), demands: [] }), ['No one has subscribed, so that nothing is sent.']);
  assert.deepEqual(whyChosen({ ...report('scan'), success: false }), [
    'No encoding suits all subscribers.',
  ]);
});

test('Choice.NamesTheReaderToWhomNothingElseSuits', () => {
  const told = report('scan');
  told.offers[1]!.only_for = 'recorder';
  assert.ok(whyChosen(told).includes('delta has to be there: nothing else suits recorder.'));
});
