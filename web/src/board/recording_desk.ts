import type { Requests } from './requests.svelte';

/** Recordings of the station, and the replay of one of them. */
export class RecordingDesk {
  private seekNext: number | null = null; // where the replay goes after the seek that is under way

  constructor(private readonly requests: Requests) {}

  record(action: 'start' | 'stop'): void {
    this.requests.ask({ type: 'record', action }, { what: `${action} recording`, robot: '' });
  }

  delete(name: string): void {
    this.requests.ask({ type: 'record', action: 'delete', name }, { what: `delete ${name}`, robot: '' });
  }

  open(name: string): void {
    this.requests.interrupt();
    this.requests.ask({ type: 'replay', action: 'open', name }, { what: `open ${name}`, robot: '' });
  }

  steer(action: 'play' | 'pause' | 'close'): void {
    this.requests.ask({ type: 'replay', action }, { what: `${action} the recording`, robot: '', quiet: true });
  }

  /** One at a time: while one is under way, only the last place that was requested counts. */
  seek(to: number): void {
    this.seekNext = this.requests.isAsked('seek', '') ? to : null;
    if (this.seekNext !== null) return;
    const done = () => this.seekNext !== null && this.seek(this.seekNext);
    this.requests.ask({ type: 'replay', action: 'seek', to }, { what: 'seek', robot: '', quiet: true, done });
  }

  setSpeed(speed: number): void {
    this.requests.ask({ type: 'replay', action: 'speed', speed }, { what: `speed ${speed}`, robot: '', quiet: true });
  }
}
