interface Trip {
  at: number;
  duration: number;
  ahead: number;
}

/**
 * Estimates by how many seconds the station's clock is ahead of the page's, from round trips. The fastest round trip of the
 * last 10 s is used; its error is at most half of its duration. All times are seconds of clocks that are never set.
 */
export class PeerClock {
  // In order of time. A trip is removed when a later one is as fast, so that the first is the fastest.
  private trips: Trip[] = [];
  private since = 0;

  static readonly memory = 10; // s

  /**
   * Adds a round trip: we asked at `sent`, the station replied at `theirs` by its clock, and the reply arrived at `now`. The
   * question may have waited for up to `stalled` seconds in front of a station that did not run: the station is then taken to be
   * ahead by as little as that allows, so that nothing that we date looks younger than it is.
   */
  learn(sent: number, theirs: number, now: number, stalled = 0): void {
    if (now < sent || sent < this.since) return;
    const waited = Math.min(stalled, now - sent);
    const trip = { at: now, duration: now - sent, ahead: theirs - (sent + now + waited) / 2 };
    this.trips = [...this.trips.filter(({ duration }) => duration < trip.duration), trip];
    while (this.trips.length > 1 && (this.trips[0]?.at ?? 0) < now - PeerClock.memory) this.trips.shift();
  }

  /** Forgets all round trips, and ignores those that began before `now`. */
  reset(now: number): void {
    this.trips = [];
    this.since = now;
  }

  /** Returns the station's time at our time `ours`; null before the first round trip. */
  theirsAt(ours: number): number | null {
    const [fastest] = this.trips;
    return fastest ? ours + fastest.ahead : null;
  }
}
