import assert from 'node:assert/strict';
import test from 'node:test';
import type { MarineEvent, MarineShape, MarineVehicle } from '../generated/data';
import { contrast, legible, rgbOf } from './legible';
import { areaOf, isStale, MarinePlayer, MarineScene, pulseAt } from './marine_scene';

const shape = (key: string, more: Partial<MarineShape> = {}): MarineShape => ({
  key, kind: 'point', label: key, text: key, community: 'abe', source: 'pHelm', points: [[1, 2]], closed: false, radius: 0, width: 0, marker: '',
  lines: [], font_size: 0, label_color: '', edge_color: '', vertex_color: '', fill_color: '', fill: 0, vertex_size: 2, edge_size: 1, begins: 0,
  duration: null, linger: 0, steady: false, ...more,
});
const vehicle = (x: number, name = 'abe'): MarineVehicle => ({
  name, community: name, time: 0, x, y: 0, latitude: null, longitude: null, heading: 90, speed: 1, depth: 0, altitude: null, length: 3,
  type: 'kayak', color: '', group: '', mode: 'DRIVE', allstop: 'clear',
});
const event = (at: number, more: Partial<MarineEvent>): MarineEvent => ({ at, erased: [], clears_trails: false, ...more });

test('MarineScene.ReplacesErasesAndEndsShapes', () => {
  const scene = new MarineScene(10);
  scene.apply(event(1, { shape: shape('a') }));
  scene.apply(event(2, { shape: shape('a', { points: [[5, 6]] }) }));
  scene.apply(event(3, { shape: shape('b', { begins: 3, duration: 2, linger: 1 }) }));
  assert.deepEqual(scene.shapesAt(4).map((one) => one.key), ['a', 'b']);
  assert.deepEqual(scene.shapesAt(6.5).map((one) => one.key), ['a']);
  scene.apply(event(7, { erased: ['a'] }));
  assert.equal(scene.shapesAt(7).length, 0);
});

test('MarinePlayer.ChangesCellsAndHasTheFirstOnesAgain', () => {
  const grid = { name: 'x', cell_size: 20, least: 0, most: 10, cells: [[10, 10]] as [number, number][], values: [1] };
  const player = new MarinePlayer(
    [event(1, { shape: shape('g', { kind: 'grid', grid }) }), event(2, { cells: { key: 'g', least: 0, most: 10, cells: [0], values: [9] } })],
    10,
  );
  player.seek(2);
  assert.deepEqual(player.scene.shapes.get('g')?.grid?.values, [9]);
  player.seek(1);
  assert.deepEqual(player.scene.shapes.get('g')?.grid?.values, [1]);
});

test('MarineScene.LimitsAndClearsTrails', () => {
  const scene = new MarineScene(3);
  for (let x = 0; x < 6; ++x) scene.apply(event(x, { vehicle: vehicle(x) }));
  assert.deepEqual(scene.vessels.get('abe')?.trail, [[3, 0], [4, 0], [5, 0]]);
  scene.apply(event(7, { clears_trails: true }));
  assert.deepEqual(scene.vessels.get('abe')?.trail, [[5, 0]]);
});

test('MarineScene.CallsAReportStaleAfterTheLimitOrThreePeriods', () => {
  const scene = new MarineScene(3);
  for (const at of [0, 10, 20]) scene.apply(event(at, { vehicle: vehicle(at) }));
  const vessel = scene.vessels.get('abe');
  assert.ok(vessel);
  assert.equal(isStale(vessel, 49, 5), false);
  assert.equal(isStale(vessel, 51, 5), true);
});

test('MarinePlayer.ShowsAnyTimeAlsoBackward', () => {
  const player = new MarinePlayer([event(1, { shape: shape('a') }), event(2, { vehicle: vehicle(7) }), event(3, { erased: ['a'] })], 10);
  player.seek(3);
  assert.equal(player.scene.shapes.size, 0);
  player.seek(1.5);
  assert.equal(player.scene.shapes.size, 1);
  assert.equal(player.scene.vessels.size, 0);
  player.seek(2);
  assert.equal(player.scene.vessels.get('abe')?.report.x, 7);
});

test('MarineScene.PulsesGrowAndFade', () => {
  const pulse = shape('p', { radius: 40, duration: 10, fill: 0.5, begins: 100 });
  assert.deepEqual(pulseAt(pulse, 105), { radius: 20, fill: 0.25 });
  assert.deepEqual(pulseAt({ ...pulse, steady: true }, 120), { radius: 40, fill: 0.5 });
});

test('MarineScene.FindsTheAreaOfAllPoints', () => {
  assert.equal(areaOf([]), null);
  assert.deepEqual(areaOf([[1, 5], [-2, 3]]), { left: -2, right: 1, bottom: 3, top: 5 });
});

test('Legible.MovesAColorOnlyAsFarAsNeeded', () => {
  assert.equal(legible('#ffffff', '#14293a', '#e8edf3'), '#ffffff');
  const moved = rgbOf(legible('#ffffff', '#dcebf3', '#16202b').replaceAll(' ', ','));
  assert.ok(moved && contrast(moved, rgbOf('#dcebf3') ?? [0, 0, 0]) >= 2);
  assert.equal(legible('none', '#dcebf3', '#16202b'), 'none');
});
