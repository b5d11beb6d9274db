import type { Route, RouteAction } from './messages';

export type WayPoint = [x: number, y: number]; // m

/** As docs/formats/route.md lays it out. */
export function routeText(points: WayPoint[], rounds: number): string {
  const list = points.map(([x, y]) => `[${x.toFixed(2)}, ${y.toFixed(2)}]`).join(', ');
  return `name = "page"\npoints = [${list}]\nrounds = ${rounds}\n`;
}

/** What makes sense with a route that is in this state. */
export function actionsFor(state: Route['state']): Exclude<RouteAction, 'load'>[] {
  switch (state) {
    case 'driving':
      return ['pause', 'abort'];
    case 'paused':
      return ['resume', 'abort'];
    default:
      return ['start'];
  }
}

/** `2 of 3, round 1 of 4`. */
export function progressText({ next, points, round, rounds }: Route): string {
  const point = `point ${Math.min(next + 1, points.length)} of ${points.length}`;
  return rounds === 1 ? point : `${point}, round ${round}${rounds > 0 ? ` of ${rounds}` : ''}`;
}
