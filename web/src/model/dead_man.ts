import { isVelocity } from './movement';

/**
 * A movement or a velocity that is held. It is sent again and again, each time with a short life, so that the robot halts
 * by itself when nothing comes any more; letting go halts it at once. While too many renewals are
 * unanswered nothing is sent: what waits in a slow line would drive the robot later, when no key is held.
 */
export class DeadMan {
  private held = 'HALT';
  private next = 0;
  private unanswered = 0;
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

  /** The command to be sent at once, if there is one. */
  hold(movement: string, now: number): string | null {
    if (movement === this.held) return null;
    const changes = isVelocity(movement) && isVelocity(this.held);
    this.held = movement;
    this.next = changes ? Math.min(this.next, this.sentAt + DeadMan.everyVelocity) : now;
    if (movement !== 'HALT') return this.due(now);
    return 'move movement=HALT';
  }

  letGo(): string | null {
    return this.hold('HALT', 0);
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
    if (refused) this.held = 'HALT';
  }

  /** Nothing that was sent will be answered any more. */
  reset(): void {
    this.held = 'HALT';
    this.unanswered = 0;
  }
}
