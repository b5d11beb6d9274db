import type { WebSocketRoute } from 'playwright-core';
import type { Request, Role, Sections } from '../src/model/messages';
import { PlayedRobot } from './played_robot';

/** A station as docs/formats/station-api.md lays it out, and nothing behind it. Its clock is the test's. */
export class PlayedStation {
  now = 1_800_000_000;
  robots = new Map<string, PlayedRobot>();
  requests: Request[] = [];
  role: Role = 'admin';
  away = false; // nobody answers
  private wake = () => {};
  private socket: WebSocketRoute | null = null;
  private watched: string[] = [];
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
    this.socket = socket;
    this.told.clear();
    this.watched = [];
    socket.onMessage((text) => this.hear(JSON.parse(String(text)) as Request));
    socket.onClose(() => {
      if (this.socket === socket) this.socket = null;
      this.wake();
    });
    this.say({ type: 'hello', api: 1, station: 'yard', you: 'page#1', role: this.role, now: this.now });
    this.tell(true);
  }

  /** Time passes; robots send ten times a second. */
  advance(seconds: number): void {
    for (let left = seconds; left > 1e-9; left -= 0.1) {
      this.now += 0.1;
      for (const robot of this.robots.values()) robot.advance(this.now, 0.1);
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
      if (robot.route) sections.route = robot.route;
      if (this.watched.includes(name)) sections.scan = robot.scan(at);
      for (const [section, value] of Object.entries(sections)) {
        const text = JSON.stringify(value);
        if (this.told.get(`${name} ${section}`) === text) continue;
        this.told.set(`${name} ${section}`, text);
        robots[name] = { ...robots[name], [section]: value as unknown };
      }
    }
    if (full || Object.keys(robots).length > 0) this.say({ type: 'state', full, now: this.now, robots });
  }

  private hear(request: Request): void {
    this.requests.push(request);
    if (request.type === 'watch') this.watched = request.robots;
    else if (request.type === 'stop_all') {
      for (const robot of this.robots.values()) robot.obey('full_stop', 'page#1', this.now);
      this.answer(request.id, null, null, `${this.robots.size} stopped`);
    } else if (request.type === 'route') {
      this.robots.get(request.robot)?.follow(request.action, request.route ?? '');
      this.answer(request.id, request.robot, null);
    } else {
      const refusal = this.robots.get(request.robot)?.obey(request.command, 'page#1', this.now) ?? null;
      this.answer(request.id, request.robot, refusal);
    }
    this.tell(false);
    this.wake();
  }

  private answer(id: number, robot: string | null, refused: [string, string] | null, done = ''): void {
    const [refusal, text] = refused ?? [null, done];
    this.say({ type: 'answer', id, robot, kind: refusal ? 'REFUSED' : 'DONE', final: true, refusal, text });
  }

  private say(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }
}
