import { DeadMan } from './model/dead_man';
import { BehaviorHistory } from './model/behavior_history';
import type { Answer, Message, Presence, Request, RouteAction, WatchedView } from './model/messages';
import { PeerClock } from './model/peer_clock';
import { apply, nothing, type Picture, type Robot } from './model/picture';
import { homeView } from './model/home';
import { placeOf, readPlace } from './model/place';
import { isPresent, isStale, obstacleToCommands, presenceOf, presenceText, staleAfter } from './model/presence';
import { isConnected } from './model/modes';
import { routeText, type WayPoint } from './model/route';
import { SeriesBook } from './model/series';
import { StopBook, type OpenStop } from './model/stops';
import { Stream, type Socket, type StreamState } from './model/stream';
import { Track } from './model/track';

export type View = 'fleet' | 'drive' | 'modes' | 'behaviors' | 'cubes' | 'bus' | 'topics' | 'recordings' | 'faults';
/** The views, each with the sections that it needs: of the picked robot, or of the robots on the wall. */
export const views: { view: View; name: string; needs: WatchedView[] }[] = [
  { view: 'fleet', name: 'Fleet', needs: ['map', 'plan'] },
  { view: 'drive', name: 'Drive', needs: ['scan', 'map', 'plan', 'cubes'] },
  { view: 'modes', name: 'Modes', needs: ['health'] },
  { view: 'behaviors', name: 'Behaviors', needs: ['behaviors'] },
  { view: 'cubes', name: 'Cubes', needs: ['cubes'] },
  { view: 'bus', name: 'Bus', needs: ['bus'] },
  { view: 'topics', name: 'Topics', needs: ['topics', 'scan', 'map'] },
  { view: 'recordings', name: 'Recordings', needs: [] },
  { view: 'faults', name: 'Faults', needs: ['health'] },
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
  renews: boolean; // a movement that is held
  quiet?: boolean; // its effect is seen anyhow
  stops?: boolean; // kept in the book of stops until it is confirmed
  at: number; // ms
}

const answerLimit = 6000; // ms
const watchRate = 10; // Hz
const longestTurn = 100; // ms; a page that did not run for longer was frozen
const wallRate = 5; // Hz
const mostWatched = 100; // robots, the limit of the station
const sendLimit = 3; // s, for a robot to be taken over

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
  /** Stops that are not confirmed, and of which people have to know. */
  openStops = $state.raw<readonly OpenStop[]>([]);

  private readonly stream: Stream;
  private readonly deadMan = new DeadMan();
  private readonly stationClock = new PeerClock();
  private tickedAt = performance.now();
  private clockDrift = Date.now() - performance.now();
  private readonly stops = new StopBook();
  private readonly tracks = new Map<string, Track>();
  private readonly histories = new Map<string, BehaviorHistory>();
  private readonly seriesBooks = new Map<string, SeriesBook>();
  private clock = { told: Date.now() / 1000, at: performance.now() };
  private nextId = 1;
  private newest: Picture = nothing; // shown with the next frame
  private frame = 0;
  private atHome = false; // the address names no view, so that the number of robots decides
  private onWall: readonly string[] = []; // robots whose cards are on screen
  private awaited: { is: () => boolean; until: number; done: (held: boolean) => void }[] = [];
  private otherTime = false; // the next whole picture is of another time
  private ticks = 0;
  private seekNext: number | null = null; // where a replay goes after the seek that is under way

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

  /** Whether what is shown of a robot is of the past: stale, or there is no station that would know. */
  isPast(robot: Robot | null): boolean {
    return !this.connected || !robot || isStale(robot, this.now, this.picture.replay !== null);
  }

  presenceOf(robot: Robot): Presence {
    return presenceOf(robot, this.now, this.picture.replay !== null);
  }

  presenceText(robot: Robot): string {
    return presenceText(robot, this.now, this.picture.replay !== null);
  }

  /** Whether the station shows a recording to all clients: there is nothing to stop or to command. */
  get isSharedReplay(): boolean {
    return this.picture.replay?.shared ?? false;
  }

  /** Why commands for the robot that is picked cannot work now; empty: they can. */
  get obstacle(): string {
    if (this.isSharedReplay) return 'The station replays a recording: no robot is connected.';
    if (this.picture.replay) return 'You see a recording: close it to send commands.';
    return obstacleToCommands(this.robot, this.now, this.connected);
  }

  trackOf(robot: string): Track {
    return keptIn(this.tracks, robot, () => new Track());
  }

  historyOf(robot: string): BehaviorHistory {
    return keptIn(this.histories, robot, () => new BehaviorHistory());
  }

  seriesOf(robot: string): SeriesBook {
    return keptIn(this.seriesBooks, robot, () => new SeriesBook());
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
    const now = performance.now();
    // After a stall, keys may have been released that the page does not know of yet.
    const at = now - this.tickedAt > longestTurn ? this.tickedAt : now;
    this.tickedAt = now;
    this.noticeSuspend(now);
    const renewal = this.deadMan.due(now);
    if (renewal) this.command(this.picked, renewal, { renews: true, what: 'drive', at });
    if (this.ticks++ % 4 !== 0) return;
    this.refresh();
    this.repeatStops();
    this.checkAwaited();
  }

  go(view: View, robot = this.picked): void {
    location.hash = placeOf(view, robot);
  }

  readAddress(): void {
    const { view, robot } = readPlace(location.hash);
    this.letGo();
    const found = views.find((each) => each.view === view)?.view;
    this.atHome = found === undefined;
    this.view = found ?? this.home;
    if (robot) this.picked = robot;
    this.watch();
  }

  /** Names the robots whose maps are on screen: only those are sent. */
  showOnWall(names: readonly string[]): void {
    if (names.join('/') === this.onWall.join('/')) return;
    this.onWall = names;
    if (this.view === 'fleet') this.watch();
  }

  /** `at`: when the person acted, by performance.now(). Returns the id, or null if it was not sent, which the notices show. */
  command(robot: string, command: string, { renews = false, what = command, at = performance.now() } = {}): number | null {
    const id = this.nextId++;
    const now = performance.now();
    const given = this.stationClock.theirsAt(at / 1000);
    const when = given === null ? { age: Math.max(0, now - at) / 1000 } : { given };
    return this.ask({ type: 'command', id, robot, command, ...when }, { what, robot, renews, at: now });
  }

  stop(robot = this.stopTarget): void {
    if (!robot) return this.stopAll();
    this.letGo();
    this.sendStop(robot);
  }

  stopAll(group = ''): void {
    if (this.isSharedReplay) return;
    this.letGo();
    const request: Request = { type: 'stop_all', id: this.nextId++, ...(group && { group }) };
    const id = this.ask(request, { what: 'stop', robot: '', renews: false, stops: true, at: performance.now() });
    for (const [name, { status }] of Object.entries(this.newest.robots))
      if (!group || status?.groups.includes(group)) this.noteStop(name, id);
    this.refresh();
  }

  dismissStop(robot: string): void {
    this.stops.dismiss(robot);
    this.refresh();
  }

  release(robot = this.picked): void {
    this.command(robot, 'release_stop', { what: 'release of the stop' });
  }

  /** Releases every robot that is stopped; of a group, if one is given. */
  releaseAll(group = ''): void {
    for (const [name, robot] of Object.entries(this.newest.robots))
      if (robot.status?.stopped && (!group || robot.status.groups.includes(group)) && !this.isPast(robot)) this.release(name);
  }

  /** Whether a robot has ended and somebody owns its process, so that it can be started from here. */
  canStartAgain(robot: Robot): boolean {
    return this.connected && this.picture.supervised && !this.picture.replay && !isConnected(robot.status) && !isPresent(this.presenceOf(robot));
  }

  startAgain(robot: string): void {
    const request: Request = { type: 'start_again', id: this.nextId++, robot };
    this.ask(request, { what: 'start again', robot, renews: false, at: performance.now() });
  }

  /** What the stop button and the space bar stop now; empty: everything. */
  get stopTarget(): string {
    return this.view === 'fleet' ? '' : this.picked;
  }

  /** A line for the behaviors, cubes, bus, topics or faults of the robot that is picked. */
  line(part: 'behaviors' | 'cubes' | 'bus' | 'topics' | 'faults', line: string, what = line): void {
    this.command(this.picked, `${part} line=${JSON.stringify(line)}`, { what });
  }

  /** Of the station's autopilot, for the robot that is picked. */
  route(action: RouteAction, text?: string, quiet = false): void {
    const robot = this.picked;
    const request: Request = { type: 'route', id: this.nextId++, robot, action, ...(text && { route: text }) };
    this.ask(request, { what: `${action} the route`, robot, renews: false, quiet, at: performance.now() });
  }

  /** Sends the picked robot to one point of its map: takes over first, if it drives itself. */
  async sendTo(point: WayPoint): Promise<void> {
    const robot = this.picked;
    const status = () => this.newest.robots[robot]?.status ?? null;
    if (status()?.run_mode !== 'RM3') {
      this.command(robot, 'set_run_mode mode=RM3', { what: 'take over (RM3)' });
      if (!(await this.holdsWithin(sendLimit, () => status()?.run_mode === 'RM3'))) return;
    }
    if (status()?.mode === 'run2') this.route('abort', undefined, true);
    if (this.picked !== robot) return;
    this.route('load', routeText([point], 1), true);
    const isLoaded = () => {
      const route = this.newest.robots[robot]?.route;
      const [to] = route?.points ?? [];
      return route?.state === 'idle' && to !== undefined && Math.hypot(to[0] - point[0], to[1] - point[1]) < 0.02;
    };
    if ((await this.holdsWithin(sendLimit, isLoaded)) && this.picked === robot) this.route('start');
  }

  record(action: 'start' | 'stop'): void {
    this.ask({ type: 'record', id: this.nextId++, action }, this.station(`${action} recording`));
  }

  openReplay(name: string): void {
    this.letGo();
    this.ask({ type: 'replay', id: this.nextId++, action: 'open', name }, this.station(`open ${name}`));
  }

  steerReplay(action: 'play' | 'pause' | 'close'): void {
    this.ask({ type: 'replay', id: this.nextId++, action }, this.station(`${action} the recording`, true));
  }

  /** One at a time: while one is under way, only the last place that was asked for counts. */
  seekReplay(to: number): void {
    this.seekNext = this.isAsked('seek', '') ? to : null;
    if (this.seekNext !== null) return;
    this.ask({ type: 'replay', id: this.nextId++, action: 'seek', to }, this.station('seek', true));
  }

  speedReplay(speed: number): void {
    this.ask({ type: 'replay', id: this.nextId++, action: 'speed', speed }, this.station(`speed ${speed}`, true));
  }

  isAsked(what: string, robot: string): boolean {
    for (const asked of this.asked.values()) if (asked.what === what && asked.robot === robot) return true;
    return false;
  }

  /** Holds a movement until letGo(). `at`: the time of the key or the pointer, by performance.now(). */
  hold(movement: string, at = performance.now()): void {
    const command = this.deadMan.hold(movement, performance.now());
    this.holds = this.deadMan.holds;
    if (command) this.command(this.picked, command, { renews: movement !== 'HALT', what: 'drive', at });
  }

  letGo(): void {
    if (this.deadMan.holds !== 'HALT') this.hold('HALT');
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }

  /** Something that is asked of the station itself. */
  private station(what: string, quiet = false): Asked {
    return { what, robot: '', renews: false, quiet, at: performance.now() };
  }

  private sendStop(robot: string): void {
    if (this.isSharedReplay) return;
    const request: Request = { type: 'command', id: this.nextId++, robot, command: 'full_stop' };
    const id = this.ask(request, { what: 'stop', robot, renews: false, stops: true, at: performance.now() });
    this.noteStop(robot, id);
    this.refresh();
  }

  private noteStop(robot: string, id: number | null): void {
    this.stops.add(robot, id, performance.now(), id === null ? 'there is no connection to the station' : '');
  }

  /** Sends those again that were not confirmed, now that their robots can be reached. */
  private repeatStops(): void {
    if (!this.connected) return;
    for (const robot of this.stops.due(performance.now()))
      if (isConnected(this.newest.robots[robot]?.status ?? null)) this.sendStop(robot);
  }

  /** Resolves to true once the condition holds, or to false when the time is over. */
  private holdsWithin(seconds: number, is: () => boolean): Promise<boolean> {
    return new Promise((done) => this.awaited.push({ is, until: performance.now() + seconds * 1000, done }));
  }

  private checkAwaited(): void {
    const ms = performance.now();
    const ended = this.awaited.filter(({ is, until }) => is() || ms > until);
    if (ended.length === 0) return;
    this.awaited = this.awaited.filter((each) => !ended.includes(each));
    for (const { is, done } of ended) done(is());
  }

  private ask(request: Request & { id: number }, asked: Asked): number | null {
    this.stayHere();
    if (!this.stream.send(request)) {
      this.deadMan.reset();
      this.holds = 'HALT';
      if (asked.stops) return null; // shown until it is confirmed
      this.notify('refused', `Not sent: ${asked.what}`, 'there is no connection to the station');
      return null;
    }
    this.asked = new Map(this.asked).set(request.id, asked);
    return request.id;
  }

  private watch(): void {
    const needs = views.find(({ view }) => view === this.view)?.needs ?? [];
    const wall = this.view === 'fleet';
    const picked = this.picked && needs.length > 0 ? [this.picked] : [];
    const robots = wall ? this.onWall.slice(0, mostWatched) : picked;
    this.stream.send({ type: 'watch', robots, views: needs, rate: wall ? wallRate : watchRate });
  }

  private get home(): View {
    return homeView(Object.keys(this.newest.robots).length);
  }

  /** The view at home stays as it is once the reader has done something there. */
  private stayHere(): void {
    if (!this.atHome) return;
    this.atHome = false;
    history.replaceState(null, '', placeOf(this.view, this.picked));
  }

  private onState(state: StreamState): void {
    this.link = state;
    this.stops.lost('the connection was lost before it was confirmed');
    for (const { what, renews, stops } of this.asked.values())
      if (!renews && !stops) this.notify('refused', `No answer: ${what}`, 'the connection was lost before it came');
    this.deadMan.reset();
    this.holds = 'HALT';
    this.asked = new Map();
    this.stationClock.reset(performance.now() / 1000);
    if (state.is === 'open') this.watch();
  }

  /** Detects that the machine was suspended: in some browsers performance.now() does not advance then. */
  private noticeSuspend(now: number): void {
    const drift = Date.now() - now;
    if (Math.abs(drift - this.clockDrift) < longestTurn) return;
    this.clockDrift = drift;
    this.stationClock.reset(now / 1000);
  }

  /** However fast the station tells, the page is drawn once a frame. */
  private paint(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.picture = this.newest;
      this.refresh();
    });
  }

  private onMessage(message: Message): void {
    this.newest = apply(this.newest, message);
    if (message.type === 'state') this.paint();
    else this.picture = this.newest;
    if ('now' in message) this.clock = { told: message.now, at: performance.now() };
    if (message.type === 'clock') this.stationClock.learn(message.sent, message.at, performance.now() / 1000);
    if (message.type === 'answer') this.onAnswer(message);
    if (message.type === 'error') this.notify('refused', 'The station did not understand', message.text);
    if (message.type === 'report') this.notify('report', `${message.robot} reports`, message.text);
    if (message.type === 'replay') {
      this.otherTime = true;
      if (message.name !== null) this.clock = { told: message.at, at: performance.now() };
    }
    if (message.type !== 'state') return;
    if (message.full && this.otherTime) this.forget();
    for (const name of Object.keys(message.robots)) {
      const robot = this.newest.robots[name];
      if (robot?.motion) this.trackOf(name).move(robot.motion, staleAfter(robot));
      if (robot?.motion && robot.scan && !robot.map) this.trackOf(name).see(robot.scan.pose ?? robot.motion.pose, robot.scan);
      if (message.robots[name]?.behaviors && robot?.behaviors) this.historyOf(name).add(robot.behaviors);
      if (message.robots[name]?.bus) this.seriesOf(name).add(message.robots[name].bus.variables, message.robots[name].bus.at);
    }
    const names = Object.keys(this.newest.robots);
    if (!this.picked && names[0]) {
      this.picked = names[0];
      this.watch();
    }
    if (this.atHome && this.view !== this.home) {
      this.view = this.home;
      this.watch();
    }
    this.checkAwaited();
  }

  /** What was drawn is of another time. */
  private forget(): void {
    this.otherTime = false;
    for (const all of [this.tracks, this.histories, this.seriesBooks]) all.clear();
  }

  private onAnswer(answer: Answer): void {
    const asked = this.asked.get(answer.id);
    if (!asked) return;
    // What takes a while is answered twice.
    if (!answer.final) return void (asked.at = Infinity);
    const left = new Map(this.asked);
    left.delete(answer.id);
    this.asked = left;
    const refused = answer.kind === 'REFUSED';
    if (asked.stops) this.stops.answered(answer.id, refused ? answer.text || 'it was refused' : '');
    if (asked.what === 'seek' && this.seekNext !== null) this.seekReplay(this.seekNext);
    const who = answer.robot ?? 'The station';
    if (asked.renews) {
      this.deadMan.answered(refused);
      this.holds = this.deadMan.holds;
    }
    if (refused && asked.stops) return this.refresh();
    if (refused)
      this.notify('refused', `${who} refused: ${asked.what}`, `${answer.text} (${answer.refusal ?? 'no reason'})`);
    else if (asked.what !== 'drive' && !asked.quiet)
      this.notify('done', `${who}: ${asked.what}`, answer.text.trim().includes('\n') ? 'done' : answer.text.trim() || 'done'); // lists are for terminals
  }

  /** What went well makes room for what goes well next. */
  private notify(kind: Notice['kind'], title: string, text: string): void {
    const until = performance.now() + (kind === 'done' ? 3000 : 12_000);
    const others = this.notices.filter((notice) => (kind === 'done' ? notice.kind !== 'done' : notice.title !== title || notice.text !== text));
    this.notices = [{ id: this.nextId++, kind, title, text, until }, ...others].slice(0, 4);
  }

  private refresh(): void {
    const ms = performance.now();
    const { replay } = this.newest;
    const pace = replay ? (replay.playing ? replay.speed : 0) : 1;
    this.now = this.clock.told + (pace * (ms - this.clock.at)) / 1000;
    if (this.notices.some((notice) => notice.until < ms))
      this.notices = this.notices.filter((notice) => notice.until >= ms);
    for (const { robot } of this.stops.open) {
      const now = this.newest.robots[robot];
      if (now?.status?.stopped && !this.isPast(now)) this.stops.confirmed(robot);
    }
    this.openStops = this.stops.warnings(ms);
    for (const [id, asked] of this.asked) {
      if (ms - asked.at < answerLimit) continue;
      const left = new Map(this.asked);
      left.delete(id);
      this.asked = left;
      if (asked.renews) this.deadMan.answered(true);
      if (asked.stops) this.stops.answered(id, 'the station did not answer');
      else this.notify('refused', `No answer: ${asked.what}`, 'the station did not say what became of it');
    }
  }
}

function keptIn<T>(all: Map<string, T>, name: string, make: () => T): T {
  let one = all.get(name);
  if (!one) all.set(name, (one = make()));
  return one;
}

export function dialStation(): Socket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/stream?name=page`);
}
