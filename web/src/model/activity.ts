import type { Robot } from './picture';
import { isConnected } from './modes';
import { waitReason } from './wait_reason';

/** What a robot does now and why, in one sentence or two; empty: nothing is known. */
export function activityOf(robot: Robot): string {
  const doing = whatItDoes(robot);
  const hindrance = hindrances[robot.motion?.reason ?? ''];
  return doing && hindrance && !robot.status?.stopped ? `${doing} ${hindrance}` : doing;
}

/** Why propulsion moves more slowly than was asked, or not at all. */
const hindrances: Record<string, string> = {
  obstacle_stop: 'Something is in its way.',
  bump: 'It has touched something.',
  cliff: 'The floor ends ahead of it.',
  blind: 'No sensor looks where it wants to go.',
};

function whatItDoes({ status, route, plan }: Robot): string {
  if (!status?.run_mode) return '';
  if (status.stopped) return 'Stopped by a person until the stop is released.';
  if (status.mode === 'run2' && route) return `On its way to point ${route.next + 1} of ${route.points.length}.`;
  switch (status.run_mode) {
    case 'RM0':
      return 'Off.';
    case 'RM1':
      return waitReason(status) === 'Charging' ? 'Charging.' : 'Waiting.';
    case 'RM2':
      if (plan?.doing) return plan.doing;
      return status.behavior ? `${sentence(status.behavior)}.` : 'Driving itself.';
    case 'RM3':
      return status.driver ? `Driven by ${status.driver}.` : isConnected(status) ? 'Waiting for someone to drive it.' : '';
    default:
      return 'Starting.';
  }
}

/** `go_to_dock` as `Go to dock`. */
const sentence = (id: string): string => {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
