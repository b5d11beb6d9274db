import { DeadMan } from '../model/dead_man';
import type { Answer, Clock, Request } from '../model/messages';
import { withPlainNames } from '../model/names';
import { PeerClock } from '../model/peer_clock';
import { doneText, refusalText } from '../model/refusals';
import type { StopBook } from '../model/stops';
import type { Known } from './known.svelte';
import type { Notices } from './notices.svelte';

export interface Asked {
  what: string;
  robot: string; // empty: the station itself
  renews?: boolean; // a movement that is held
  quiet?: boolean; // its effect is seen anyhow
  stops?: boolean; // kept in the book of stops until it is confirmed
  at: number; // ms
  done?: (refused: boolean, text: string) => void; // called with its final answer
}

export interface CommandOptions {
  renews?: boolean;
  what?: string; // for people
  at?: number; // when the person acted, by performance.now()
  quiet?: boolean;
  done?: (refused: boolean, text: string) => void;
}

interface Hands {
  send: (request: Request) => boolean; // false: there is no connection
  onAsk: () => void; // before anything is sent
  notices: Notices;
  stops: StopBook;
}

const answerLimit = 6000; // ms
const longestDrift = 100; // ms, between two clocks of the browser
type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;

/** What was asked of the station, what became of it, and the movement that is held. */
export class Requests {
  asked = $state.raw<ReadonlyMap<number, Asked>>(new Map());
  holds = $state('HALT');
  ignores = $state(false); // what is held: it has to be let go first

  private readonly deadMan = new DeadMan();
  private readonly stationClock = new PeerClock();
  private clockDrift = Date.now() - performance.now();
  private nextId = 1;

  constructor(
    private readonly known: Known,
    private readonly hands: Hands,
  ) {}

  /** Returns the id of the request, or null if it was not sent, which the notices show. */
  ask(request: WithoutId<Request>, asked: Omit<Asked, 'at'>): number | null {
    const id = this.nextId++;
    this.hands.onAsk();
    if (!this.hands.send({ ...request, id } as Request)) {
      this.dropMovement();
      if (asked.stops) return null; // shown until it is confirmed
      this.hands.notices.add('refused', `Not sent: ${asked.what}`, 'there is no connection to the station');
      return null;
    }
    this.asked = new Map(this.asked).set(id, { ...asked, at: performance.now() });
    return id;
  }

  /** Same, for a command as text. */
  command(robot: string, command: string, { renews = false, what = command, at = performance.now(), quiet = false, done }: CommandOptions = {}): number | null {
    const given = this.stationClock.theirsAt(at / 1000);
    const when = given === null ? { age: Math.max(0, performance.now() - at) / 1000 } : { given };
    return this.ask({ type: 'command', robot, command, ...when }, { what, robot, renews, quiet, ...(done && { done }) });
  }

  isAsked(what: string, robot: string): boolean {
    for (const asked of this.asked.values()) if (asked.what === what && asked.robot === robot) return true;
    return false;
  }

  /** Holds a movement until letGo(). `at`: the time of the key or the pointer, by performance.now(). */
  hold(movement: string, at = performance.now()): void {
    this.drive(this.deadMan.hold(movement, performance.now()), at);
  }

  /** Nothing is held any more. */
  letGo(): void {
    this.drive(this.deadMan.letGo());
  }

  /** Halts the robot. What may still be held moves nothing before it was let go. */
  interrupt(): void {
    this.drive(this.deadMan.interrupt());
  }

  /** Renews the movement that is held, if it is time. `at`: when the person was last known to hold it. */
  renew(now: number, at: number): void {
    this.noticeSuspend(now);
    const renewal = this.deadMan.due(now);
    if (renewal) this.drive(renewal, at);
  }

  learnClock({ sent, at, stalled }: Clock): void {
    this.stationClock.learn(sent, at + (stalled ?? 0), performance.now() / 1000, stalled);
  }

  /** The connection has changed: nothing that was sent will be answered any more. */
  lost(): void {
    for (const { what, renews, stops } of this.asked.values())
      if (!renews && !stops) this.hands.notices.add('refused', `No answer: ${what}`, 'the connection was lost before it came');
    this.dropMovement();
    this.asked = new Map();
    this.stationClock.reset(performance.now() / 1000);
  }

  onAnswer(answer: Answer): void {
    const asked = this.asked.get(answer.id);
    if (!asked) return;
    // What takes a while is answered twice.
    if (!answer.final) return void (asked.at = Infinity);
    this.forget(answer.id);
    const refused = answer.kind === 'REFUSED';
    const why = refusalText(answer.refusal, withPlainNames(answer.text, this.known.newest.you));
    asked.done?.(refused, answer.text);
    if (asked.renews) {
      this.deadMan.answered(refused);
      this.showHeld();
    }
    if (asked.stops) this.hands.stops.answered(answer.id, refused ? why : '');
    if (refused && asked.stops) return;
    const who = answer.robot ?? 'The station';
    // The robot has refused nothing if its link was lost.
    const title = answer.text.startsWith('the link was lost before') ? `No result: ${asked.what}` : `${who} refused: ${asked.what}`;
    if (refused) this.hands.notices.add('refused', title, why, answer.refusal ?? '');
    else if (asked.what !== 'drive' && !asked.quiet) this.hands.notices.add('done', `${who}: ${asked.what}`, doneText(answer.text));
  }

  /** Gives up what was not answered in time. */
  expire(ms: number): void {
    for (const [id, asked] of this.asked) {
      if (ms - asked.at < answerLimit) continue;
      this.forget(id);
      if (asked.renews) {
        this.deadMan.answered(true);
        this.showHeld();
      }
      if (asked.stops) this.hands.stops.answered(id, 'the station did not answer');
      else this.hands.notices.add('refused', `No answer: ${asked.what}`, 'the station has not reported a result');
    }
  }

  private forget(id: number): void {
    const left = new Map(this.asked);
    left.delete(id);
    this.asked = left;
  }

  private drive(command: string | null, at?: number): void {
    this.showHeld();
    if (command) this.command(this.known.picked, command, { renews: this.holds !== 'HALT', what: 'drive', ...(at !== undefined && { at }) });
  }

  private showHeld(): void {
    this.holds = this.deadMan.holds;
    this.ignores = this.deadMan.ignores;
  }

  private dropMovement(): void {
    this.deadMan.reset();
    this.showHeld();
  }

  /** Detects that the machine was suspended: in some browsers performance.now() does not advance then. */
  private noticeSuspend(now: number): void {
    const drift = Date.now() - now;
    if (Math.abs(drift - this.clockDrift) < longestDrift) return;
    this.clockDrift = drift;
    this.stationClock.reset(now / 1000);
  }
}
