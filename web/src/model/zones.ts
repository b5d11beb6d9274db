// The zones of a map: polygons that the robot keeps out of, or in which it is slow.
import type { MapZone } from '../generated/data';
import type { WayPoint } from './route';

export const leastSpeed = 0.05; // m/s
export const mostSpeed = 5;
export const maxCorners = 32;

/** A zone that the reader draws; with a speed it is a speed zone, without one a keep-out zone. */
export interface ZoneDraft {
  name: string;
  speed: number | null; // m/s
  corners: WayPoint[];
}

/** The corners of a polygon; two are those of a rectangle along the axes. */
export function outlineOf(corners: WayPoint[]): WayPoint[] {
  const [from, to] = corners;
  if (corners.length !== 2 || !from || !to) return corners;
  return [from, [to[0], from[1]], to, [from[0], to[1]]];
}

/** Why it cannot be added to a map with these zones; empty if it can, as far as the page can tell. */
export function faultOf({ name, speed, corners }: ZoneDraft, zones: readonly MapZone[] = []): string {
  if (corners.length < 2) return 'Click two corners of a rectangle on the map, or more of a polygon.';
  if (corners.length > maxCorners) return `A zone has at most ${maxCorners} corners.`;
  if (name === '') return 'Give it a name.';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return 'A name has letters, digits, - and _.';
  if (zones.some((zone) => zone.name === name)) return `There is a zone ${name}: forget it first, or take another name.`;
  if (speed !== null && !(speed >= leastSpeed && speed <= mostSpeed)) return `A speed is from ${leastSpeed} to ${mostSpeed} m/s.`;
  return '';
}

/** The line that adds it: `zone stairs keep_out 1.00,2.00 3.00,4.00`. */
export function zoneLine({ name, speed, corners }: ZoneDraft): string {
  const kind = speed === null ? 'keep_out' : `speed ${speed.toFixed(2)}`;
  return `zone ${name} ${kind} ${corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ')}`;
}

/** `keep out`, `at most 0.20 m/s`. */
export const ruleOf = (zone: MapZone): string => (zone.kind === 'speed' ? `at most ${zone.speed.toFixed(2)} m/s` : 'keep out');
