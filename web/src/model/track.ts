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

/** What a page has seen of one robot while it was open: where it went and what echoed, and its speeds. */
export class Track {
  readonly trail: Point[] = [];
  /** Unix seconds, right and left in m/s, one list each: as uPlot takes them. */
  readonly speeds: [at: number[], right: number[], left: number[]] = [[], [], []];
  private readonly cells = new Map<string, Point>();
  private lastMotion = -1;
  private lastScan = -1;

  static readonly longestTrail = 5000;
  static readonly mostEchoes = 20_000;
  static readonly speedsFor = 60; // s
  static readonly step = 0.02; // m between points of the trail
  static readonly cell = 0.05; // m, within which echoes are one
  static readonly reach = 8; // m; further away there is nothing to be sure of

  get echoes(): Iterable<Point> {
    return this.cells.values();
  }

  move(motion: Motion): void {
    if (motion.at === this.lastMotion) return;
    this.lastMotion = motion.at;
    const { x, y } = motion.pose;
    const last = this.trail.at(-1);
    if (!last || Math.hypot(x - last.x, y - last.y) >= Track.step) this.trail.push({ x, y });
    if (this.trail.length > Track.longestTrail) this.trail.splice(0, Track.longestTrail / 10);

    const [at, right, left] = this.speeds;
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
