import { isVelocity } from './movement';

/**
 * A movement or a velocity that is held. It is sent again and again, each time with a short life, so that the robot halts
 * by itself when nothing comes any more; letting go halts it at once. While too many renewals are
 * unanswered nothing is sent: what waits in a slow line would drive the robot later, when no key is held. A movement that was
 * refused or interrupted is ignored until everything is let go: what stood against it, such as a stop, may end at any time,
 * and the robot must not drive then because of a stick that has been held since before.
 */
export class DeadMan {
  private held = 'HALT';
  private next = 0;
  private unanswered = 0;
  private ignored = false;
  private sentAt = -Infinity;

  static readonly every = 150; // ms
  static readonly life = 400; // ms
  static readonly everyVelocity = 50; // ms; a stick changes all the time
  static readonly mostUnanswered = 4;

  get holds(): string {
    return this.held;
  }

  get waits(): boolean {
    return this.unanswered >= DeadMan.mostUnanswered;
  }

  /** Whether something may still be held that moves nothing before it was let go. */
  get ignores(): boolean {
    return this.ignored;
  }

  /** The command to be sent at once, if there is one. HALT: nothing is held any more. */
  hold(movement: string, now: number): string | null {
    if (movement === 'HALT') this.ignored = false;
    if (movement === this.held || this.ignored) return null;
    const changes = isVelocity(movement) && isVelocity(this.held);
    this.held = movement;
    this.next = changes ? Math.min(this.next, this.sentAt + DeadMan.everyVelocity) : now;
    if (movement !== 'HALT') return this.due(now);
    return 'move movement=HALT';
  }

  letGo(): string | null {
    return this.hold('HALT', 0);
  }

  /** Ends the movement although it may still be held. Returns the command to be sent at once, if there is one. */
  interrupt(): string | null {
    const command = this.held === 'HALT' ? null : 'move movement=HALT';
    this.drop();
    return command;
  }

  /** The command to be sent now, if there is one. */
  due(now: number): string | null {
    if (this.held === 'HALT' || now < this.next || this.waits) return null;
    this.next = now + DeadMan.every;
    this.sentAt = now;
    this.unanswered += 1;
    const order = isVelocity(this.held) ? `drive ${this.held}` : `move movement=${this.held}`;
    return `${order} ttl=${DeadMan.life}ms`;
  }

  /** A renewal was answered. */
  answered(refused: boolean): void {
    this.unanswered = Math.max(0, this.unanswered - 1);
    if (refused) this.drop();
  }

  /** Nothing that was sent will be answered any more. */
  reset(): void {
    this.drop();
    this.unanswered = 0;
  }

  private drop(): void {
    this.ignored ||= this.held !== 'HALT';
    this.held = 'HALT';
  }
}
