import type { ModeChange, Motion, Route, RunMode, Scan, Status, WaitReason } from '../src/model/messages';
import { obeyLine, playedViews } from './played_views';

const reach = 4; // m, of its range sensors

/** A robot in a room of 6 m by 4 m, as far as a station would tell of it. */
export class PlayedRobot {
  pose = { x: 0, y: 0, heading: 0.4 };
  levels = { right: 0, left: 0 };
  liveUntil = Infinity;
  commands: string[] = [];
  silentSince = 0;
  number = 0;
  route: Route | null = null;
  scanAt = 0; // when its lidar ended; 0: it works
  changes: ModeChange[] = []; // of its modes, as the station has seen them
  recording: { bytes: Uint8Array; zero: number } | null = null; // of its ticks
  views: ReturnType<typeof playedViews>;

  status: Status;

  constructor(
    readonly name: string,
    at: number,
    fields: Partial<Status> = {},
  ) {
    this.views = playedViews(at);
    this.status = {
      mode: 'run1',
      why: '',
      since: at - 300,
      groups: [],
      address: '127.0.0.1:9701',
      role: 'admin',
      driver: '',
      stale: false,
      run_mode: 'RM3',
      waits_for: null,
      com_mode: 'CM3',
      stopped: false,
      behavior: '',
      faults: [],
      battery: { level: 0.83, volts: 12.4, amperes: -0.6, on_charger: false },
      ...fields,
    };
  }

  /** The refusal, or null. */
  obey(text: string, asker: string, at: number): [refusal: string, text: string] | null {
    this.commands.push(text);
    const [command] = text.split(' ');
    const argument = (name: string) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1] ?? '';
    const change = (fields: Partial<Status>) => (this.status = { ...this.status, ...fields });
    if (command === 'full_stop') {
      this.levels = { right: 0, left: 0 };
      change({ stopped: true });
    } else if (command === 'release_stop') change({ stopped: false });
    else if (command === 'set_run_mode') {
      const mode = argument('mode') as RunMode;
      if (mode === 'RM1' && argument('reason') === 'Charging')
        return ['WRONG_MODE', 'the charger gives no current; Charging needs contact and current'];
      this.changes = [...this.changes, { at, what: 'run_mode', from: this.status.run_mode ?? '', to: mode, why: `requested by ${asker}` }];
      change({ run_mode: mode, waits_for: (argument('reason') || null) as WaitReason | null });
    } else if (command === 'move' || command === 'drive') {
      if (this.status.run_mode !== 'RM3') return ['WRONG_MODE', 'it drives itself in RM2'];
      if (this.status.stopped) return ['STOPPED', 'a full stop is latched: release it first'];
      change({ driver: asker });
      if (command === 'move') this.levels = levelsOf(argument('movement'));
      this.liveUntil = argument('ttl') ? at + parseFloat(argument('ttl')) / 1000 : Infinity;
    } else if (this.recordedPart(text) !== null) {
      return null;
    } else if (command && command in this.views) {
      const line = JSON.parse(/line=(.*)$/.exec(text)?.[1] ?? '""') as string;
      if (!obeyLine(this.views, command, line, at)) return ['BAD_ARGUMENT', `no command is called so`];
    } else if (command === 'faults') {
      obeyLine(this.views, 'faults', JSON.parse(/line=(.*)$/.exec(text)?.[1] ?? '""') as string, at);
    } else if (command === 'release_lease') change({ driver: '' });
    else if (command === 'dock') return ['UNAVAILABLE', 'no dock is known'];
    return null;
  }

  /** The answer to a request for its recording; null: it is another command. Pieces have 10 bytes. */
  recordedPart(command: string): string | null {
    const [, offset] = /^behaviors line="?record(?: 1 (\d+))?"?$/.exec(command) ?? ['', null];
    if (!this.recording || offset === null) return null;
    const { bytes, zero } = this.recording;
    if (offset === undefined) return JSON.stringify({ number: 1, bytes: bytes.length, zero });
    return Buffer.from(bytes.subarray(Number(offset), Number(offset) + 10)).toString('base64');
  }

  /** As the station's autopilot, without driving. */
  follow(action: string, text: string): void {
    if (action === 'load') {
      const points = JSON.parse(/points = (.*)/.exec(text)?.[1] ?? '[]') as Route['points'];
      this.route = { state: 'idle', why: '', name: 'page', points, next: 0, round: 1, rounds: 1, path: [] };
    } else if (this.route) {
      const path: Route['path'] = [[this.pose.x, this.pose.y], ...this.route.points.slice(0, 1)];
      const states: Record<string, Route['state']> = { pause: 'paused', abort: 'aborted' };
      this.route = action === 'clear' ? null : { ...this.route, state: states[action] ?? 'driving', path };
    }
  }

  advance(at: number, seconds: number): void {
    if (at > this.liveUntil) this.levels = { right: 0, left: 0 };
    const right = this.levels.right * 0.12;
    const left = this.levels.left * 0.12;
    this.pose.heading += ((right - left) / 0.3) * seconds;
    const step = ((right + left) / 2) * seconds;
    const x = this.pose.x + step * Math.cos(this.pose.heading);
    const y = this.pose.y + step * Math.sin(this.pose.heading);
    if (Math.abs(x) < 2.7) this.pose.x = x;
    if (Math.abs(y) < 1.7) this.pose.y = y;
    this.number += 1;
  }

  motion(at: number): Motion {
    const { right, left } = this.levels;
    const halted = right === 0 && left === 0;
    return {
      at,
      number: this.number,
      pose: { ...this.pose },
      state: halted ? 1 : right === left ? 2 : 4,
      movement: halted ? 'halted' : right === left ? 'forward' : 'turning_left_forward',
      class: halted ? 'HALT' : right === left ? 'MOVE_FW' : 'TURN_FW',
      right: { level: right, speed: right * 0.12 },
      left: { level: left, speed: left * 0.12 },
      winner: halted ? '' : this.status.run_mode === 'RM2' ? 'ai' : 'operator',
      reason: '',
      offset: 0.002,
    };
  }

  scan(at: number): Scan {
    const ranges: Scan['ranges'] = [];
    for (let i = 0; i < 24; i++) {
      const bearing = (i / 24) * 2 * Math.PI - Math.PI;
      const distance = this.range(this.pose.heading + bearing);
      if (distance < reach) ranges.push([bearing, distance]);
    }
    const lidarAge = this.scanAt ? at - this.scanAt : 0.05;
    return { at: this.scanAt || at, ranges, ages: { ranges: lidarAge, battery: 0.4, imu: 0.02 }, encoding: 'delta', bytes_per_second: 1840 };
  }

  private range(angle: number): number {
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    let far = reach;
    const walls: [number, number, number, number][] = [
      [-3, 3, -2, 2],
      [0.9, 1.5, 0.6, 1.1],
    ];
    for (const [x0, x1, y0, y1] of walls) {
      for (const x of [x0, x1]) {
        const t = (x - this.pose.x) / dx;
        const y = this.pose.y + t * dy;
        if (t > 0 && y >= y0 && y <= y1) far = Math.min(far, t);
      }
      for (const y of [y0, y1]) {
        const t = (y - this.pose.y) / dy;
        const x = this.pose.x + t * dx;
        if (t > 0 && x >= x0 && x <= x1) far = Math.min(far, t);
      }
    }
    return far;
  }
}

function levelsOf(movement: string): { right: number; left: number } {
  const [kind, way, ...numbers] = movement.split('_');
  const [first = 0, second = first] = numbers.map(Number);
  if (kind === 'MOVE') return way === 'FW' ? { right: first, left: first } : { right: -first, left: -first };
  if (kind === 'TURN') return { right: first, left: second };
  if (kind === 'SWIV') return way === 'LEFT' ? { right: first, left: -first } : { right: -first, left: first };
  return { right: 0, left: 0 };
}
