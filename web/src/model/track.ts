import type { Motion, Pose, Scan } from './messages';

export interface Point {
  x: number;
  y: number;
}

/** Where a range sensor's echo came from. */
export function echoAt(pose: Pose, bearing: number, distance: number): Point {
  const angle = pose.heading + bearing;
  return { x: pose.x + distance * Math.cos(angle), y: pose.y + distance * Math.sin(angle) };
}

/** A point of a trail. `begins`: nothing is known of the way to it, and no line leads there. */
export type TrailPoint = Point & { begins?: true };

/** What a page has seen of one robot while it was open: where it went and what echoed, and its speeds. */
export class Track {
  readonly trail: TrailPoint[] = [];
  /** Unix seconds, right and left in m/s, one list each: as uPlot takes them. null: nothing was measured. */
  readonly speeds: [at: number[], right: (number | null)[], left: (number | null)[]] = [[], [], []];
  private readonly cells = new Map<string, Point>();
  private lastMotion = -1;
  private lastPlace: Point | null = null;
  private lastScan = -1;

  static readonly longestTrail = 5000;
  static readonly mostEchoes = 20_000;
  static readonly speedsFor = 60; // s
  static readonly step = 0.02; // m between points of the trail
  static readonly gap = 1; // s without data, after which lines are broken; longer for robots that send slowly
  static readonly jump = 1; // m between two places, however soon: a robot that was started anew
  static readonly cell = 0.05; // m, within which echoes are one
  static readonly reach = 8; // m; further away there is nothing to be sure of

  get echoes(): Iterable<Point> {
    return this.cells.values();
  }

  /** Whether any line of the trail is known. */
  get hasWay(): boolean {
    return this.trail.some(({ begins }, i) => i > 0 && !begins);
  }

  /** `gap`: seconds without data after which nothing is known of the time between. */
  move(motion: Motion, gap = Track.gap): void {
    if (motion.at === this.lastMotion) return;
    const silent = this.lastMotion >= 0 && Math.abs(motion.at - this.lastMotion) > gap;
    const { x, y } = motion.pose;
    const before = this.lastPlace;
    const begins = silent || (before !== null && Math.hypot(x - before.x, y - before.y) > Track.jump);
    const last = this.trail.at(-1);
    if (begins) this.trail.push({ x, y, begins });
    else if (!last || Math.hypot(x - last.x, y - last.y) >= Track.step) this.trail.push({ x, y });
    if (this.trail.length > Track.longestTrail) this.trail.splice(0, Track.longestTrail / 10);

    const [at, right, left] = this.speeds;
    if (silent && motion.at > this.lastMotion) {
      at.push(this.lastMotion + 0.001);
      right.push(null);
      left.push(null);
    }
    this.lastMotion = motion.at;
    this.lastPlace = { x, y };
    at.push(motion.at);
    right.push(motion.right.speed);
    left.push(motion.left.speed);
    const old = at.findIndex((each) => each >= motion.at - Track.speedsFor);
    if (old > 0) for (const list of this.speeds) list.splice(0, old);
  }

  see(pose: Pose, scan: Scan): void {
    if (scan.at === this.lastScan) return;
    this.lastScan = scan.at;
    for (const [bearing, distance] of scan.ranges) {
      if (distance <= 0 || distance > Track.reach) continue;
      const point = echoAt(pose, bearing, distance);
      const key = `${Math.round(point.x / Track.cell)} ${Math.round(point.y / Track.cell)}`;
      if (this.cells.size >= Track.mostEchoes && !this.cells.has(key)) {
        const oldest = this.cells.keys().next().value;
        if (oldest !== undefined) this.cells.delete(oldest);
      }
      this.cells.set(key, point);
    }
  }
}
