import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from './messages';
import { actionsFor, progressText, routeText } from './route';

const route = (fields: Partial<Route>): Route => ({
  state: 'driving',
  why: '',
  name: 'page',
  points: [[1, 0], [2, 0]],
  next: 1,
  round: 1,
  rounds: 1,
  path: [],
  ...fields,
});

test('RouteText.IsWhatTheStationReads', () => {
  assert.equal(routeText([[1, -0.456], [0, 2]], 0), 'name = "page"\npoints = [[1.00, -0.46], [0.00, 2.00]]\nrounds = 0\n');
});

test('RouteActions.FollowItsState', () => {
  assert.deepEqual(actionsFor('driving'), ['pause', 'abort']);
  assert.deepEqual(actionsFor('paused'), ['resume', 'abort']);
  for (const state of ['idle', 'arrived', 'failed', 'aborted'] as const) assert.deepEqual(actionsFor(state), ['start']);
});

test('RouteProgress.NamesRoundsIfThereAreSeveral', () => {
  assert.equal(progressText(route({})), 'point 2 of 2');
  assert.equal(progressText(route({ next: 2 })), 'point 2 of 2', 'also at the end');
  assert.equal(progressText(route({ round: 3, rounds: 4 })), 'point 2 of 2, round 3 of 4');
  assert.equal(progressText(route({ round: 3, rounds: 0 })), 'point 2 of 2, round 3');
});
