import type { Robot } from './picture';

/** A stop that was requested and is not confirmed. */
export interface OpenStop {
  robot: string;
  id: number | null; // of the request under way; null: it has to be sent again
  since: number; // ms
  sentAt: number; // ms
  why: string; // it is not confirmed; empty: the answer is awaited
  ofStation?: true; // the station has it, and sends it again; otherwise, this page does
}

/** Where the book is kept while the page is loaded again: sessionStorage. */
export interface StopStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/**
 * The requested stops, one per robot, until each is confirmed or dismissed. A stop is confirmed by its
 * answer or by fresh data that shows the robot stopped. One that failed is due again as soon as the robot can be
 * reached, however long that takes, also after the page was loaded again.
 */
export class StopBook {
  private stops: readonly OpenStop[] = [];

  static readonly key = 'unconfirmed stops';

  static readonly pause = 1000; // ms between two attempts
  static readonly quiet = 1500; // ms; most are confirmed sooner, and are not worth a warning

  constructor(
    private readonly store: StopStore | null = null,
    now = 0,
  ) {
    const why = 'the page was loaded again before it was confirmed';
    const restored = (robot: string): OpenStop => ({ robot, id: null, since: now - StopBook.quiet, sentAt: now - StopBook.pause, why });
    this.stops = storedRobots(store).map(restored);
  }

  get open(): readonly OpenStop[] {
    return this.stops;
  }

  private set open(stops: readonly OpenStop[]) {
    this.stops = stops;
    this.store?.setItem(StopBook.key, JSON.stringify(stops.map(({ robot }) => robot)));
  }

  /** `id`: of the request that carries it; null: it could not be sent. */
  add(robot: string, id: number | null, now: number, why = ''): void {
    const known = this.open.find((each) => each.robot === robot);
    const stop = { robot, id, since: known?.since ?? now, sentAt: now, why };
    this.open = [...this.open.filter((each) => each.robot !== robot), stop];
  }

  /** What became of a request, which may be for several robots. `why`: empty, it is done. */
  answered(id: number, why: string): void {
    const concerned = this.open.filter((each) => each.id === id).map(({ robot }) => robot);
    this.open = this.open.flatMap((each) => {
      const reason = each.id === id ? reasonFor(each.robot, concerned, why) : '';
      if (each.id !== id) return [each];
      return reason ? [{ ...each, id: null, why: reason }] : [];
    });
  }

  /** The connection is lost, and with it every answer. */
  lost(why: string): void {
    this.open = this.open.map((each) => (each.id === null ? each : { ...each, id: null, why }));
  }

  confirmed(robot: string): void {
    if (this.has(robot)) this.open = this.open.filter((each) => each.robot !== robot);
  }

  dismiss(robot: string): void {
    this.confirmed(robot);
  }

  has(robot: string): boolean {
    return this.open.some((each) => each.robot === robot);
  }

  /** Robots whose stop has to be sent again now. */
  due(now: number): string[] {
    return this.open.filter((each) => each.id === null && now - each.sentAt >= StopBook.pause).map(({ robot }) => robot);
  }

  /** What people have to know of. */
  warnings(now: number): OpenStop[] {
    return this.open.filter((each) => now - each.since >= StopBook.quiet || (each.id === null && each.why !== ''));
  }
}

/** The stops that the station has, whoever requested them, and sends again by itself. */
export function stopsOfStation(robots: Readonly<Record<string, Pick<Robot, 'status'>>>, now: number): OpenStop[] {
  return Object.entries(robots).flatMap(([robot, { status }]) => {
    const stop = status?.stop_pending;
    return stop ? [{ robot, id: null, since: now, sentAt: now, why: `${stop.why || 'no answer yet'} (requested by ${stop.by})`, ofStation: true as const }] : [];
  });
}

/** What people have to know of a stop that is not confirmed. `linked`: the station is connected; `off`: the robot is in RM0. */
export function openStopText({ robot, why, ofStation }: OpenStop, { linked, off }: { linked: boolean; off: boolean }): { title: string; text: string } {
  const reason = why || 'no answer yet';
  if (!robot) return { title: 'STOP of all live robots is not confirmed', text: `${reason}. Close the recording to see them.` };
  if (ofStation && !linked)
    return {
      title: `STOP of ${robot} was not confirmed when the station was last heard`,
      text: `${reason}. Whether it has been confirmed since, or will be sent again, is not known. If it moves, stop it at the robot.`,
    };
  if (off && linked) return { title: `STOP of ${robot} waits`, text: 'it is off (RM0), and its motors with it. It is stopped as soon as it is started again.' };
  const again = linked ? `It is sent again as soon as ${robot} can be reached.` : 'This page sends it again as soon as it reaches the station.';
  return { title: `STOP of ${robot} is not confirmed`, text: `${reason}. ${again} If it moves, stop it at the robot.` };
}

/**
 * The part of an answer that is about one robot. That of a group is `1 stopped; bee: UNAVAILABLE: bee is not connected`, with
 * the robots that were not stopped; the others were. Any other text is about all of them.
 */
export function reasonFor(robot: string, concerned: readonly string[], text: string): string {
  if (!/^\d+ stopped; /.test(text)) return text;
  const begins = concerned.map((name) => ({ name, at: text.indexOf(`; ${name}: `) })).filter(({ at }) => at >= 0);
  const mine = begins.find(({ name }) => name === robot);
  if (!mine) return '';
  const end = Math.min(text.length, ...begins.filter(({ at }) => at > mine.at).map(({ at }) => at));
  // The code of the refusal is for programs.
  return text.slice(mine.at + `; ${robot}: `.length, end).replace(/^[A-Z_]+: /, '');
}

function storedRobots(store: StopStore | null): string[] {
  try {
    const robots: unknown = JSON.parse(store?.getItem(StopBook.key) ?? '[]');
    return Array.isArray(robots) ? robots.filter((robot) => typeof robot === 'string') : [];
  } catch {
    return [];
  }
}
