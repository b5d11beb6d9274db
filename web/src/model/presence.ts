import { waitReason } from './wait_reason';
import type { Robot } from './picture';
import { isConnected } from './modes';
import { duration } from './units';

/** What is known of a robot's whereabouts: `live` is the only one whose data is of the present. */
export type Presence = 'live' | 'lost' | 'asleep' | 'off' | 'unknown';

/** Age in seconds after which telemetry is stale; the station sends it with each status. */
export const staleAfter = (robot: Robot): number => robot.status?.stale_after ?? 1;

/** Seconds since the telemetry was collected; null: there is none. `now` is by the station's clock. */
export const ageOf = (robot: Robot, now: number): number | null =>
  robot.motion ? Math.max(0, now - robot.motion.at) : null;

/**
 * Whether the robot's data is stale: marked so by the station, or older than the limit by the page's own count,
 * which goes on when the station does not. A replay has a clock that jumps, so that only the mark counts there.
 */
export function isStale(robot: Robot, now: number, replayed = false): boolean {
  const age = ageOf(robot, now);
  if (age === null || (robot.status?.stale ?? true)) return true;
  return !replayed && age > staleAfter(robot);
}

export function presenceOf(robot: Robot, now: number, replayed = false): Presence {
  if (!robot.motion) return 'unknown';
  if (!isStale(robot, now, replayed)) return 'live';
  if (robot.status?.run_mode === 'RM0') return 'off';
  if (waitReason(robot.status) === 'TimedSleep') return 'asleep';
  return 'lost';
}

/** `lost 12 s ago`; empty: it is live. */
export function presenceText(robot: Robot, now: number, replayed = false): string {
  const age = duration(ageOf(robot, now) ?? 0);
  switch (presenceOf(robot, now, replayed)) {
    case 'live':
      return '';
    case 'lost':
      return `lost, last heard ${age} ago`;
    case 'asleep':
      return `asleep for ${age}`;
    case 'off':
      return `off for ${age}`;
    case 'unknown':
      return isConnected(robot.status) ? 'connected, no telemetry yet' : 'not heard yet';
  }
}

/** Why a command for the robot cannot work now; empty: it can. */
export function obstacleToCommands(robot: Robot | null, now: number, linked: boolean): string {
  if (!linked) return 'No connection to the station.';
  if (!robot) return 'The station does not know this robot.';
  const presence = presenceOf(robot, now);
  if (presence === 'off') return `${robot.name} is off${robot.status?.why ? `: ${robot.status.why}` : ''}.`;
  // A sleeper has closed its telemetry, not its ears.
  if (isConnected(robot.status) && presence !== 'lost') return '';
  return `${robot.name} is ${presenceText(robot, now)}.`;
}
