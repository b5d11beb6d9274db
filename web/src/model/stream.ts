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
  | { is: 'connecting' }
  | { is: 'open' }
  | { is: 'lost'; why: string; retryAt: number };

export interface StreamEvents {
  onState(state: StreamState): void;
  onMessage(message: Message): void;
}

/**
 * The connection to the station. Once open()ed it comes back by itself, each time a little later, until
 * close(). tick() has to be called now and then.
 */
export class Stream {
  state: StreamState = { is: 'closed' };
  private socket: Socket | null = null;
  private failures = 0;

  static readonly pauses = [500, 1000, 2000, 4000]; // ms

  constructor(
    private readonly dial: () => Socket,
    private readonly now: () => number,
    private readonly events: StreamEvents,
  ) {}

  open(): void {
    if (this.state.is === 'connecting' || this.state.is === 'open') return;
    const socket = this.dial();
    this.socket = socket;
    this.enter({ is: 'connecting' });
    socket.onopen = () => this.enter({ is: 'open' });
    socket.onmessage = ({ data }) => {
      const message = typeof data === 'string' ? readMessage(data) : null;
      if (!message) return;
      this.failures = 0;
      this.events.onMessage(message);
    };
    socket.onclose = ({ reason }) => {
      this.drop();
      const pause = Stream.pauses[Math.min(this.failures, Stream.pauses.length - 1)] ?? 0;
      this.failures += 1;
      this.enter({ is: 'lost', why: reason || 'the station does not answer', retryAt: this.now() + pause });
    };
  }

  close(): void {
    this.drop()?.close();
    this.failures = 0;
    this.enter({ is: 'closed' });
  }

  tick(): void {
    if (this.state.is === 'lost' && this.now() >= this.state.retryAt) this.open();
  }

  /** Whether it went out. What cannot go out now is not sent later: nobody would expect it then. */
  send(request: Request): boolean {
    if (this.state.is !== 'open' || !this.socket) return false;
    this.socket.send(JSON.stringify(request));
    return true;
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
