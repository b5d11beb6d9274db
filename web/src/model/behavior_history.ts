import type { Behaviors } from './sections';

export interface Lane {
  id: string;
  spans: [from: number, to: number][];
}

/** What the behaviors of one robot did while the page was open: a moment for each change. */
export class BehaviorHistory {
  readonly moments: Behaviors[] = [];
  /** Until when the last moment is known to have lasted. */
  until = 0;

  static readonly most = 2000; // moments

  get from(): number {
    return this.moments[0]?.at ?? 0;
  }

  add(now: Behaviors): void {
    const last = this.moments.at(-1);
    // The robot started again, or a recording was wound back.
    if (now.at < this.until) this.moments.length = 0;
    this.until = now.at;
    const { recent: _, ...moment } = now;
    if (last && this.moments.length > 0 && same(last, moment)) return;
    this.moments.push(moment);
    if (this.moments.length > BehaviorHistory.most) this.moments.splice(0, BehaviorHistory.most / 10);
  }

  /** As it was then. */
  at(time: number): Behaviors | null {
    let low = 0;
    let high = this.moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.moments[middle]?.at ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return this.moments[low - 1] ?? this.moments[0] ?? null;
  }

  /** Which behavior was on the stack when, in the order of the tree. */
  lanes(from: number): Lane[] {
    const lanes = new Map<string, Lane>();
    this.moments.forEach((moment, i) => {
      const to = this.moments[i + 1]?.at ?? this.until;
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
}

function same(a: Behaviors, b: Behaviors): boolean {
  const key = ({ stack, states, conditions, actions }: Behaviors) =>
    JSON.stringify([stack, states, conditions, actions]);
  return key(a) === key(b);
}
