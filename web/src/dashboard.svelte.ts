import { DeadMan } from './model/dead_man';
import type { Answer, Message, Request, RouteAction } from './model/messages';
import { apply, nothing, type Picture, type Robot } from './model/picture';
import { placeOf, readPlace } from './model/place';
import { Stream, type Socket, type StreamState } from './model/stream';
import { Track } from './model/track';

export type View = 'fleet' | 'drive' | 'modes';
export const views: { view: View; name: string }[] = [
  { view: 'fleet', name: 'Fleet' },
  { view: 'drive', name: 'Drive' },
  { view: 'modes', name: 'Modes' },
];

/** Something that people should read now. */
export interface Notice {
  id: number;
  kind: 'done' | 'refused' | 'report';
  title: string;
  text: string;
  until: number; // ms
}

interface Asked {
  what: string;
  robot: string;
  renews: boolean;
  at: number; // ms
}

const answerLimit = 6000; // ms
const watchRate = 10; // Hz

/** The whole page's state: what the station told, what was asked of it, and where the reader is. */
export class Dashboard {
  picture = $state.raw<Picture>(nothing);
  link = $state.raw<StreamState>({ is: 'closed' });
  /** UNIX seconds by the station's clock. */
  now = $state(0);
  view = $state<View>('fleet');
  picked = $state('');
  notices = $state<Notice[]>([]);
  holds = $state('HALT');
  asked = $state.raw<ReadonlyMap<number, Asked>>(new Map());

  private readonly stream: Stream;
  private readonly deadMan = new DeadMan();
  private readonly tracks = new Map<string, Track>();
  private clock = { told: Date.now() / 1000, at: performance.now() };
  private nextId = 1;
  private ticks = 0;

  constructor(dial: () => Socket) {
    this.stream = new Stream(dial, () => performance.now(), {
      onState: (state) => this.onState(state),
      onMessage: (message) => this.onMessage(message),
    });
  }

  get robot(): Robot | null {
    return this.picture.robots[this.picked] ?? null;
  }

  get connected(): boolean {
    return this.link.is === 'open' && this.picture.complete;
  }

  trackOf(robot: string): Track {
    let track = this.tracks.get(robot);
    if (!track) this.tracks.set(robot, (track = new Track()));
    return track;
  }

  /** A page that nobody sees neither asks nor drives. */
  show(visible: boolean): void {
    if (visible) this.stream.open();
    else {
      this.letGo();
      this.stream.close();
    }
  }

  tick(): void {
    this.stream.tick();
    const renewal = this.deadMan.due(performance.now());
    if (renewal) this.command(this.picked, renewal, { renews: true, what: 'drive' });
    if (this.ticks++ % 4 === 0) this.refresh();
  }

  go(view: View, robot = this.picked): void {
    location.hash = placeOf(view, robot);
  }

  readAddress(): void {
    const { view, robot } = readPlace(location.hash);
    this.letGo();
    this.view = views.find((each) => each.view === view)?.view ?? 'fleet';
    if (robot) this.picked = robot;
    this.watch();
  }

  /** The id. null: it did not go out, and the notices say so. */
  command(robot: string, command: string, { renews = false, what = command } = {}): number | null {
    const id = this.nextId++;
    return this.ask({ type: 'command', id, robot, command }, { what, robot, renews, at: performance.now() });
  }

  stop(robot = this.picked): void {
    if (!robot) return this.stopAll();
    this.letGo();
    this.command(robot, 'full_stop', { what: 'stop' });
  }

  stopAll(group = ''): void {
    this.letGo();
    const request: Request = { type: 'stop_all', id: this.nextId++, ...(group && { group }) };
    this.ask(request, { what: 'stop', robot: '', renews: false, at: performance.now() });
  }

  release(robot = this.picked): void {
    this.command(robot, 'release_stop', { what: 'release of the stop' });
  }

  /** Of the station's autopilot, for the robot that is picked. */
  route(action: RouteAction, text?: string): void {
    const robot = this.picked;
    const request: Request = { type: 'route', id: this.nextId++, robot, action, ...(text && { route: text }) };
    this.ask(request, { what: `${action} the route`, robot, renews: false, at: performance.now() });
  }

  isAsked(what: string, robot: string): boolean {
    for (const asked of this.asked.values()) if (asked.what === what && asked.robot === robot) return true;
    return false;
  }

  /** Holds a movement until letGo(). */
  hold(movement: string): void {
    const command = this.deadMan.hold(movement, performance.now());
    this.holds = this.deadMan.holds;
    if (command) this.command(this.picked, command, { renews: movement !== 'HALT', what: 'drive' });
  }

  letGo(): void {
    if (this.deadMan.holds !== 'HALT') this.hold('HALT');
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }

  private ask(request: Request & { id: number }, asked: Asked): number | null {
    if (!this.stream.send(request)) {
      this.deadMan.reset();
      this.holds = 'HALT';
      this.notify('refused', `Not sent: ${asked.what}`, 'there is no connection to the station');
      return null;
    }
    this.asked = new Map(this.asked).set(request.id, asked);
    return request.id;
  }

  private watch(): void {
    this.stream.send({ type: 'watch', robots: this.picked ? [this.picked] : [], rate: watchRate });
  }

  private onState(state: StreamState): void {
    this.link = state;
    for (const { what, renews } of this.asked.values())
      if (!renews) this.notify('refused', `No answer: ${what}`, 'the connection was lost before it came');
    this.deadMan.reset();
    this.holds = 'HALT';
    this.asked = new Map();
    if (state.is === 'open') this.watch();
  }

  private onMessage(message: Message): void {
    this.picture = apply(this.picture, message);
    if ('now' in message) this.clock = { told: message.now, at: performance.now() };
    if (message.type === 'answer') this.onAnswer(message);
    if (message.type === 'error') this.notify('refused', 'The station did not understand', message.text);
    if (message.type === 'report') this.notify('report', `${message.robot} reports`, message.text);
    if (message.type !== 'state') return;
    this.refresh();
    for (const name of Object.keys(message.robots)) {
      const robot = this.picture.robots[name];
      if (robot?.motion) this.trackOf(name).move(robot.motion);
      if (robot?.motion && robot.scan) this.trackOf(name).see(robot.motion.pose, robot.scan);
    }
    const names = Object.keys(this.picture.robots);
    if (!this.picked && names[0]) {
      this.picked = names[0];
      this.watch();
    }
  }

  private onAnswer(answer: Answer): void {
    const asked = this.asked.get(answer.id);
    if (!asked || !answer.final) return;
    const left = new Map(this.asked);
    left.delete(answer.id);
    this.asked = left;
    const refused = answer.kind === 'REFUSED';
    const who = answer.robot ?? 'The station';
    if (asked.renews) {
      this.deadMan.answered(refused);
      this.holds = this.deadMan.holds;
    }
    if (refused)
      this.notify('refused', `${who} refused: ${asked.what}`, `${answer.text} (${answer.refusal ?? 'no reason'})`);
    else if (asked.what !== 'drive')
      this.notify('done', `${who}: ${asked.what}`, answer.text || 'done');
  }

  private notify(kind: Notice['kind'], title: string, text: string): void {
    const until = performance.now() + (kind === 'done' ? 3000 : 12_000);
    const others = this.notices.filter((notice) => notice.title !== title || notice.text !== text);
    this.notices = [{ id: this.nextId++, kind, title, text, until }, ...others].slice(0, 4);
  }

  private refresh(): void {
    const ms = performance.now();
    this.now = this.clock.told + (ms - this.clock.at) / 1000;
    if (this.notices.some((notice) => notice.until < ms))
      this.notices = this.notices.filter((notice) => notice.until >= ms);
    for (const [id, asked] of this.asked) {
      if (ms - asked.at < answerLimit) continue;
      const left = new Map(this.asked);
      left.delete(id);
      this.asked = left;
      if (asked.renews) this.deadMan.answered(true);
      this.notify('refused', `No answer: ${asked.what}`, 'the station did not say what became of it');
    }
  }
}

/** A browser's WebSocket cannot show a token in a header, so that it stands in the address. */
export function dialStation(): Socket {
  const query = new URLSearchParams({ name: 'page' });
  const token = sessionStorage.getItem('token');
  if (token) query.set('token', token);
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/stream?${query}`);
}

/** Takes `?token=` out of the address, where others could read it over the shoulder or in the history. */
export function keepToken(): void {
  const address = new URL(location.href);
  const token = address.searchParams.get('token');
  if (!token) return;
  sessionStorage.setItem('token', token);
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
}
