import { sessionStore } from '../browser';
import { readEyeChoice, type EyeChoice } from '../model/eye';
import { homeView } from '../model/home';
import { LinkCuts } from '../model/link_cuts';
import type { Message } from '../model/messages';
import { withPlainNames } from '../model/names';
import { apply, type Robot } from '../model/picture';
import { placeOf, readPlace } from '../model/place';
import { quoted } from '../model/quoted';
import { StopBook } from '../model/stops';
import { Stream, type Socket, type StreamState } from '../model/stream';
import { views, type View } from '../model/view_list';
import { Watch } from '../model/watch';
import { withPlainFaults } from '../model/words';
import { Awaited } from './awaited';
import { Known } from './known.svelte';
import { Memory } from './memory.svelte';
import { Notices } from './notices.svelte';
import { RecordingDesk } from './recording_desk';
import { Requests } from './requests.svelte';
import { RouteDesk } from './route_desk';
import { StopDesk } from './stop_desk.svelte';
import { TickDesk } from './tick_desk.svelte';

const watchRate = 10; // Hz
const wallRate = 5; // Hz
const longestTurn = 100; // ms; a page that did not run for longer was frozen
const backLimit = 3; // s, for a robot to drive itself again

/** The whole page's state: what is known, what can be asked of the station, and where the reader is. */
export class Dashboard extends Known {
  view = $state<View>('fleet');
  /** How the camera of the picked robot is shown. */
  eye = $state<EyeChoice>(readEyeChoice(localStorage.getItem('eye')));

  readonly notices = new Notices();
  readonly memory = new Memory();
  readonly requests: Requests;
  readonly stops: StopDesk;
  readonly routes: RouteDesk;
  readonly recordings: RecordingDesk;
  readonly tickRecordings: TickDesk;

  private readonly stream: Stream;
  private readonly awaited = new Awaited();
  private readonly stopBook = new StopBook(sessionStore(), performance.now());
  private readonly watched = new Watch();
  private readonly linkCuts = new LinkCuts();
  private clock = { time: Date.now() / 1000, at: performance.now() };
  private tickedAt = performance.now();
  private ticks = 0;
  private frame = 0;
  private atHome = false; // the address names no view, so that the number of robots decides
  private onWall: readonly string[] = []; // robots whose cards are on screen
  private otherTime = false; // the next whole picture is of another time

  constructor(dial: () => Socket) {
    super();
    this.stream = new Stream(dial, () => performance.now(), {
      onState: (state) => this.onState(state),
      onMessage: (message) => this.onMessage(message),
    });
    this.requests = new Requests(this, {
      send: (request) => this.stream.send(request),
      onAsk: () => this.stayHere(),
      notices: this.notices,
      stops: this.stopBook,
    });
    this.stops = new StopDesk(this, this.requests, this.stopBook);
    this.routes = new RouteDesk(this, this.requests, this.awaited);
    this.recordings = new RecordingDesk(this.requests);
    this.tickRecordings = new TickDesk(this, this.requests, this.memory, this.notices);
  }

  /** Connects a visible page; a hidden one sends no requests and does not drive. */
  show(visible: boolean): void {
    if (visible) this.stream.open();
    else {
      this.requests.interrupt();
      this.stream.close();
    }
  }

  tick(): void {
    this.stream.tick();
    this.watch();
    const now = performance.now();
    // After a stall, keys may have been released that the page does not know of yet.
    const at = now - this.tickedAt > longestTurn ? this.tickedAt : now;
    this.tickedAt = now;
    this.requests.renew(now, at);
    if (this.ticks++ % 4 !== 0) return;
    this.refresh();
    this.stops.repeat();
    this.awaited.check();
  }

  go(view: View, robot = this.picked): void {
    location.hash = placeOf(view, robot);
  }

  readAddress(): void {
    const { view, robot } = readPlace(location.hash);
    this.requests.interrupt();
    const found = views.find((each) => each.view === view)?.view;
    this.atHome = found === undefined;
    this.view = found ?? this.home;
    if (robot) this.picked = robot;
    this.watch();
  }

  chooseEye(choice: EyeChoice): void {
    this.eye = choice;
    localStorage.setItem('eye', choice);
    this.watch();
  }

  /** Names the robots whose maps are on screen: the next tick requests only those. */
  showOnWall(names: readonly string[]): void {
    this.onWall = names;
  }

  /** What the stop button stops now; empty: every robot. In a replay, which shows no live robot, always every one. */
  get stopTarget(): string {
    return this.view === 'fleet' || this.picture.replay ? '' : this.picked;
  }

  stop(robot = this.stopTarget): void {
    if (robot) this.stops.stop(robot);
    else this.stops.stopAll();
  }

  /** The space bar stops what the stop button names. In a replay it plays and pauses, and stops nothing. */
  pressSpace(): void {
    const { replay } = this.newest;
    if (!replay) this.stop();
    else if (!replay.shared) this.recordings.steer(replay.playing ? 'pause' : 'play');
  }

  /** Lets the robot drive itself again, and gives back the lease, which is not needed then. */
  async handBack(robot = this.picked): Promise<void> {
    this.requests.command(robot, 'set_run_mode mode=RM2', { what: 'hand back to autonomy' });
    const status = () => this.newest.robots[robot]?.status ?? null;
    const isBack = await this.awaited.within(backLimit, () => status()?.run_mode === 'RM2');
    if (isBack && status()?.driver === this.newest.you) this.requests.command(robot, 'release_lease', { what: 'release control', quiet: true });
  }

  startAgain(robot: string): void {
    this.requests.ask({ type: 'start_again', robot }, { what: 'start again', robot });
  }

  /** A line for the behaviors, cubes, bus, topics or faults of the robot that is picked. */
  line(part: 'behaviors' | 'cubes' | 'bus' | 'topics' | 'faults', line: string, what = line, done?: (refused: boolean) => void): number | null {
    return this.requests.command(this.picked, `${part} line=${quoted(line)}`, { what, ...(done && { done }) });
  }

  /** Cuts the simulated link of the robot that is picked. */
  cutLink(seconds: number): void {
    const id = this.line('faults', `break link ${seconds}s`, `cut the link for ${seconds} s`, (refused) => refused && id !== null && this.linkCuts.refused(id));
    if (id !== null) this.linkCuts.add(this.picked, id, this.now + seconds);
  }

  /** Seconds until the link that this page has cut is restored; 0: it is not cut. */
  linkCutLeft(robot: string): number {
    return this.picture.replay ? 0 : this.linkCuts.left(robot, this.now);
  }

  /** Taps a simulated cube of the robot that is picked, as a person would. */
  tap({ id, name }: { id: string; name?: string }): void {
    this.line('cubes', `tap ${id}`, `tap ${name || id}`);
  }

  /**
   * Requests what the view needs. Not to be called while a view is torn down: state that is read then has its
   * values of before the change.
   */
  private watch(): void {
    if (this.link.is !== 'open') return;
    const needs = views.find(({ view }) => view === this.view)?.needs ?? [];
    const wall = this.view === 'fleet';
    const picked = this.picked && needs.length > 0 ? [this.picked] : [];
    const looks = this.view === 'drive' && this.eye !== 'off' && this.newest.token;
    // The next steps depend on the tree, which is sent once.
    const asksTree = this.view === 'drive' && !this.memory.hasTree(this.picked);
    const request = this.watched.due({
      robots: wall ? this.onWall : picked,
      views: [...needs, ...(asksTree ? (['behaviors'] as const) : []), ...(looks ? (['camera'] as const) : [])],
      rate: wall ? wallRate : watchRate,
      ...(looks && this.eye !== 'off' && { camera: this.eye }),
    });
    if (request) this.stream.send(request);
  }

  private seesBehaviors(robot: Robot): boolean {
    const isWatched = views.find(({ view }) => view === this.view)?.needs.includes('behaviors') ?? false;
    return isWatched && robot.name === this.picked && !this.isViewPast(robot);
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
    this.stopBook.lost('the connection was lost before it was confirmed');
    this.requests.lost();
    this.watched.reset();
    this.watch();
  }

  /** However fast the station sends, the page is drawn once per frame. */
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
    if ('now' in message) this.clock = { time: message.now, at: performance.now() };
    if (message.type === 'clock') this.requests.learnClock(message);
    if (message.type === 'answer') this.requests.onAnswer(message);
    if (message.type === 'answer') this.refresh();
    if (message.type === 'error') this.notices.add('refused', 'The station reports an error', message.text);
    if (message.type === 'report') this.notices.add('report', `${message.robot} reports`, withPlainFaults(withPlainNames(message.text, this.newest.you)));
    if (message.type === 'replay') {
      this.otherTime = true;
      if (message.name !== null) this.clock = { time: message.at, at: performance.now() };
    }
    if (message.type !== 'state') return;
    if (message.full && this.otherTime) {
      this.otherTime = false;
      this.memory.forget();
    }
    this.memory.take(message, this.newest.robots, (robot) => this.seesBehaviors(robot), this.newest.replay?.speed);
    const names = Object.keys(this.newest.robots);
    if (!this.picked && names[0]) this.picked = names[0];
    if (this.atHome) this.view = this.home;
    this.awaited.check();
  }

  /** Counts time, without which ages and limits would stand still. */
  private refresh(): void {
    const ms = performance.now();
    const { replay } = this.newest;
    const pace = replay ? (replay.playing ? replay.speed : 0) : 1;
    this.now = this.clock.time + (pace * (ms - this.clock.at)) / 1000;
    this.silent = this.stream.silentFor / 1000;
    this.notices.expire(ms);
    this.requests.expire(ms);
    this.stops.refresh();
  }
}
