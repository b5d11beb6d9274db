import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StopBook } from './stops';

const robots = (list: readonly { robot: string }[]) => list.map(({ robot }) => robot);

test('StopBook.ForgetsWhatIsConfirmed', () => {
  const book = new StopBook();
  book.add('rover', 1, 0);
  book.add('other', 2, 0);
  assert.deepEqual(book.warnings(100), [], 'the answer may still come');
  book.answered(1, '');
  book.confirmed('other');
  assert.deepEqual(book.open, []);
});

test('StopBook.KeepsAStopThatNobodyAnsweredUntilItIsConfirmedHoweverLong', () => {
  const book = new StopBook();
  book.add('rover', 1, 0);
  assert.deepEqual(robots(book.warnings(2000)), ['rover'], 'without an answer');
  book.lost('the connection was lost');
  assert.deepEqual(robots(book.warnings(3_600_000)), ['rover']);
  assert.deepEqual(book.due(3_600_000), ['rover'], 'sent again on return');
  book.add('rover', 7, 3_600_000);
  assert.deepEqual(book.due(3_600_100), [], 'it is under way');
  assert.equal(book.open[0]!.since, 0);
  book.answered(7, '');
  assert.deepEqual(book.open, []);
});

test('StopBook.SendsAgainWhatWasRefusedButNotAtOnce', () => {
  const book = new StopBook();
  book.add('rover', 1, 0);
  book.answered(1, 'rover is not connected');
  assert.deepEqual(book.due(500), []);
  assert.deepEqual(book.due(1000), ['rover']);
  assert.equal(book.warnings(10)[0]!.why, 'rover is not connected');
});

test('StopBook.LetsAPersonDismissAStop', () => {
  const book = new StopBook();
  book.add('rover', null, 0, 'there is no connection to the station');
  book.dismiss('rover');
  assert.deepEqual(book.warnings(9999), []);
  assert.deepEqual(book.due(9999), []);
});
