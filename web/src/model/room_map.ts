import type { Cube, RoomMap } from './sections';

export const unknown = 0;
export const free = 1;
export const occupied = 2;

type Rgb = [red: number, green: number, blue: number];

/** The cells of a map as pixels, the upper row first as in pictures; what is unknown is clear. */
export function pixelsOf(map: RoomMap, floor: Rgb, wall: Rgb): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(map.width * map.height * 4);
  let cell = 0;
  for (let i = 0; i + 1 < map.runs.length; i += 2) {
    const value = map.runs[i];
    const end = Math.min(cell + (map.runs[i + 1] ?? 0), map.width * map.height);
    if (value === free || value === occupied)
      for (let at = cell; at < end; at++) {
        const row = map.height - 1 - Math.floor(at / map.width);
        pixels.set([...(value === free ? floor : wall), 255], 4 * (row * map.width + (at % map.width)));
      }
    cell = end;
  }
  return pixels;
}

/** A cube on the map. */
export interface PlacedCube {
  x: number;
  y: number;
  name: string; // empty: the robot cannot identify the cube
  lights: string[]; // empty: not connected, or not known to be the connected one
}

/** Joins the cubes that the robot sees with those that its radio receives, by their names. */
export function placedCubes(map: RoomMap | null, heard: Cube[]): PlacedCube[] {
  return (map?.cubes ?? []).map(({ name = '', x, y }) => {
    const [cube, another] = heard.filter((each) => name !== '' && each.name === name);
    return { x, y, name, lights: cube?.connected && !another ? (cube.lights ?? []) : [] };
  });
}

export interface Area {
  left: number; // m
  bottom: number;
  width: number;
  height: number;
}

/** The part of a map of which something is known. null: nothing is. */
export function knownArea(map: RoomMap): Area | null {
  let [left, right, bottom, top] = [map.width, -1, map.height, -1];
  let cell = 0;
  for (let i = 0; i + 1 < map.runs.length; i += 2) {
    const count = Math.min(map.runs[i + 1] ?? 0, map.width * map.height - cell);
    if (map.runs[i] !== unknown && count > 0) {
      const [first, last] = [Math.floor(cell / map.width), Math.floor((cell + count - 1) / map.width)];
      bottom = Math.min(bottom, first);
      top = Math.max(top, last);
      left = Math.min(left, first === last ? cell % map.width : 0);
      right = Math.max(right, first === last ? (cell + count - 1) % map.width : map.width - 1);
    }
    cell += count;
  }
  if (right < 0) return null;
  return {
    left: map.origin.x + left * map.resolution,
    bottom: map.origin.y + bottom * map.resolution,
    width: (right - left + 1) * map.resolution,
    height: (top - bottom + 1) * map.resolution,
  };
}

/** Of a colour such as `rgb(1, 2, 3)` or `#010203`. */
export function rgbOf(colour: string): Rgb {
  const hex = /^#(..)(..)(..)$/.exec(colour.trim());
  if (hex) return hex.slice(1).map((part) => parseInt(part, 16)) as Rgb;
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
