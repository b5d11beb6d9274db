import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoted } from './quoted';

/** What the robot reads of a quoted word, as src/base/words.hpp describes it. */
const read = (word: string): string => word.slice(1, -1).replace(/\\(["\\])/g, '$1');

test('Quoted.UsesOnlyTheTwoEscapesOfACommand', () => {
  assert.equal(quoted('hello'), '"hello"');
  assert.equal(quoted(''), '""');
  assert.equal(quoted('say "hi" now'), '"say \\"hi\\" now"');
  assert.equal(quoted('a \\ b'), '"a \\\\ b"');
  assert.equal(quoted('a\tb'), '"a\tb"');
});

test('Quoted.ArrivesUnchangedAlsoInALineOfAnotherCommand', () => {
  for (const value of ['say "hi" now', 'a \\ b', '"hi"', '\\', '\\"', 'two\ttabs'])
    assert.equal(read(read(quoted(quoted(value)))), value);
});
