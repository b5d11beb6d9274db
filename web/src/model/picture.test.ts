import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage, type State } from './messages';
import { apply, kept, nothing, type Picture } from './picture';
import { status } from './status_example';

const state = (robots: State['robots'], full = false): State => ({ type: 'state', full, now: 200, robots });

const first = (): Picture => apply(nothing, state({ rover: { status: status() }, bee: { status: null } }, true));

test('Picture.HoldsEverythingOfAFullState', () => {
  assert.deepEqual(Object.keys(first().robots), ['rover', 'bee']);
  assert.equal(first().complete, true);
  assert.equal(first().robots.bee?.status, null);
});

test('Picture.ChangesOnlyTheSectionsOfADifference', () => {
  const scan = { at: 1, ranges: [], ages: {} };
  const before = apply(first(), state({ rover: { scan } }));
  const after = apply(before, state({ rover: { status: status({ stale: true }) } }));
  assert.deepEqual(after.robots.rover?.scan, scan);
  assert.equal(after.robots.rover?.status?.stale, true);
  assert.equal(after.robots.bee, before.robots.bee, 'what did not change is the same object');
  assert.equal(before.robots.rover?.status?.stale, false, 'and the old picture is as it was');
});

test('Picture.ForgetsASectionThatIsNull', () => {
  const after = apply(first(), state({ rover: { status: null } }));
  assert.equal(after.robots.rover?.status, null);
});

test('Picture.ForgetsRobotsThatAFullStateDoesNotName', () => {
  const after = apply(first(), state({ bee: { status: status() } }, true));
  assert.deepEqual(Object.keys(after.robots), ['bee']);
});

test('Picture.IsIncompleteFromAGreetingToTheNextFullState', () => {
  const hello = { type: 'hello', api: 1, station: 'yard', you: 'ann#1', role: 'drive', now: 1 } as const;
  const greeted = apply(first(), hello);
  assert.equal(greeted.complete, false);
  assert.equal(greeted.role, 'drive');
  assert.equal(apply(greeted, state({}, true)).complete, true);
});

test('Picture.HoldsHowManyWereRefused', () => {
  const refused = { type: 'refused', datagrams: 3, robots: 0, doubles: 0, handshakes: 1 } as const;
  assert.equal(apply(first(), refused).refused?.datagrams, 3);
});

test('Picture.KeepsABoundedNumberOfReports', () => {
  let picture = first();
  for (let i = 0; i < kept + 10; i++)
    picture = apply(picture, { type: 'report', now: i, robot: 'rover', text: `${i}` });
  assert.equal(picture.reports.length, kept);
  assert.equal(picture.reports[0]?.text, `${kept + 9}`);
});

test('ReadMessage.IgnoresWhatItDoesNotKnow', () => {
  for (const text of ['', 'nonsense', '1', 'null', '{}', '{"type":"later"}'])
    assert.equal(readMessage(text), null, text);
  assert.equal(readMessage('{"type":"error","text":"no"}')?.type, 'error');
});

test('Picture.HoldsWhatARobotWithoutTelemetryHasAcknowledged', () => {
  const { run_mode: _, ...blind } = status({ acknowledged_stop: true, acknowledged_mode: 'RM3' });
  const robot = apply(nothing, state({ mole: { status: blind } }, true)).robots.mole;
  assert.equal(robot?.status?.stopped, true);
  assert.equal(robot?.status?.run_mode, 'RM3');
  const known = apply(nothing, state({ rover: { status: status({ stopped: false, acknowledged_stop: null }) } }, true));
  assert.equal(known.robots.rover?.status?.stopped, false);
});
