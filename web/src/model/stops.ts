/** A stop that somebody asked for and that is not confirmed. */
export interface OpenStop {
  robot: string;
  id: number | null; // of the request under way; null: it has to be sent again
  since: number; // ms
  sentAt: number; // ms
  why: string; // it is not confirmed; empty: the answer is awaited
}

/**
 * The stops that were asked for, one per robot, until each is confirmed or dismissed. A stop is confirmed by its
 * answer or by fresh data that shows the robot stopped. One that failed is due again as soon as the robot can be
 * reached, however long that takes.
 */
export class StopBook {
  open: readonly OpenStop[] = [];

  static readonly pause = 1000; // ms between two attempts
  static readonly quiet = 1500; // ms; most are confirmed sooner, and are not worth a warning

  /** `id`: of the request that carries it; null: it could not be sent. */
  add(robot: string, id: number | null, now: number, why = ''): void {
    const known = this.open.find((each) => each.robot === robot);
    const stop = { robot, id, since: known?.since ?? now, sentAt: now, why };
    this.open = [...this.open.filter((each) => each.robot !== robot), stop];
  }

  /** What became of a request. `why`: empty, it is done. */
  answered(id: number, why: string): void {
    this.open = why
      ? this.open.map((each) => (each.id === id ? { ...each, id: null, why } : each))
      : this.open.filter((each) => each.id !== id);
  }

  /** The connection is lost, and with it every answer. */
  lost(why: string): void {
    this.open = this.open.map((each) => ({ ...each, id: null, why }));
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
