import type { Role } from '../model/messages';
import { isConnected, releaseEffect } from '../model/modes';
import { nothing, type Picture, type Robot } from '../model/picture';
import { absenceText, isPresent, isStale, obstacleToCommands, obstacleToViews, presenceOf, presenceText, type Known as Presence, type Seen } from '../model/presence';
import { isModeKnown, mayBeStopped, stopStateOf, type StopState } from '../model/stop_state';
import type { StreamState } from '../model/stream';
import { counted } from '../model/units';

const longestPause = 1.5; // s; the station sends something at least once a second

/** What the page knows, whether it is of the present, and what prevents a command. */
export class Known {
  picture = $state.raw<Picture>(nothing);
  /** The same as of the latest message; `picture` follows with the next frame. */
  newest: Picture = nothing;
  link = $state.raw<StreamState>({ is: 'closed' });
  /** UNIX seconds by the station's clock. */
  now = $state(0);
  /** Seconds since the last message of the station; Infinity: there is no connection. */
  silent = $state(0);
  /** The robot that the reader has picked. */
  picked = $state('');

  get robot(): Robot | null {
    return this.picture.robots[this.picked] ?? null;
  }

  get connected(): boolean {
    return this.link.is === 'open' && this.picture.complete;
  }

  /** Whether what is shown of a robot is of the past: stale, or there is no station that would know. */
  isPast(robot: Robot | null): boolean {
    return !this.connected || !robot || isStale(robot, this.now, this.picture.replay?.speed);
  }

  /** Whether what is watched of a robot is of the past. It does not depend on telemetry, which some robots do not send. */
  isViewPast(robot: Robot | null): boolean {
    if (!robot || this.picture.replay) return this.isPast(robot);
    return this.viewObstacle(robot) !== '';
  }

  /** Why nothing that is watched can arrive of the robot now; empty: it can. */
  viewObstacle(robot: Robot): string {
    return obstacleToViews(robot, this.seen, this.connected);
  }

  /** The name of this page at the station; null in a replay, whose names are of another time. */
  get you(): string | null {
    return this.picture.replay ? null : this.picture.you;
  }

  /** Whether the station reports at present, so that the lease and the link of robots are known. */
  get isStationHeard(): boolean {
    return this.connected && !this.isStationSilent;
  }

  /** Why there is nothing to show of the robot that is picked, of which nothing is known. */
  get unknownText(): string {
    if (this.picture.replay) return `The recording has no data of ${this.picked || 'a robot'} yet.`;
    return `This station knows no robot ${this.picked}.${Object.keys(this.picture.robots).length > 0 ? ' Pick one above.' : ''}`;
  }

  /** When and how the page knows what it shows. */
  get seen(): Seen {
    return { now: this.now, replay: this.picture.replay?.speed ?? 0, silent: this.silent };
  }

  presenceOf(robot: Robot): Presence {
    return presenceOf(robot, this.seen);
  }

  presenceText(robot: Robot): string {
    return presenceText(robot, this.seen);
  }

  absenceText(robot: Robot): string {
    return absenceText(robot, this.seen);
  }

  /** Whether a full stop of the robot is latched. */
  stopOf(robot: Robot): StopState {
    return stopStateOf(robot, this.seen);
  }

  /** What the release of its stop leads to, beyond that the robot may move again; empty: nothing. */
  releaseEffect(robot: Robot): string {
    return releaseEffect(robot.status, isModeKnown(robot, this.seen));
  }

  /** Same, of several robots that are released together. */
  releaseEffectOf(robots: Robot[]): string {
    const held = robots.filter((robot) => mayBeStopped(this.stopOf(robot)) && this.releaseEffect(robot));
    const will = held.filter((robot) => isModeKnown(robot, this.seen) && robot.status?.run_mode === 'RM2').length;
    const parts = [will > 0 ? `${counted(will, 'robot')} will drive on` : '', held.length > will ? `${counted(held.length - will, 'robot')} may drive` : ''];
    return parts.filter((part) => part).join(', ');
  }

  /** Whether the station has been silent for so long that what is shown is not of the present. */
  get isStationSilent(): boolean {
    if (!this.connected || this.picture.replay) return false;
    return this.silent > longestPause || Object.values(this.picture.robots).some((robot) => this.presenceOf(robot) === 'unreported');
  }

  /** Whether the station shows a recording to all clients: there is nothing to stop or to command. */
  get isSharedReplay(): boolean {
    return this.picture.replay?.shared ?? false;
  }

  /** Why commands for the robot that is picked cannot work now; empty: they can. */
  get obstacle(): string {
    return this.obstacleTo(this.robot);
  }

  /** Same, for any robot, and for commands that need another role. */
  obstacleTo(robot: Robot | null, needs: Role = 'drive'): string {
    return this.linkObstacleTo(robot) || this.roleObstacle(needs);
  }

  /** Why no command can reach the robot now; empty: one can. */
  linkObstacleTo(robot: Robot | null): string {
    if (this.isSharedReplay) return 'The station replays a recording: no robot is connected.';
    if (this.picture.replay) return 'You see a recording: close it to send commands.';
    return obstacleToCommands(robot, this.seen, this.connected);
  }

  /** Why the reader may not do what needs this role; empty: he may. */
  roleObstacle(needs: Role = 'drive'): string {
    const { role } = this.picture;
    if (role === 'observe') return needs === 'observe' ? '' : 'You may observe and stop, but not drive.';
    return needs === 'admin' && role !== 'admin' ? 'This needs the role admin.' : '';
  }

  /** Whether a robot has ended and a supervisor owns its process, so that it can be started from here. */
  canStartAgain(robot: Robot): boolean {
    return this.connected && this.picture.supervised && !this.picture.replay && !isConnected(robot.status) && !isPresent(this.presenceOf(robot));
  }
}
