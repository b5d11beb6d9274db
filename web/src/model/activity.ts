import type { Robot } from './picture';
import { isConnected } from './modes';
import { waitReason } from './wait_reason';

/** What a robot does now, in one sentence; empty: nothing is known. */
export function activityOf({ status, route }: Robot): string {
  if (!status?.run_mode) return '';
  if (status.stopped) return 'Stopped by a person until the stop is released.';
  if (status.mode === 'run2' && route) return `On its way to point ${route.next + 1} of ${route.points.length}.`;
  switch (status.run_mode) {
    case 'RM0':
      return 'Off.';
    case 'RM1':
      return waitReason(status) === 'Charging' ? 'Charging.' : 'Waiting.';
    case 'RM2':
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
