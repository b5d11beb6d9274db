import type { Presence } from './messages';
import type { Robot } from './picture';
import { isConnected } from './modes';
import { duration } from './units';

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

/** Whether the robot's data is of the present. */
export const isPresent = (presence: Presence): boolean => presence === 'live' || presence === 'telemetry_only';

/** What the station knows of a robot; a robot whose data has become stale since then is lost. */
export function presenceOf(robot: Robot, now: number, replayed = false): Presence {
  const known = robot.status?.presence ?? 'unknown';
  const stale = isStale(robot, now, replayed);
  if (isPresent(known)) return stale ? 'lost' : known;
  // Recordings of earlier versions have no presence.
  if (known === 'unknown' && robot.motion) return stale ? 'lost' : 'live';
  return known;
}

/** `lost, last heard 12 s ago`; empty: it is live. */
export function presenceText(robot: Robot, now: number, replayed = false): string {
  const age = duration(ageOf(robot, now) ?? 0);
  switch (presenceOf(robot, now, replayed)) {
    case 'live':
      return '';
    case 'telemetry_only':
      return 'sending telemetry only';
    case 'no_telemetry':
      return robot.motion ? `without telemetry for ${age}` : 'connected, and sends no telemetry';
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
  // A sleeper sends no telemetry, but receives commands.
  if (isConnected(robot.status) && presence !== 'lost') return '';
  if (presence === 'telemetry_only') return `${robot.name} only sends telemetry, and receives no commands.`;
  return `${robot.name} is ${presenceText(robot, now)}.`;
}
