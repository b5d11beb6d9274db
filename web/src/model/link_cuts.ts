/** The links of robots that this page has cut, for as long as they stay so. Times in s, of one clock. */
export class LinkCuts {
  private readonly cuts = new Map<string, { id: number; until: number }>();

  add(robot: string, id: number, until: number): void {
    this.cuts.set(robot, { id, until });
  }

  /** The request with this id was refused: nothing is cut. */
  refused(id: number): void {
    for (const [robot, cut] of this.cuts) if (cut.id === id) this.cuts.delete(robot);
  }

  /** Seconds until the robot's link is restored; 0: this page has not cut it. */
  left(robot: string, now: number): number {
    return Math.max(0, (this.cuts.get(robot)?.until ?? 0) - now);
  }
}
