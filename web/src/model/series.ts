import type { Variable } from './sections';

/** Values over time, as uPlot takes them. null: a gap, in which nothing was heard. */
export type Series = [at: number[], values: (number | null)[]];

/** The past of the numbers on one robot's bus, as far as the page has received it. */
export class SeriesBook {
  private readonly all = new Map<string, { series: Series; written: number }>();
  private heard = -Infinity; // time of the last update

  static readonly most = 1200; // values of a variable
  static readonly mostVariables = 500;
  static readonly silence = 3; // s without an update, after which a value is not known to have lasted

  /** `now`: the time of this update. */
  add(variables: Variable[], now: number): void {
    if (now - this.heard > SeriesBook.silence) this.break();
    this.heard = now;
    for (const { name, number, at } of variables) {
      if (number === undefined) continue;
      let one = this.all.get(name);
      if (!one && this.all.size >= SeriesBook.mostVariables) continue;
      if (!one) this.all.set(name, (one = { series: [[], []], written: -Infinity }));
      const [times, values] = one.series;
      if (at < one.written) times.length = values.length = 0;
      if (at === one.written && values.at(-1) !== null) continue;
      // A value that has outlasted a gap goes on from now.
      times.push(at === one.written ? now : Math.max(at, times.at(-1) ?? at));
      values.push(number);
      one.written = at;
      if (times.length > SeriesBook.most) for (const list of one.series) list.splice(0, SeriesBook.most / 10);
    }
  }

  of(name: string): Series {
    return this.all.get(name)?.series ?? [[], []];
  }

  private break(): void {
    for (const { series: [times, values] } of this.all.values()) {
      const last = times.at(-1);
      if (last === undefined || values.at(-1) === null) continue;
      times.push(Math.max(this.heard, last) + 0.001);
      values.push(null);
    }
  }
}
