import type { Route, RouteAction } from './messages';

export type WayPoint = [x: number, y: number]; // m

/** As docs/formats/route.md lays it out. */
export function routeText(points: WayPoint[], rounds: number): string {
  const list = points.map(([x, y]) => `[${x.toFixed(2)}, ${y.toFixed(2)}]`).join(', ');
  return `name = "page"\npoints = [${list}]\nrounds = ${rounds}\n`;
}

/** Whether a loaded route has these points, which were rounded on their way. */
export const hasPoints = (route: Route, points: WayPoint[]): boolean => {
  const text = (each: readonly (readonly number[])[]) => each.map((point) => point.map((value) => value.toFixed(2)).join(' ')).join(', ');
  return text(route.points) === text(points);
};

/** Whether a route is replaced that was loaded, but not by this page: `own` are the points that it loaded last. */
export const replacesRoute = (route: Route | null, own: WayPoint[] | undefined): boolean =>
  route !== null && ['idle', 'driving', 'paused'].includes(route.state) && !(own && hasPoints(route, own));

/** What makes sense with a route that is in this state. */
export function actionsFor(state: Route['state']): Exclude<RouteAction, 'load'>[] {
  switch (state) {
    case 'driving':
      return ['pause', 'abort'];
    case 'paused':
      return ['resume', 'abort'];
    default:
      return ['start', 'clear']; // planned anew, on the map as it is then
  }
}

export const actionNames: Record<Exclude<RouteAction, 'load'>, string> = {
  start: 'Start route',
  pause: 'Pause',
  resume: 'Resume',
  abort: 'Abort',
  clear: 'Clear route',
};

export const stateNames: Record<Route['state'], string> = {
  idle: 'Ready',
  driving: 'Driving',
  paused: 'Paused',
  arrived: 'Arrived',
  failed: 'Failed',
  aborted: 'Aborted',
};

/** Whether the autopilot has interrupted the route, because the battery is low and the robot goes to its dock. */
export const goesToDock = ({ state, why }: Route): boolean => state === 'driving' && why.startsWith('the battery is low');

/**
 * The route as it is drawn: its points, and its path only while the robot follows it. null: its points are of an earlier map, or
 * there is none.
 */
export function routeOnMap(route: Route | null): Route | null {
  if (!route || route.obstacle) return null;
  return route.state === 'driving' && !goesToDock(route) ? route : { ...route, path: [] };
}

/** Why a route, or its autopilot, has ended, as people read it afterwards. */
export function pastReason(why: string): string {
  const [, answer] = /^the battery is low; dock: (.*)$/s.exec(why) ?? [];
  if (answer === undefined) return why;
  return answer.startsWith('DONE') ? 'the battery was low, and the robot went to its dock' : `the battery was low, and the robot did not go to its dock: ${answer.replace(/^[A-Z_]+: /, '')}`;
}

/** `2 of 3, round 1 of 4`. */
export function progressText({ next, points, round, rounds }: Route): string {
  const point = `point ${Math.min(next + 1, points.length)} of ${points.length}`;
  return rounds === 1 ? point : `${point}, round ${round}${rounds > 0 ? ` of ${rounds}` : ''}`;
}
