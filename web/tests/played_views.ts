import type { Watched } from '../src/model/messages';
import { report } from '../src/model/report_example';

// 16 by 12 pixels: sky above a floor.
const tinyJpeg =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAMABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwB3kSf3f1o8iT+7+tW6Kf1qfZEfV4H/2Q==';

/** What a robot in the middle of a game would tell of itself. */
export function playedViews(at: number): Omit<Watched, 'scan'> {
  const node = (id: string, parent: string | null, type: string) => ({ id, parent, class: type, label: id });
  const asleep = (why: string) => ({ scope: 1, in_scope: true, active: false, gate: 'condition', why });
  const outside = (why: string) => ({ scope: 0, in_scope: false, active: false, gate: 'none', why });
  const plain = { cut: false, pinned: false };
  const active = { scope: 1, in_scope: true, active: true, gate: 'none', why: '' };
  return {
    camera: { at, jpeg: tinyJpeg, encoding: 'full', bytes_per_second: 84_000, images_per_second: 10 },
    map: { at, ...room(), dock: { x: -2.6, y: -1.5, heading: 0 }, cubes: [{ id: 'cube 1', name: 'blue cube', x: 1.9, y: -1.2 }, { id: 'cube 2', name: 'green cube', x: -1, y: 1.4 }], encoding: 'runs' },
    plan: { at, doing: 'Exploring: 2 m to a place that it has not seen.', goal: { x: 1.8, y: 0.4 }, path: [[0.6, 0.1], [1.4, 0.2], [1.8, 0.4]] },
    behaviors: {
      at,
      tick: 812,
      tree: [
        node('robot', null, 'strict_priority'),
        node('be_carried', 'robot', 'idle'),
        node('charge', 'robot', 'queue'),
        node('go_to_dock', 'charge', 'act'),
        node('rest', 'charge', 'idle'),
        node('play', 'robot', 'queue'),
        node('approach', 'play', 'act'),
        node('connect', 'play', 'connect_to_cube'),
        node('spin', 'connect', 'cube_spinner'),
        node('explore', 'robot', 'act'),
      ],
      stack: ['robot', 'explore'],
      states: {
        robot: active,
        be_carried: asleep('its condition `is_lifted` does not hold'),
        charge: asleep('its condition `battery < 30` does not hold'),
        go_to_dock: outside('out of scope: `charge` is not active'),
        rest: outside('out of scope: `charge` is not active'),
        play: asleep('its condition `sees_cube` does not hold'),
        approach: outside('out of scope: `play` is not active'),
        connect: outside('out of scope: `play` is not active'),
        spin: outside('out of scope: `connect` is not active'),
        explore: active,
      },
      conditions: [
        { behavior: 'be_carried', number: 1, text: 'is_lifted', holds: false, forced: null },
        { behavior: 'charge', number: 1, text: 'battery < 30', holds: false, forced: null },
        { behavior: 'charge', number: 2, text: 'not full', holds: true, forced: null },
        { behavior: 'play', number: 1, text: 'sees_cube', holds: false, forced: null },
      ],
      actions: [{ behavior: 'explore', name: 'explore' }],
      recent: [
        { at: at - 31, tick: 190, text: 'play pushed by robot' },
        { at: at - 12, tick: 570, text: 'play popped, succeeded' },
        { at: at - 12, tick: 570, text: 'explore pushed by robot' },
      ],
      idle: false,
    },
    cubes: {
      at,
      comms: { state: 'connected', scanning: false, radio: 'simulated', left: null },
      coordinator: { state: 'connected_interactable', since: at - 24, countdown: 9.4, next: 'interactable hold', why: 'spin needs a cube to play with' },
      subscribers: [{ name: 'spin', type: 'interactable', since: at - 24 }],
      cubes: [
        {
          id: 'c0:be:00:01', name: 'blue cube', state: 'connected', rssi: -48, preferred: true, connected: true, battery: 1.42,
          lights: ['#00c8ff', '#00c8ff', '#ff9d00', '#000000'], acceleration: [0.02, -0.01, 0.99], moving: false, up_axis: 'z+', taps: 3,
        },
        { id: 'c0:be:00:02', name: 'green cube', state: 'seen', rssi: -71, preferred: false, connected: false },
      ],
      transitions: [
        { at: at - 26, from: 'unconnected', to: 'connecting', why: 'spin subscribed' },
        { at: at - 24, from: 'connecting', to: 'connected_interactable', why: 'the cube answered' },
      ],
      trace: [
        { at: at - 3, direction: 'out', text: 'lights: 4 keys' },
        { at: at - 1, direction: 'in', text: 'tap' },
      ],
    },
    bus: {
      at,
      broker: '127.0.0.1:9000',
      connected: true,
      hosted: false,
      community: 'caribou',
      variables: [
        { name: 'CBOT_BATTERY', type: 'double', number: 83.25, ...plain, source: 'rover', at, rate: 20 },
        { name: 'CBOT_RUN_MODE', type: 'string', text: 'RM2', ...plain, source: 'rover', at, rate: 20 },
        { name: 'CBOT_X', type: 'double', number: 0.5, ...plain, source: 'rover', at, rate: 20 },
        { name: 'DEPTH', type: 'double', number: 12.5, ...plain, source: 'pDepth', at: at - 95, rate: 0 },
        { name: 'IMAGE', type: 'binary', bytes: 20480, ...plain, source: 'camera', at: at - 2, rate: 1 },
      ],
      clients: [
        { name: 'rover', publishes: ['CBOT_BATTERY', 'CBOT_RUN_MODE', 'CBOT_X'], subscribes: ['CBOT_CMD'] },
        { name: 'pDepth', publishes: ['DEPTH'], subscribes: ['CBOT_*'] },
        { name: 'camera', publishes: ['IMAGE'], subscribes: [] },
      ],
    },
    topics: {
      at,
      reports: [report('scan'), { ...report('map'), demands: [], success: false }],
      mismatches: ['/cmd_vel: the publisher of /joy (best effort, volatile) and the subscription of this process (reliable, volatile) do not match; they differ in: reliability'],
    },
    health: {
      at,
      threads: [
        { name: 'main', state: 'running', rate: 1, last: 0.3, why: '' },
        { name: 'propulsion', state: 'running', rate: 50, last: 0.01, why: '' },
        { name: 'ai', state: 'late', rate: 3.2, last: 2.4, why: 'nothing heard for 2.4 s' },
      ],
      steps: [
        { name: 'configuration', took: 0.002, ok: true, why: '' },
        { name: 'hardware', took: 0.04, ok: true, why: '' },
      ],
      may: [
        { mode: 2, allowed: true, why: '' },
        { mode: 3, allowed: false, why: 'RM3 needs the link in both directions' },
      ],
      faults: [
        { name: 'link', broken: false, about: 'the robot neither receives nor sends for a while', ends: false },
        { name: 'bumper_front', broken: false, about: 'always pressed', ends: true },
      ],
      link: { refused: 0, refusal: '', samples: 0, dropped: 0 },
    },
  };
}

/** The played room: 6 m by 4 m with a box in it, and one corner that nobody has seen. */
function room() {
  const [width, height, resolution] = [124, 84, 0.05];
  const origin = { x: -3.1, y: -2.1 };
  const runs: number[] = [];
  for (let i = 0; i < width * height; i++) {
    const x = origin.x + ((i % width) + 0.5) * resolution;
    const y = origin.y + (Math.floor(i / width) + 0.5) * resolution;
    const inside = Math.abs(x) < 3 && Math.abs(y) < 2;
    const box = x > 0.9 && x < 1.5 && y > 0.6 && y < 1.1;
    const value = x > 1.5 && y > 1.1 ? 0 : inside && !box ? 1 : 2;
    if (runs.at(-2) === value) runs[runs.length - 1]! += 1;
    else runs.push(value, 1);
  }
  return { width, height, resolution, origin, runs };
}

/** Does what a line asks for, as far as the views show it. False: it makes no sense. */
export function obeyLine(views: Omit<Watched, 'scan'>, part: string, line: string, at: number): boolean {
  const [verb = '', name = '', ...rest] = line.split(' ');
  if (part === 'behaviors' && verb === 'start') {
    const states = { ...views.behaviors.states, [name]: { scope: 1, in_scope: true, active: true, gate: 'none', why: '' } };
    views.behaviors = { ...views.behaviors, at, states, stack: ['robot', name] };
  } else if (part === 'behaviors' && verb === 'force') {
    const forced = rest[1] === 'free' ? null : rest[1] === 'true';
    const conditions = views.behaviors.conditions!.map((each) =>
      each.behavior === name && String(each.number) === rest[0] ? { ...each, forced, holds: forced ?? false } : each,
    );
    views.behaviors = { ...views.behaviors, at, conditions };
  } else if (part === 'cubes' && verb === 'subscribe') {
    const subscribers = [...views.cubes.subscribers!, { name, type: rest[0] ?? '', since: at }];
    views.cubes = { ...views.cubes, at, subscribers };
  } else if (part === 'bus' && verb === 'poke') {
    const variables = views.bus.variables.map((each) => (each.name === name ? { ...each, at, number: Number(JSON.parse(rest[0] ?? '')) } : each));
    views.bus = { ...views.bus, at, variables };
  } else if (part === 'map' && (verb === 'zone' || verb === 'unzone')) {
    const others = (views.map.zones ?? []).filter((zone) => zone.name !== name);
    const corners = rest.slice(1).map((corner) => corner.split(',').map(Number) as [number, number]);
    views.map = { ...views.map, at, zones: verb === 'zone' ? [...others, { name, kind: 'keep_out', speed: 0, corners }] : others };
  } else if (part === 'faults') {
    const faults = views.health.faults!.map((each) => (each.name === name ? { ...each, broken: verb === 'break' } : each));
    views.health = { ...views.health, at, faults };
  } else return ['cubes', 'topics', 'behaviors', 'bus'].includes(part);
  return true;
}
