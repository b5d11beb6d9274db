import type { MarineCells, MarineEvent, MarineShape, MarineVehicle, MarineView } from '../generated/data';
import { changed } from './cell_grid';

/** A vehicle as it is known: its latest report and where it has been. */
export interface Vessel {
  report: MarineVehicle;
  at: number; // s, when the report arrived
  period: number; // s between reports; 0: not known yet
  trail: [x: number, y: number][];
}

/** All that the marine view shows at one time. */
export class MarineScene {
  readonly shapes = new Map<string, MarineShape>();
  readonly vessels = new Map<string, Vessel>();
  /** Where PMV_CENTER wants the view to look; taken once. */
  center: MarineView | null = null;

  constructor(private readonly trailLength: number) {}

  apply(event: MarineEvent): void {
    for (const key of event.erased) this.shapes.delete(key);
    if (event.shape) {
      // A shape that is published again is drawn last.
      this.shapes.delete(event.shape.key);
      this.shapes.set(event.shape.key, event.shape);
    }
    if (event.cells) this.change(event.cells);
    if (event.vehicle) this.report(event.vehicle, event.at);
    if (event.clears_trails) for (const vessel of this.vessels.values()) vessel.trail = vessel.trail.slice(-1);
    if (event.center) this.center = event.center;
  }

  private change(cells: MarineCells): void {
    const shape = this.shapes.get(cells.key);
    if (shape?.grid) this.shapes.set(cells.key, { ...shape, grid: changed(shape.grid, cells) });
  }

  private report(report: MarineVehicle, at: number): void {
    const known = this.vessels.get(report.name);
    const gap = known ? at - known.at : 0;
    const trail = known?.trail ?? [];
    const last = trail.at(-1);
    if (!last || Math.hypot(last[0] - report.x, last[1] - report.y) > 0.1) trail.push([report.x, report.y]);
    if (trail.length > this.trailLength) trail.shift();
    const period = known && known.period > 0 ? known.period * 0.8 + gap * 0.2 : gap;
    this.vessels.set(report.name, { report, at, period, trail });
  }

  /** The shapes that are shown at this time. */
  shapesAt(now: number): MarineShape[] {
    return [...this.shapes.values()].filter((shape) => !isOver(shape, now) && shape.begins <= now + 1);
  }
}

export function isOver(shape: MarineShape, now: number): boolean {
  return shape.duration !== null && now > shape.begins + shape.duration + shape.linger;
}

/** A report is stale after the limit, or after three periods of a vehicle that reports slowly. */
export function isStale(vessel: Vessel, now: number, limit: number): boolean {
  return now - vessel.at > Math.max(limit, 3 * vessel.period);
}

/** Plays events of the past: the scene of any time, forward by steps, backward from the beginning. */
export class MarinePlayer {
  scene: MarineScene;
  private next = 0;

  constructor(
    private readonly events: MarineEvent[],
    private readonly trailLength: number,
  ) {
    this.scene = new MarineScene(trailLength);
  }

  seek(time: number): void {
    const before = this.events[this.next - 1];
    if (before && before.at > time) {
      this.next = 0;
      this.scene = new MarineScene(this.trailLength);
    }
    for (let event = this.events[this.next]; event && event.at <= time; event = this.events[this.next]) {
      this.scene.apply(event);
      this.next += 1;
    }
  }
}

/** Size and opacity of a range pulse: it grows and fades for its duration, and stays at full size for `linger`. */
export function pulseAt(shape: MarineShape, now: number): { radius: number; fill: number } {
  const part = shape.duration ? Math.min(1, Math.max(0, (now - shape.begins) / shape.duration)) : 1;
  return { radius: shape.radius * part, fill: shape.steady ? shape.fill : shape.fill * (1 - part) };
}

/** The area that contains all vehicles and shapes; null if there are none. */
export function areaOf(points: Iterable<[x: number, y: number]>): { left: number; right: number; bottom: number; top: number } | null {
  let area: { left: number; right: number; bottom: number; top: number } | null = null;
  for (const [x, y] of points) {
    area ??= { left: x, right: x, bottom: y, top: y };
    area = { left: Math.min(area.left, x), right: Math.max(area.right, x), bottom: Math.min(area.bottom, y), top: Math.max(area.top, y) };
  }
  return area;
}
