import { readMessage, type Message, type Request } from './messages';

/** What a stream needs of a WebSocket. */
export interface Socket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

export type StreamState =
  | { is: 'closed' } // on purpose
  | { is: 'connecting'; after: string } // why it was lost before; empty: it was not
  | { is: 'open' }
  | { is: 'lost'; why: string; retryAt: number };

export interface StreamEvents {
  onState(state: StreamState): void;
  onMessage(message: Message): void;
}

/** The code with which a station that has too many clients closes a connection (RFC 6455). */
const tryAgainLater = 1013;

/**
 * The connection to the station. Once open()ed it comes back by itself, each time a little later, until
 * close(). Both ends send something at least once a second; one that is silent for three is lost, whatever the
 * socket says. tick() has to be called several times a second.
 */
export class Stream {
  state: StreamState = { is: 'closed' };
  private socket: Socket | null = null;
  private failures = 0;
  private heardAt = 0;
  private beatAt = 0;

  static readonly pauses = [500, 1000, 2000, 4000]; // ms
  static readonly silence = 3000; // ms without a message, after which the station counts as lost
  static readonly beat = 1000; // ms between two heartbeats

  constructor(
    private readonly dial: () => Socket,
    private readonly now: () => number,
    private readonly events: StreamEvents,
  ) {}

  /** Milliseconds since the last message of the station; Infinity: there is no connection. */
  get silentFor(): number {
    return this.state.is === 'open' ? this.now() - this.heardAt : Infinity;
  }

  open(): void {
    if (this.state.is === 'connecting' || this.state.is === 'open') return;
    const socket = this.dial();
    this.socket = socket;
    this.heardAt = this.now();
    this.enter({ is: 'connecting', after: this.state.is === 'lost' ? this.state.why : '' });
    socket.onopen = () => {
      this.heardAt = this.now();
      this.enter({ is: 'open' });
      this.beat();
    };
    socket.onmessage = ({ data }) => {
      const message = typeof data === 'string' ? readMessage(data) : null;
      this.heardAt = this.now();
      if (!message) return;
      this.failures = 0;
      this.events.onMessage(message);
    };
    socket.onclose = ({ code, reason }) => {
      if (code !== tryAgainLater) return this.lose(reason || 'the station does not answer');
      this.failures = Stream.pauses.length; // no place becomes free at once
      this.lose(reason.replace(/\.$/, '') || 'too many clients are connected');
    };
  }

  close(): void {
    this.drop()?.close();
    this.failures = 0;
    this.enter({ is: 'closed' });
  }

  tick(): void {
    const now = this.now();
    if (this.state.is === 'lost') {
      if (now >= this.state.retryAt) this.open();
    } else if (this.state.is !== 'closed' && now - this.heardAt >= Stream.silence) {
      const socket = this.socket;
      this.lose(`the station has been silent for ${Stream.silence / 1000} s`);
      socket?.close();
    } else if (this.state.is === 'open' && now - this.beatAt >= Stream.beat) {
      this.beat();
    }
  }

  /** Whether it went out. What cannot go out now is not sent later: nobody would expect it then. */
  send(request: Request): boolean {
    if (this.state.is !== 'open' || !this.socket) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }

  /** The station replies with its time, from which PeerClock computes the offset of the clocks. */
  private beat(): void {
    this.beatAt = this.now();
    this.send({ type: 'heartbeat', sent: this.beatAt / 1000 });
  }

  private lose(why: string): void {
    this.drop();
    const pause = Stream.pauses[Math.min(this.failures, Stream.pauses.length - 1)] ?? 0;
    this.failures += 1;
    this.enter({ is: 'lost', why, retryAt: this.now() + pause });
  }

  private drop(): Socket | null {
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    return socket;
  }

  private enter(state: StreamState): void {
    this.state = state;
    this.events.onState(state);
  }
}
