import { BehaviorHistory } from '../model/behavior_history';
import { keptIn } from '../model/kept_in';
import type { State } from '../model/messages';
import type { Robot } from '../model/picture';
import { heardAt, staleAfter } from '../model/presence';
import { SeriesBook } from '../model/series';
import { Track } from '../model/track';

const none: ReadonlySet<string> = new Set();

/** What the page remembers of robots beyond the picture: trails, plots, behaviors that ran. */
export class Memory {
  /** The behaviors in the trees of robots, as far as they are known. */
  private trees = $state.raw<ReadonlyMap<string, ReadonlySet<string>>>(new Map());

  private readonly tracks = new Map<string, Track>();
  private readonly lives = new Map<string, number>();
  private readonly histories = new Map<string, BehaviorHistory>();
  private readonly seriesBooks = new Map<string, SeriesBook>();

  trackOf(robot: string): Track {
    return keptIn(this.tracks, robot, () => new Track());
  }

  historyOf(robot: string): BehaviorHistory {
    return keptIn(this.histories, robot, () => new BehaviorHistory());
  }

  seriesOf(robot: string): SeriesBook {
    return keptIn(this.seriesBooks, robot, () => new SeriesBook());
  }

  /** The behaviors of the robot's tree; empty: not known. */
  behaviorsOf(robot: string): ReadonlySet<string> {
    return this.trees.get(robot) ?? none;
  }

  hasTree(robot: string): boolean {
    return this.trees.has(robot);
  }

  /**
   * `robots`: the picture that the message has led to. `seesBehaviors`: whether the behaviors of a robot are watched, and can
   * arrive. `speed`: of a replay, whose messages are further apart.
   */
  take(message: State, robots: Record<string, Robot>, seesBehaviors: (robot: Robot) => boolean, speed = 1): void {
    for (const [name, sections] of Object.entries(message.robots)) {
      const robot = robots[name];
      if (!robot) continue;
      const gap = (staleAfter(robot) + 1) * Math.max(1, speed);
      this.noteLife(name, robot.status?.life ?? 0);
      if (robot.motion) this.trackOf(name).move(robot.motion, staleAfter(robot));
      if (robot.motion && robot.scan && !robot.map) this.trackOf(name).see(robot.scan.pose ?? robot.motion.pose, robot.scan);
      if (sections.behaviors && robot.behaviors) {
        this.historyOf(name).add(robot.behaviors, message.now, gap);
        const { tree } = robot.behaviors;
        if (tree && !this.trees.has(name)) this.trees = new Map(this.trees).set(name, new Set(tree.map(({ id }) => id)));
      }
      if (seesBehaviors(robot)) this.historyOf(name).see(heardAt(robot) ?? 0, gap);
      if (sections.bus) this.seriesOf(name).add(sections.bus.variables, sections.bus.at);
    }
  }

  /** What was drawn is of another time. */
  forget(): void {
    for (const all of [this.tracks, this.lives, this.histories, this.seriesBooks]) all.clear();
  }

  /** A robot that was started again begins a new trail. A new station counts its lives from the beginning. */
  private noteLife(robot: string, life: number): void {
    const before = this.lives.get(robot) ?? 0;
    if (before > 0 && life > before) {
      this.tracks.delete(robot);
      this.trees = new Map([...this.trees].filter(([name]) => name !== robot)); // it may have another one
    }
    if (life > 0) this.lives.set(robot, life);
  }
}
