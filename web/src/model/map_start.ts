import type { RoomMap } from '../generated/data';
import type { Robot } from './picture';

type Known = Pick<Robot, 'status' | 'map'> | null;

const fewCells = 50; // that may change at once while a map is corrected
const smallShare = 0.1; // same, of all known ones

/** Whether a map has replaced another one: it is elsewhere, or much of what was known has changed. */
export function isOtherMap(before: RoomMap, after: RoomMap): boolean {
  const frame = ({ width, height, resolution, origin }: RoomMap) => [width, height, resolution, origin.x, origin.y].join();
  if (frame(before) !== frame(after)) return true;
  let known = 0;
  let changed = 0;
  for (let i = 0, j = 0, left = before.runs[1] ?? 0, right = after.runs[1] ?? 0; i < before.runs.length && j < after.runs.length; ) {
    const count = Math.min(left, right);
    if (before.runs[i] !== 0) {
      known += count;
      if (before.runs[i] !== after.runs[j]) changed += count;
    }
    left -= count;
    right -= count;
    if (left <= 0) left = before.runs[(i += 2) + 1] ?? 0;
    if (right <= 0) right = after.runs[(j += 2) + 1] ?? 0;
  }
  return changed > Math.max(fewCells, smallShare * known);
}

/** Notices that a robot has another map than before: its program was started again, or its map was replaced. */
export class MapStart {
  private life = 0; // 0: not known yet
  private map: RoomMap | null = null;

  /** Whether points on the map that were chosen before have lost their meaning. */
  changes(robot: Known): boolean {
    const life = robot?.status?.life || this.life;
    const map = robot?.map ?? this.map;
    const isOther = (this.life !== 0 && life !== this.life) || (this.map !== null && map !== null && map !== this.map && isOtherMap(this.map, map));
    this.life = life;
    this.map = map;
    return isOther;
  }
}
