import { checkMarineAnswer, checkMarineConfig, checkMarineEvents, type Check, type MarineAnswer, type MarineConfig, type MarineEvent, type MarineEvents } from '../generated/data';
import { MarinePlayer, MarineScene } from '../model/marine_scene';

const pollPause = 200; // ms
const retryPause = 1000; // ms
const lostAfter = 1500; // ms without an answer
const agesPause = 250; // ms between two pictures if only ages change
const pulsePause = 50; // ms while something grows or ends

async function ask<T>(path: string, check: Check): Promise<T> {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const value: unknown = await response.json();
  const wrong = check(value, path);
  if (wrong) throw new Error(wrong);
  return value as T;
}

/** The data of the marine view: what the broker sends, or a recording that is played. */
export class MarineFeed {
  config = $state.raw<MarineConfig | null>(null);
  scope = $state.raw<MarineEvents['scope']>([]);
  refusals = $state.raw<string[]>([]);
  refused = $state(0);
  connected = $state(false);
  /** Grows with each change of the scene, which is not observed itself. */
  version = $state(0);
  now = $state(0); // s, UNIX time, warped
  answer = $state<string>('');

  // Of a replay.
  playing = $state(false);
  speed = $state(1);

  scene = new MarineScene(100);
  private next = 0;
  private player: MarinePlayer | null = null;
  private heard = { stamp: 0, at: 0 };
  private drawn = 0;
  private ended = false;

  start(): () => void {
    void this.run();
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(this: MarineFeed, time: number) {
      this.advance(time, Math.min(0.25, (time - last) / 1000));
      last = time;
      frame = requestAnimationFrame(tick.bind(this));
    }.bind(this));
    return () => {
      this.ended = true;
      cancelAnimationFrame(frame);
    };
  }

  private async run(): Promise<void> {
    while (!this.ended) {
      let pause = pollPause;
      try {
        await this.poll();
      } catch {
        pause = retryPause;
      }
      if (this.config && !this.config.live) return;
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  private async poll(): Promise<void> {
    if (!this.config) {
      this.config = await ask<MarineConfig>('/marine/config.json', checkMarineConfig);
      this.scene = new MarineScene(this.config.trail_length);
    }
    const events = await ask<MarineEvents>(`/marine/events.json?after=${this.next}`, checkMarineEvents);
    if (!this.config.live) return this.load(events.events);
    // A broker that was started again may have another configuration.
    if (events.complete && this.next > 0) this.config = await ask<MarineConfig>('/marine/config.json', checkMarineConfig);
    if (events.complete) this.scene = new MarineScene(this.config.trail_length);
    for (const event of events.events) this.scene.apply(event);
    if (events.events.length > 0 || events.complete) this.version += 1;
    this.next = events.next;
    this.scope = events.scope;
    this.refused = events.refused;
    this.refusals = events.refusals;
    this.heard = { stamp: events.now, at: performance.now() };
    if (events.events.length > 0) this.now = events.now;
  }

  private load(events: MarineEvent[]): void {
    this.player = new MarinePlayer(events, this.config?.trail_length ?? 100);
    this.connected = true;
    this.seek(events[0]?.at ?? this.config?.start ?? 0);
  }

  private advance(time: number, seconds: number): void {
    if (!this.config) return;
    if (this.config.live) {
      const silence = time - this.heard.at;
      this.connected = this.heard.at > 0 && silence < lostAfter;
      const moves = [...this.scene.shapes.values()].some((shape) => shape.duration !== null);
      if (time - this.drawn < (moves ? pulsePause : agesPause)) return;
      this.drawn = time;
      // Without answers the ages go on.
      if (this.heard.at > 0) this.now = this.heard.stamp + (Math.max(0, silence) / 1000) * this.config.warp;
    } else if (this.playing) {
      const end = this.config.end ?? this.now;
      this.seek(Math.min(end, this.now + seconds * this.speed));
      if (this.now >= end) this.playing = false;
    }
  }

  seek(time: number): void {
    if (!this.player) return;
    this.player.seek(time);
    this.scene = this.player.scene;
    this.now = time;
    this.version += 1;
  }

  /** Presses a button or clicks the map; shows what was published. */
  async press(what: Record<string, string | number>): Promise<void> {
    const body = new URLSearchParams(Object.entries(what).map(([name, value]) => [name, String(value)]));
    try {
      const response = await fetch('/marine/press', { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
      const answer: unknown = await response.json();
      const wrong = checkMarineAnswer(answer, 'answer');
      if (wrong) throw new Error(wrong);
      const { written, error } = answer as MarineAnswer;
      this.answer = error || written.map(({ name, value }) => `${name} = ${value}`).join(', ');
    } catch (error) {
      this.answer = `Not published: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
