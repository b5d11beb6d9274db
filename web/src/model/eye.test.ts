import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eyeState, readEyeChoice, type EyeFacts } from './eye';

const image = { at: 100, jpeg: '/9j/', encoding: 'full', bytes_per_second: 80_000, images_per_second: 10 };
const live: EyeFacts = { choice: 'full', token: true, image, obstacle: '', now: 100.2, replayed: false };

test('Eye.ShowsAnImageOfThePresent', () => {
  assert.deepEqual(eyeState(live), { picture: true, old: false, text: '' });
});

test('Eye.MarksAFrozenImage', () => {
  assert.deepEqual(eyeState({ ...live, now: 101.3 }), { picture: true, old: true, text: 'Not live: 1 s old' });
  assert.deepEqual(eyeState({ ...live, obstacle: 'rover is not connected', now: 107 }), { picture: true, old: true, text: 'Not live: 7 s old' });
});

test('Eye.JudgesAnImageByItsOwnAge', () => {
  assert.equal(eyeState({ ...live, obstacle: 'rover is not connected' }).old, false, 'it has just arrived');
});

test('Eye.ExplainsAMissingImage', () => {
  const text = (facts: Partial<EyeFacts>) => {
    const state = eyeState({ ...live, ...facts });
    assert.equal(state.picture, false);
    return state.text;
  };
  assert.match(text({ token: false }), /needs a token/);
  assert.match(text({ choice: 'off' }), /takes no picture/);
  assert.match(text({ image: null }), /Waiting/);
  assert.equal(text({ image: null, obstacle: 'rover only sends telemetry' }), 'No image: rover only sends telemetry.');
  assert.match(text({ image: null, replayed: true }), /recorded/);
  const { jpeg: _, ...without } = image;
  assert.equal(text({ image: { ...without, problem: 'This robot has no camera.' } }), 'This robot has no camera.');
});

test('Eye.ShowsTheImagesOfAReplayAtItsTime', () => {
  assert.equal(eyeState({ ...live, replayed: true, now: 102 }).old, false);
  assert.equal(eyeState({ ...live, replayed: true, now: 110 }).text, 'Recorded 10 s before');
});

test('Eye.KeepsTheChoiceOfAReader', () => {
  assert.equal(readEyeChoice('gray'), 'gray');
  assert.equal(readEyeChoice('huge'), 'full');
  assert.equal(readEyeChoice(null), 'full');
});
