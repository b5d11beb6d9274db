import type { WebSocketRoute } from 'playwright-core';
import type { Mark, Refused, Replay, Request, Role, Sections, WatchedView } from '../src/model/messages';
import { PlayedRobot } from './played_robot';

/** A station as docs/formats/station-api.md lays it out, and nothing behind it. Its clock is the test's. */
export class PlayedStation {
  now = 1_800_000_000;
  robots = new Map<string, PlayedRobot>();
  requests: Request[] = [];
  role: Role = 'admin';
  token = false; // the page has shown one
  supervised = false;
  refused: Partial<Refused> | null = null;
  away = false; // nobody answers
  full = ''; // why it accepts no further clients; empty: it does
  refusesStart: [refusal: string, text: string] | null = null; // of routes
  ignoresWatch = false; // it goes on sending what was watched before
  frozen = false; // it neither reads nor writes, and its connections stay open
  replayed: Replay | null = null;
  marks: Mark[] = []; // of the recording
  private wake = () => {};
  private socket: WebSocketRoute | null = null;
  watched: string[] = []; // robots whose views the page wants now
  views: WatchedView[] = []; // that it wants of them
  private readonly told = new Map<string, string>();

  add(name: string, fields = {}): PlayedRobot {
    const robot = new PlayedRobot(name, this.now, fields);
    this.robots.set(name, robot);
    return robot;
  }

  get watchers(): number {
    return this.socket ? 1 : 0;
  }

  /** Waits until what the page asks makes it true. */
  async until(is: () => boolean): Promise<void> {
    const deadline = AbortSignal.timeout(30_000);
    deadline.onabort = () => this.wake();
    while (!is()) {
      if (deadline.aborted) throw new Error(`not in 30 s: ${is}`);
      await new Promise<void>((done) => (this.wake = done));
    }
  }

  take(socket: WebSocketRoute): void {
    if (this.away) return void socket.close({ code: 1001, reason: 'the station goes down' });
    if (this.full) return void socket.close({ code: 1013, reason: this.full });
    if (this.frozen) return;
    this.socket = socket;
    const beat = setInterval(() => this.say({ type: 'state', full: false, now: this.replayed?.at ?? this.now, robots: {} }), 250);
    beat.unref();
    this.told.clear();
    this.watched = [];
    socket.onMessage((text) => this.hear(JSON.parse(String(text)) as Request));
    socket.onClose(() => {
      clearInterval(beat);
      if (this.socket === socket) this.socket = null;
      this.wake();
    });
    this.say({ type: 'hello', api: 1, station: 'yard', you: 'page#1', role: this.role, token: this.token, supervised: this.supervised, now: this.now });
    if (this.refused) this.say({ type: 'refused', datagrams: 0, robots: 0, doubles: 0, handshakes: 0, ...this.refused });
    this.say({ type: 'recording', name: null });
    this.tell(true);
  }

  /** Time passes; robots send ten times a second, and it is told so often. */
  advance(seconds: number, every = 0.1): void {
    let untold = 0;
    for (let left = seconds; left > 1e-9; left -= 0.1) {
      this.now += 0.1;
      for (const robot of this.robots.values()) robot.advance(this.now, 0.1);
      untold += 0.1;
      if (untold < every - 1e-9) continue;
      untold = 0;
      this.tell(false);
    }
  }

  report(robot: string, text: string): void {
    this.say({ type: 'report', now: this.now, robot, text });
  }

  async goDown(): Promise<void> {
    this.away = true;
    const socket = this.socket;
    this.socket = null;
    await socket?.close({ code: 1001, reason: 'the station goes down' });
  }

  private tell(full: boolean): void {
    const robots: Record<string, Sections> = {};
    for (const [name, robot] of this.robots) {
      const at = robot.silentSince || this.now;
      const sections: Sections = { status: robot.status, motion: robot.status.run_mode ? robot.motion(at) : null };
      sections.route = robot.route;
      if (this.watched.includes(name))
        for (const view of this.views) Object.assign(sections, { [view]: view === 'scan' ? robot.scan(at) : robot.views[view] });
      if (this.watched.includes(name) && this.views.includes('health')) sections.changes = { changes: robot.changes };
      for (const [section, value] of Object.entries(sections)) {
        const text = JSON.stringify(value);
        if (this.told.get(`${name} ${section}`) === text) continue;
        this.told.set(`${name} ${section}`, text);
        robots[name] = { ...robots[name], [section]: value as unknown };
      }
    }
    if (full || Object.keys(robots).length > 0) this.say({ type: 'state', full, now: this.replayed?.at ?? this.now, robots });
  }

  private hear(request: Request): void {
    if (this.frozen) return;
    this.requests.push(request);
    if (request.type === 'heartbeat') return this.wake();
    if (request.type === 'watch') {
      if (!this.ignoresWatch) [this.watched, this.views] = [request.robots, request.views];
    } else if (request.type === 'record') {
      if (request.action !== 'delete') this.say({ type: 'recording', name: request.action === 'start' ? '20260101-120000-0002' : null });
      this.answer(request.id, null, null);
    } else if (request.type === 'replay') {
      this.replay(request);
      this.answer(request.id, null, null);
    } else if (request.type === 'stop_all') {
      for (const robot of this.robots.values()) robot.obey('full_stop', 'page#1', this.now);
      this.answer(request.id, null, null, `${this.robots.size} stopped`);
    } else if (request.type === 'route') {
      const refused = request.action === 'start' ? this.refusesStart : null;
      if (!refused) this.robots.get(request.robot)?.follow(request.action, request.route ?? '');
      this.answer(request.id, request.robot, refused);
    } else if (request.type === 'dismiss_stop') {
      this.robots.get(request.robot)!.status.stop_pending = null;
      this.answer(request.id, request.robot, null, 'it is sent no more');
    } else if (request.type === 'start_again') {
      const robot = this.robots.get(request.robot)!;
      robot.silentSince = 0;
      Object.assign(robot.status, { mode: 'run1', why: '', stale: false, run_mode: 'RM2', presence: 'live' });
      this.answer(request.id, request.robot, null, `${request.robot} is being started`);
    } else {
      const robot = this.robots.get(request.robot);
      const away: [string, string] = ['UNAVAILABLE', `${request.robot} is not connected`];
      const refusal = robot?.status.mode === 'wait' ? away : (robot?.obey(request.command, 'page#1', this.now) ?? null);
      this.answer(request.id, request.robot, refusal, robot?.recordedPart(request.command) ?? '');
    }
    this.tell(false);
    this.wake();
  }

  private replay(request: Request & { type: 'replay' }): void {
    const now = this.replayed ?? { type: 'replay', name: '', start: this.now - 600, end: this.now - 60, at: this.now - 600, playing: false, speed: 1 };
    if (request.action === 'open') this.replayed = { ...now, name: request.name };
    else if (request.action === 'seek') this.replayed = { ...now, at: request.to };
    else if (request.action === 'speed') this.replayed = { ...now, speed: request.speed };
    else this.replayed = request.action === 'close' ? null : { ...now, playing: request.action === 'play' };
    this.say(this.replayed ?? { type: 'replay', name: null });
    if (request.action === 'open' && this.marks.length > 0) this.say({ type: 'marks', name: request.name, marks: this.marks, omitted: 0 });
    this.told.clear();
    this.tell(true);
  }

  private answer(id: number, robot: string | null, refused: [string, string] | null, done = ''): void {
    const [refusal, text] = refused ?? [null, done];
    this.say({ type: 'answer', id, robot, kind: refusal ? 'REFUSED' : 'DONE', final: true, refusal, text });
  }

  private say(message: object): void {
    if (!this.frozen) this.socket?.send(JSON.stringify(message));
  }
}
