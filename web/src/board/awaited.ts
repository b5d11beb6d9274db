/** Conditions that something waits for, checked whenever the state may have changed. */
export class Awaited {
  private open: { is: () => boolean; until: number; done: (held: boolean) => void }[] = [];

  /** Resolves to true once the condition holds, or to false when the time is over. */
  within(seconds: number, is: () => boolean): Promise<boolean> {
    return new Promise((done) => this.open.push({ is, until: performance.now() + seconds * 1000, done }));
  }

  check(): void {
    const ms = performance.now();
    const ended = this.open.filter(({ is, until }) => is() || ms > until);
    if (ended.length === 0) return;
    this.open = this.open.filter((each) => !ended.includes(each));
    for (const { is, done } of ended) done(is());
  }
}
