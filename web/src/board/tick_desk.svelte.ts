import { checkTickRecording, type TickRecording } from '../generated/data';
import { quoted } from '../model/quoted';
import { readTickRecording } from '../model/tick_recording';
import type { Known } from './known.svelte';
import type { Memory } from './memory.svelte';
import type { Notices } from './notices.svelte';
import type { Requests } from './requests.svelte';

const answerLimit = 7000; // ms
const longest = 600; // s, that the timeline shows
const what = 'recording of its ticks';

/** The recording that the picked robot keeps of its latest ticks. */
export class TickDesk {
  /** While a recording is fetched. */
  busy = $state(false);

  constructor(
    private readonly known: Known,
    private readonly requests: Requests,
    private readonly memory: Memory,
    private readonly notices: Notices,
  ) {}

  /** Adds it to the history of the robot's behaviors. */
  async load(): Promise<void> {
    const robot = this.known.picked;
    await this.use(robot, (bytes, { zero }) => {
      const behaviors = this.known.newest.robots[robot]?.behaviors;
      const moments = readTickRecording(bytes, { zero, nodes: behaviors?.tree ?? [], from: this.known.now - longest });
      this.memory.historyOf(robot).addRecorded(moments);
    });
  }

  /** Saves it as a file. */
  async save(): Promise<void> {
    const robot = this.known.picked;
    await this.use(robot, (bytes) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
      link.download = `${robot}.behavior`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  private async use(robot: string, take: (bytes: Uint8Array<ArrayBuffer>, offer: TickRecording) => void): Promise<void> {
    this.busy = true;
    try {
      const offer: unknown = JSON.parse(await this.ask(robot, 'record'));
      const fault = checkTickRecording(offer, 'recording');
      if (fault) throw new RangeError(fault);
      take(await this.fetch(robot, offer as TickRecording), offer as TickRecording);
    } catch (error) {
      // A refusal has a notice of its own.
      if (error instanceof RangeError || error instanceof SyntaxError) this.notices.add('refused', `Not read: ${what}`, error.message);
    } finally {
      this.busy = false;
    }
  }

  private async fetch(robot: string, { number, bytes: size }: TickRecording): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const piece = Uint8Array.from(atob(await this.ask(robot, `record ${number} ${at}`)), (char) => char.charCodeAt(0));
      if (piece.length === 0 || piece.length > size - at) throw new RangeError('the robot sent a malformed piece');
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Rejects if the robot refuses, or does not answer in time. */
  private ask(robot: string, line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), answerLimit);
      const done = (refused: boolean, text: string) => {
        clearTimeout(timer);
        if (refused) reject(new Error('refused'));
        else resolve(text);
      };
      if (this.requests.command(robot, `behaviors line=${quoted(line)}`, { what, quiet: true, done }) === null) done(true, '');
    });
  }
}
