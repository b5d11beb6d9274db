import type { Behaviors } from './sections';

/** The behaviors at one moment; of those before the page was opened, only the stack is known. */
export type Moment = Pick<Behaviors, 'at' | 'tick' | 'tree' | 'stack' | 'states'> & Partial<Behaviors> & { ends?: number }; // ends: nothing is known from then on

export interface Lane {
  id: string;
  spans: [from: number, to: number][];
}

const pushed = /^(\S+) pushed by /;
const popped = /^(\S+) popped\b/;

/**
 * The moments before `now` that its recent events show, the oldest first. Only the stack is known of them: their states
 * are empty.
 */
export function earlierMoments(now: Behaviors): Moment[] {
  const moments: Moment[] = [];
  let stack = now.stack;
  for (const { at, text } of [...now.recent].reverse()) {
    const [, pushes] = pushed.exec(text) ?? [];
    const [, pops] = popped.exec(text) ?? [];
    if (!pushes && !pops) continue;
    // Events of one tick lead to one moment: the stack after the last of them.
    if (moments.at(-1)?.at !== at) moments.push({ at, tick: now.tick, tree: now.tree, stack, states: {} });
    if (pushes && stack.at(-1) !== pushes) break; // not all events are known
    stack = pushes ? stack.slice(0, -1) : [...stack, pops!];
  }
  return moments.reverse();
}

/** What the behaviors of one robot did: a moment for each change. */
export class BehaviorHistory {
  readonly moments: Moment[] = [];
  /** Until when the last moment is known to have lasted. */
  until = 0;
  private addedAt = 0; // the time of the data that was added last
  private seenAt = 0;
  private heardSince = 0; // after a gap

  static readonly most = 2000; // moments
  static readonly answer = 2; // s until the station has sent behaviors that have changed during a gap

  get from(): number {
    return this.moments[0]?.at ?? 0;
  }

  /** `gap`: seconds without data after which nothing is known of the time between, except by the recent events. */
  add(now: Behaviors, seenAt = now.at, gap = Infinity): void {
    // The robot started again, or a recording was wound back.
    if (now.at < this.addedAt) this.moments.length = this.until = this.seenAt = 0;
    this.addedAt = now.at;
    if (seenAt - this.until > gap) this.end();
    const { recent: _, ...moment } = now;
    const last = this.moments.at(-1);
    if (!last) this.moments.push(...earlierMoments(now).filter(({ at }) => at < now.at), moment);
    else if (last.ends !== undefined) this.resume(now, last, { ...moment, at: now.at > this.until ? now.at : seenAt });
    else if (!same(last, moment)) this.moments.push(moment);
    this.until = Math.max(this.until, this.moments.at(-1)?.at ?? 0, now.at);
    if (this.moments.length > BehaviorHistory.most) this.moments.splice(0, BehaviorHistory.most / 10);
  }

  /** The robot was heard, and its behaviors have not changed, or have just been added. */
  see(at: number, gap: number): void {
    const last = this.moments.at(-1);
    if (!last || at <= this.until) return;
    if (at - Math.max(this.until, this.seenAt) > gap) {
      this.end();
      this.heardSince = at;
    } else if (last.ends === undefined) this.until = at;
    else if (at - this.heardSince > BehaviorHistory.answer) {
      const { ends: _, ...same } = last;
      this.moments.push({ ...same, at });
      this.until = at;
    }
    this.seenAt = at;
  }

  /** Takes over a recording of the robot up to now, the oldest first, which also fills the gaps. */
  addRecorded(recorded: Moment[]): void {
    const last = this.moments.at(-1);
    const first = recorded[0];
    if (!last || !first) return;
    const before = this.moments.filter(({ at }) => at < first.at && at < last.at);
    this.moments.splice(0, this.moments.length, ...before, ...recorded.filter(({ at }) => at < last.at), last);
    if (this.moments.length > BehaviorHistory.most) this.moments.splice(0, this.moments.length - BehaviorHistory.most);
  }

  /** As it was then; null: not known. */
  at(time: number): Moment | null {
    let low = 0;
    let high = this.moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.moments[middle]?.at ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    const moment = this.moments[low - 1] ?? this.moments[0] ?? null;
    return moment?.ends !== undefined && moment.ends < time ? null : moment;
  }

  /** The times of which nothing is known, up to `now`. */
  gaps(from: number, now: number): Lane['spans'] {
    const gaps: Lane['spans'] = [];
    this.moments.forEach(({ ends }, i) => {
      const to = this.moments[i + 1]?.at ?? now;
      if (ends !== undefined && to > Math.max(ends, from)) gaps.push([Math.max(ends, from), to]);
    });
    return gaps;
  }

  /** Which behavior was on the stack when, in the order of the tree. */
  lanes(from: number): Lane[] {
    const lanes = new Map<string, Lane>();
    this.moments.forEach((moment, i) => {
      const to = moment.ends ?? this.moments[i + 1]?.at ?? this.until;
      if (to < from) return;
      const start = Math.max(moment.at, from);
      for (const id of moment.stack) {
        let lane = lanes.get(id);
        if (!lane) lanes.set(id, (lane = { id, spans: [] }));
        const last = lane.spans.at(-1);
        if (last && last[1] === start) last[1] = to;
        else lane.spans.push([start, to]);
      }
    });
    const order = this.moments.at(-1)?.tree?.map(({ id }) => id) ?? [];
    return [...lanes.values()].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }

  private end(): void {
    const last = this.moments.at(-1);
    if (last) last.ends ??= this.until;
  }

  /** Goes on after a gap, which the recent events fill as far as they reach. */
  private resume(now: Behaviors, last: Moment, moment: Moment): void {
    const events = earlierMoments(now);
    const before = events.filter(({ at }) => at <= this.until).at(-1);
    // The same stack before the gap, and all events since.
    if (before && String(before.stack) === String(last.stack)) delete last.ends;
    this.moments.push(...events.filter(({ at }) => at > this.until && at < moment.at), moment);
  }
}

function same(a: Moment, b: Moment): boolean {
  const key = ({ stack, states, conditions, actions }: Moment) =>
    JSON.stringify([stack, states, conditions, actions]);
  return key(a) === key(b);
}
