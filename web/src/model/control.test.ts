import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf, obstacleOfLease } from './control';
import { status } from './status_example';

test('Control.NamesTheHolderOfTheLease', () => {
  const text = (driver: string, you: string | null = 'page#1') => controlOf(status({ run_mode: 'RM3', driver }), you, true).text;
  assert.equal(text('page#1'), '✓ You have control');
  assert.equal(text('page#2'), 'Another page has control');
  assert.equal(text(''), 'No one has control');
  assert.equal(text('page#1', null), 'A page has control', 'a replay has no page of its own');
});

test('Control.OfARobotThatDrivesItselfIsNotThePersonsWhoHoldsTheLease', () => {
  const autonomous = (driver: string) => controlOf(status({ run_mode: 'RM2', driver }), 'page#1', true);
  assert.deepEqual(autonomous('page#1'), { mine: true, text: 'It drives itself; you have taken control' });
  assert.equal(autonomous('ada#2').text, 'It drives itself; ada has taken control');
  assert.equal(autonomous('').text, 'It drives itself; no one has taken control');
});

test('Control.OfARobotThatIsStoppedOrNotHeardDoesNotDriveIt', () => {
  const text = (stopped: boolean, modeKnown: boolean) => controlOf(status({ run_mode: 'RM2' }), 'page#1', true, { stopped, modeKnown }).text;
  assert.equal(text(true, true), 'It is stopped; no one has taken control');
  assert.equal(text(false, false), 'It drove itself when it was last heard; no one has taken control');
  assert.equal(text(true, false), 'It drove itself when it was last heard; no one has taken control');
});

test('Control.IsNotKnownWhileTheStationIsSilent', () => {
  assert.deepEqual(controlOf(status({ run_mode: 'RM3', driver: 'page#1' }), 'page#1', false), { mine: false, text: 'Who has control is not known' });
});

test('Control.OfAnotherIsAnObstacle', () => {
  const obstacle = (driver: string) => obstacleOfLease(status({ driver }), 'page#1');
  assert.equal(obstacle('page#2'), 'Another page has control.');
  for (const driver of ['', 'page#1', 'autopilot']) assert.equal(obstacle(driver), '');
});
