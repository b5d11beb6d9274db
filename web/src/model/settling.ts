/** Time in ms for which a control that has appeared, moved or got another meaning accepts no press. */
export const settleTime = 1000;
/** Same, of a release, which may appear where a person has just pressed STOP, perhaps several times. */
export const releaseSettleTime = 2000;

/**
 * Decides whether a press is meant for a control, or for what was in its place before. A press that is too early
 * begins the time anew, so that repeated presses never get through.
 */
export class Settling {
  private until = -Infinity; // ms

  constructor(private time: number) {}

  /** The control has appeared, moved or got another meaning. */
  changed(now: number, time = this.time): void {
    this.time = time;
    this.until = now + time;
  }

  /** Whether a press counts that began at `at`, now that it has ended. */
  accepts(at: number, now = at): boolean {
    if (at >= this.until) return true;
    this.until = now + this.time;
    return false;
  }

  /** ms until a press counts. */
  left(now: number): number {
    return Math.max(0, this.until - now);
  }
}
