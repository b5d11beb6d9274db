import assert from 'node:assert/strict';
import { test } from 'node:test';
import { status } from './status_example';
import { openStopText, StopBook, stopsOfStation, type OpenStop } from './stops';

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

test('StopBook.ListsTheStopsOfTheStationWithWhoRequestedThem', () => {
  const asked = (stop_pending: { since: number; by: string; why: string } | null) => ({ status: status({ stop_pending }) });
  const stops = stopsOfStation({ rover: asked({ since: 90, by: 'ann#2', why: 'rover is not connected' }), mole: asked({ since: 99, by: 'bob#1', why: '' }), bee: asked(null), wasp: { status: null } }, 5);
  assert.deepEqual(
    stops.map(({ robot, why }) => [robot, why]),
    [['rover', 'rover is not connected (requested by ann#2)'], ['mole', 'no answer yet (requested by bob#1)']],
  );
});

class MemoryStore {
  private readonly all = new Map<string, string>();
  getItem = (key: string) => this.all.get(key) ?? null;
  setItem = (key: string, value: string) => void this.all.set(key, value);
}

test('StopBook.SurvivesThatThePageIsLoadedAgain', () => {
  const store = new MemoryStore();
  const before = new StopBook(store, 0);
  before.add('rover', 1, 5000);
  before.add('other', 2, 5000);
  before.answered(2, '');
  const after = new StopBook(store, 10);
  assert.deepEqual(robots(after.warnings(10)), ['rover'], 'shown at once');
  assert.deepEqual(after.due(10), ['rover'], 'and sent as soon as it can be');
  after.dismiss('rover');
  assert.deepEqual(new StopBook(store, 20).open, []);
});

test('StopBook.IgnoresAStoreThatItCannotRead', () => {
  for (const text of ['{', '7', '[1, null]']) {
    const store = new MemoryStore();
    store.setItem(StopBook.key, text);
    assert.deepEqual(new StopBook(store).open, [], text);
  }
});

test('Stops.OfAGroupKeepForEachRobotItsOwnReason', () => {
  const book = new StopBook();
  for (const robot of ['ada', 'bee', 'cid']) book.add(robot, 7, 0);
  book.answered(7, '1 stopped; bee: UNAVAILABLE: bee is not connected; ada: FAILED: the disk is full; nothing was stored');
  assert.deepEqual(book.open.map(({ robot, why }) => `${robot}: ${why}`).sort(), ['ada: the disk is full; nothing was stored', 'bee: bee is not connected']);
  book.answered(7, 'the station did not answer');
  assert.equal(book.open.length, 2, 'those are not under way any more');
});

test('Stops.OfAGroupAllHaveAReasonThatIsNoListOfRobots', () => {
  const book = new StopBook();
  for (const robot of ['ada', 'bee']) book.add(robot, 7, 0);
  book.answered(7, 'the station did not answer');
  assert.deepEqual(book.open.map(({ why }) => why), ['the station did not answer', 'the station did not answer']);
});

test('Stops.PromiseOnlyWhatIsKnown', () => {
  const [ofStation] = stopsOfStation({ rover: { status: status({ stop_pending: { since: 90, by: 'yard', why: '' } }) } }, 5);
  const text = (stop: OpenStop, linked: boolean, off: boolean) => Object.values(openStopText(stop, { linked, off })).join(': ');
  assert.match(text(ofStation!, true, true), /^STOP of rover waits: .*stopped as soon as it is started again/);
  for (const off of [false, true]) {
    assert.match(text(ofStation!, false, off), /^STOP of rover was not confirmed when the station was last heard: .*requested by yard.*not known/);
    assert.doesNotMatch(text(ofStation!, false, off), /as soon as/);
  }
  const own: OpenStop = { robot: 'rover', id: null, since: 0, sentAt: 0, why: 'there is no connection to the station' };
  assert.match(text(own, false, true), /^STOP of rover is not confirmed: .*This page sends it again as soon as it reaches the station/);
  assert.match(text(own, true, false), /It is sent again as soon as rover can be reached/);
});
