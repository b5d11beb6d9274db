import assert from 'node:assert/strict';
import test from 'node:test';
import { homeView } from './home';

test('Home.IsTheMapOfTheOnlyRobot', () => assert.equal(homeView(1), 'drive'));
test('Home.IsTheWallIfThereAreSeveralRobotsOrNone', () => {
  assert.equal(homeView(0), 'fleet');
  assert.equal(homeView(2), 'fleet');
});
