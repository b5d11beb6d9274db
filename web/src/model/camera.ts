import type { Point } from './track';

/** The part of a map that is shown. */
export interface Camera {
  x: number; // m, in the middle of the screen
  y: number;
  scale: number; // CSS pixels per meter
}

/** CSS pixels from the middle of the map, x to the right and y down. */
export type Offset = [x: number, y: number];

/** CSS pixels per meter. */
export interface ScaleLimits {
  least: number;
  most: number;
}

const roomScales: ScaleLimits = { least: 8, most: 600 };

/** The place of the map that is shown there. */
export const placeAt = ({ x, y, scale }: Camera, [right, down]: Offset): Point => ({ x: x + right / scale, y: y - down / scale });

export const pannedBy = (camera: Camera, [right, down]: Offset): Camera => ({
  ...camera,
  x: camera.x - right / camera.scale,
  y: camera.y + down / camera.scale,
});

/** Zooms, and keeps the place that is shown at `fixed` where it is. */
export function zoomedAt(camera: Camera, factor: number, fixed: Offset = [0, 0], limits = roomScales): Camera {
  const place = placeAt(camera, fixed);
  const scale = Math.max(limits.least, Math.min(limits.most, camera.scale * factor));
  return { x: place.x - fixed[0] / scale, y: place.y + fixed[1] / scale, scale };
}

/** Two fingers have moved: what was between them before is between them after. */
export function pinched(camera: Camera, before: [Offset, Offset], after: [Offset, Offset], limits = roomScales): Camera {
  const span = ([a, b]: [Offset, Offset]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const middle = ([a, b]: [Offset, Offset]): Offset => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const [from, to] = [middle(before), middle(after)];
  const factor = span(before) > 0 ? span(after) / span(before) : 1;
  return pannedBy(zoomedAt(camera, factor, from, limits), [to[0] - from[0], to[1] - from[1]]);
}
