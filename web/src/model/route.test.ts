import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from './messages';
import { actionsFor, pastReason, progressText, replacesRoute, routeOnMap, routeText } from './route';

const route = (fields: Partial<Route>): Route => ({
  state: 'driving',
  why: '',
  name: 'page',
  points: [[1, 0], [2, 0]],
  next: 1,
  round: 1,
  rounds: 1,
  path: [],
  obstacle: '',
  ...fields,
});

test('RouteText.IsWhatTheStationReads', () => {
  assert.equal(routeText([[1, -0.456], [0, 2]], 0), 'name = "page"\npoints = [[1.00, -0.46], [0.00, 2.00]]\nrounds = 0\n');
});

test('RouteActions.FollowItsState', () => {
  assert.deepEqual(actionsFor('driving'), ['pause', 'abort']);
  assert.deepEqual(actionsFor('paused'), ['resume', 'abort']);
  for (const state of ['idle', 'arrived', 'failed', 'aborted'] as const) assert.deepEqual(actionsFor(state), ['start', 'clear']);
});

test('RouteProgress.NamesRoundsIfThereAreSeveral', () => {
  assert.equal(progressText(route({})), 'point 2 of 2');
  assert.equal(progressText(route({ next: 2 })), 'point 2 of 2', 'also at the end');
  assert.equal(progressText(route({ round: 3, rounds: 4 })), 'point 2 of 2, round 3 of 4');
  assert.equal(progressText(route({ round: 3, rounds: 0 })), 'point 2 of 2, round 3');
});

test('RouteOnMap.LeavesOutThePointsOfAnEarlierMap', () => {
  assert.deepEqual(routeOnMap(route({})), route({}));
  assert.equal(routeOnMap(route({ state: 'failed', obstacle: 'rover was started again, and its map begins anew' })), null);
  assert.equal(routeOnMap(null), null);
});

test('Route.OfAnotherIsReplacedOnlyIfItMayBeDrivenStill', () => {
  assert.equal(replacesRoute(null, undefined), false);
  assert.equal(replacesRoute(route({ state: 'idle' }), undefined), true);
  assert.equal(replacesRoute(route({ state: 'arrived' }), undefined), false);
  assert.equal(replacesRoute(route({ state: 'idle' }), [[1.001, 0], [2, 0]]), false, 'this page has loaded it');
  assert.equal(replacesRoute(route({ state: 'idle' }), [[1, 0]]), true, 'it was replaced since');
});

test('RouteOnMap.HasAPathOnlyWhileTheRobotFollowsIt', () => {
  const path: Route['path'] = [[0, 0], [1, 0]];
  assert.deepEqual(routeOnMap(route({ path }))?.path, path);
  assert.deepEqual(routeOnMap(route({ path, why: 'the battery is low; the robot goes to its dock' }))?.path, []);
  assert.deepEqual(routeOnMap(route({ path, state: 'paused' }))?.path, []);
  assert.equal(routeOnMap(route({ path, state: 'paused' }))?.points.length, 2);
});

test('Route.HasEndedForAReasonOfThePast', () => {
  assert.equal(pastReason('the battery is low; dock: DONE'), 'the battery was low, and the robot went to its dock');
  assert.equal(pastReason('the battery is low; dock: DONE: it is on its dock'), 'the battery was low, and the robot went to its dock');
  assert.equal(pastReason('the battery is low; dock: UNAVAILABLE: no dock is known'), 'the battery was low, and the robot did not go to its dock: no dock is known');
  assert.equal(pastReason('ann has stopped the robot'), 'ann has stopped the robot');
});
