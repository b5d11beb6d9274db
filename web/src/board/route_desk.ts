import type { RouteAction } from '../model/messages';
import { replacesRoute, routeText, type WayPoint } from '../model/route';
import type { Awaited } from './awaited';
import type { Known } from './known.svelte';
import type { Requests } from './requests.svelte';

const limit = 3; // s, for the robot to be taken over, and for the route to be loaded

interface Options {
  quiet?: boolean; // its effect is seen anyhow
  done?: (refused: boolean) => void;
}

/** The routes of the station's autopilot, for the robot that is picked. */
export class RouteDesk {
  private readonly loaded = new Map<string, WayPoint[]>(); // the last route that this page has loaded, by robot

  constructor(
    private readonly known: Known,
    private readonly requests: Requests,
    private readonly awaited: Awaited,
  ) {}

  act(action: Exclude<RouteAction, 'load'>, options: Options = {}): void {
    const robot = this.known.picked;
    this.requests.ask({ type: 'route', robot, action }, { what: `${action} route`, robot, ...options });
  }

  load(points: WayPoint[], rounds: number, options: Options = {}): void {
    const robot = this.known.picked;
    this.loaded.set(robot, points);
    this.requests.ask({ type: 'route', robot, action: 'load', route: routeText(points, rounds) }, { what: 'load route', robot, ...options });
  }

  /** Whether a new route would replace one that was not loaded by this page. */
  get replaces(): boolean {
    return replacesRoute(this.known.robot?.route ?? null, this.loaded.get(this.known.picked));
  }

  /** Sends the picked robot to one point of its map: takes over first, if it drives itself. */
  async sendTo(point: WayPoint): Promise<void> {
    const robot = this.known.picked;
    const now = () => this.known.newest.robots[robot] ?? null;
    const life = now()?.status?.life;
    // The point is of the map of this start.
    const isPicked = () => this.known.picked === robot && now()?.status?.life === life;
    if (now()?.status?.run_mode !== 'RM3') {
      this.requests.command(robot, 'set_run_mode mode=RM3', { what: 'take over (RM3)' });
      if (!(await this.awaited.within(limit, () => now()?.status?.run_mode === 'RM3'))) return;
    }
    if (now()?.status?.mode === 'run2') this.act('abort', { quiet: true });
    if (!isPicked()) return;
    this.load([point], 1, { quiet: true });
    const isLoaded = () => {
      const route = now()?.route;
      const [to] = route?.points ?? [];
      return route?.state === 'idle' && to !== undefined && Math.hypot(to[0] - point[0], to[1] - point[1]) < 0.02;
    };
    // A point that the robot does not go to is not left behind as a route that is ready.
    const done = (refused: boolean) => refused && isPicked() && this.act('clear', { quiet: true });
    if ((await this.awaited.within(limit, isLoaded)) && isPicked()) this.act('start', { done });
  }
}
