import type { Variable } from './sections';

/** Values over time, as uPlot takes them. */
export type Series = [at: number[], values: number[]];

/** The past of the numbers on one robot's bus, as far as the page was told. */
export class SeriesBook {
  private readonly all = new Map<string, Series>();

  static readonly most = 1200; // values of a variable
  static readonly mostVariables = 500;

  add(variables: Variable[]): void {
    for (const { name, value, at } of variables) {
      if (typeof value !== 'number') continue;
      let series = this.all.get(name);
      if (!series && this.all.size >= SeriesBook.mostVariables) continue;
      if (!series) this.all.set(name, (series = [[], []]));
      const last = series[0].at(-1);
      if (last !== undefined && at < last) for (const list of series) list.length = 0;
      if (last === at) continue;
      series[0].push(at);
      series[1].push(value);
      if (series[0].length > SeriesBook.most) for (const list of series) list.splice(0, SeriesBook.most / 10);
    }
  }

  of(name: string): Series {
    return this.all.get(name) ?? [[], []];
  }
}
