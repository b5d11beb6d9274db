import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canTap, cubeLink } from './cube_link';
import type { Cubes } from './sections';

const link = { state: 'idle', scanning: false, radio: 'simulated', left: null };
const coordinator = { state: 'idle', since: null, countdown: null, next: '', why: '' };
const seen = { id: 'a', name: '', state: 'seen', rssi: -50, preferred: false, connected: false };
const idle: Cubes = { at: 1, comms: link, coordinator, subscribers: [], cubes: [], transitions: [], trace: [] };
const searching: Cubes = { ...idle, at: 100, comms: { ...link, state: 'scanning', scanning: true, left: 10 }, cubes: [seen] };

test('CubeLink.ShowsWhatASearchHasReceivedAndHowLongItTakes', () => {
  assert.deepEqual(cubeLink(searching, 102), { cube: null, text: 'Searching for cubes: 1 cube received', left: 8, limit: 15 });
  assert.equal(cubeLink(searching, 120)?.left, 0);
});

test('CubeLink.NamesTheCubeThatItConnectsTo', () => {
  const told: Cubes = { ...searching, comms: { ...link, state: 'connecting', left: 3 }, cubes: [{ ...seen, name: 'blue cube', state: 'connecting' }] };
  assert.equal(cubeLink(told, 100)?.text, 'Connecting to blue cube');
});

test('CubeLink.ShowsAConnectedCubeAndNoIdleRadio', () => {
  const cube = { ...seen, state: 'connected', connected: true };
  const told = (state: string): Cubes => ({ ...idle, comms: { ...link, state: 'connected' }, coordinator: { ...coordinator, state }, cubes: [cube] });
  assert.deepEqual(cubeLink(told('connected_interactable'), 2)?.cube, cube);
  assert.equal(cubeLink(told('connected_background'), 2), null);
  assert.equal(cubeLink(idle, 2), null);
  assert.equal(cubeLink(null, 2), null);
});

test('CubeLink.LetsPeopleTapSimulatedCubesOnly', () => {
  assert.equal(canTap(searching), true);
  assert.equal(canTap({ ...searching, comms: { ...link, radio: 'bluez' } }), false);
});
