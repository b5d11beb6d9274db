import { isConnected } from '../model/modes';
import { mayBeStopped } from '../model/stop_state';
import { stopsOfStation, type OpenStop, type StopBook } from '../model/stops';
import type { Known } from './known.svelte';
import type { Requests } from './requests.svelte';

/**
 * Stops and releases. A stop that is not confirmed is sent again when its robot can be reached: by the station, which shows it
 * to everybody, or, if it did not get there, by this page.
 */
export class StopDesk {
  /** Stops that are not confirmed, and of which people have to know. */
  open = $state.raw<readonly OpenStop[]>([]);

  constructor(
    private readonly known: Known,
    private readonly requests: Requests,
    private readonly book: StopBook,
  ) {}

  /** Stops a robot. */
  stop(robot: string): void {
    this.requests.interrupt();
    this.send(robot);
  }

  /** Stops all robots, or those of a group. */
  stopAll(group = ''): void {
    const { newest } = this.known;
    if (this.known.isSharedReplay) return;
    this.requests.interrupt();
    const id = this.requests.ask({ type: 'stop_all', ...(group && { group }) }, { what: 'stop', robot: '', stops: true });
    // The robots of a recording are not those that are stopped.
    if (newest.replay) this.note('', id);
    else for (const [name, { status }] of Object.entries(newest.robots))
      if (!group || status?.groups.includes(group)) this.note(name, id);
    this.refresh();
  }

  release(robot = this.known.picked): void {
    this.requests.command(robot, 'release_stop', { what: 'release of the stop' });
  }

  /** Releases every robot that is stopped, or may be; of a group, if one is given. */
  releaseAll(group = ''): void {
    for (const [name, robot] of Object.entries(this.known.newest.robots))
      if (mayBeStopped(this.known.stopOf(robot)) && (!group || robot.status?.groups.includes(group)) && !this.known.obstacleTo(robot)) this.release(name);
  }

  dismiss(robot: string): void {
    this.book.dismiss(robot);
    if (this.known.newest.robots[robot]?.status?.stop_pending)
      this.requests.ask({ type: 'dismiss_stop', robot }, { what: 'dismissal of the stop', robot });
    this.refresh();
  }

  /** Sends those again that were not confirmed, now that their robots can be reached. */
  repeat(): void {
    const { connected, newest } = this.known;
    if (!connected) return;
    for (const robot of this.book.due(performance.now()))
      if (robot) {
        if (isConnected(newest.robots[robot]?.status ?? null)) this.send(robot);
      } else if (!newest.replay) {
        // It was given in a replay, which shows no live robot. From now on each robot has its own.
        this.book.dismiss(robot);
        this.stopAll();
      }
  }

  /** Must be called when data has arrived, or time has passed. */
  refresh(): void {
    const { newest } = this.known;
    for (const { robot } of this.book.open) {
      const now = newest.robots[robot];
      if (!now || newest.replay) continue;
      if (now.status?.stop_pending || this.known.stopOf(now).is === 'stopped') this.book.confirmed(robot);
    }
    const ms = performance.now();
    this.open = [...this.book.warnings(ms), ...(newest.replay ? [] : stopsOfStation(newest.robots, ms))];
  }

  private send(robot: string): void {
    if (this.known.isSharedReplay) return;
    const id = this.requests.ask({ type: 'command', robot, command: 'full_stop' }, { what: 'stop', robot, stops: true });
    this.note(robot, id);
    this.refresh();
  }

  private note(robot: string, id: number | null): void {
    this.book.add(robot, id, performance.now(), id === null ? 'there is no connection to the station' : '');
  }
}
