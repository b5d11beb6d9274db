import type { Presence } from './messages';
import type { Robot } from './picture';
import { endOf, isConnected } from './modes';
import { capital, duration } from './units';
import { waitReason } from './wait_reason';
import { withPlainFaults } from './words';

/** Age in seconds after which telemetry is stale; the station sends it with each status. */
export const staleAfter = (robot: Robot): number => robot.status?.stale_after ?? 1;

/** Seconds since the telemetry was collected; null: there is none. `now` is by the station's clock. */
export const ageOf = (robot: Robot, now: number): number | null =>
  robot.motion ? Math.max(0, now - robot.motion.at) : null;

/** Seconds of real time by which the clock of a replay may be ahead of its data. */
const clockJump = 1;

/**
 * Whether the robot's data is stale: marked so by the station, or older than the limit by the page's own count,
 * which goes on when the station does not. `replay` is the speed of the replay that is shown; 0: the present.
 */
export function isStale(robot: Robot, now: number, replay = 0): boolean {
  const age = ageOf(robot, now);
  if (age === null || (robot.status?.stale ?? true)) return true;
  return age > staleAfter(robot) + clockJump * (replay && Math.max(1, replay));
}

/** Age of the robot's scan in seconds if it is too old to be of the present; null: it is not, or there is none. */
export function oldScan(robot: Robot | null, now: number, replayed = false): number | null {
  if (!robot?.scan || replayed) return null;
  const age = now - robot.scan.at;
  return age > staleAfter(robot) ? age : null;
}

/** What is known of a robot: what the station reports of it, or that the station itself is silent. */
export type Known = Presence | 'unreported';

/** Whether the robot's data is of the present. */
export const isPresent = (presence: Known): boolean => presence === 'live' || presence === 'telemetry_only';

/**
 * Seconds after which the station counts a connection without any message as lost, and after which the state of a
 * robot without telemetry, which the station requests once per second, is no longer known.
 */
export const silence = 3;

/** Seconds without a message of the station after which stale data is not the robot's fault. */
export const shortSilence = 0.5;

/** When anything was last received of the robot, by the station's clock; null: never. */
export function heardAt(robot: Robot): number | null {
  const times = [robot.motion?.at, robot.status?.heard].filter((at) => typeof at === 'number');
  return times.length > 0 ? Math.max(...times) : null;
}

/** What the page knows of the station at a time. */
export interface Seen {
  now: number; // by the station's clock
  replay?: number; // the speed of the recording that is shown; 0: none is
  silent?: number; // seconds since the station's last message; Infinity: there is no connection
}

/**
 * What is known of a robot. One whose data has become stale since the station's last report of it is lost, or off
 * if it has announced that; so is a robot without telemetry whose heartbeats have stopped. If the station was
 * silent meanwhile, or has recorded nothing, nothing follows for the robot: it is unreported.
 */
export function presenceOf(robot: Robot, { now, replay = 0, silent = 0 }: Seen): Known {
  const known = robot.status?.presence ?? 'unknown';
  const stale = isStale(robot, now, replay);
  const unheard = !replay && known === 'no_telemetry' && now - (robot.status?.heard ?? now) > silence;
  const outdated = isPresent(known) ? stale : unheard;
  if (replay && isPresent(known) && stale && !robot.status?.stale) return 'unreported';
  if (!replay && (isPresent(known) || known === 'no_telemetry') && (silent === Infinity || (outdated && silent > shortSilence))) return 'unreported';
  if (isPresent(known)) return !stale ? known : robot.status?.run_mode === 'RM0' ? 'off' : 'lost';
  if (unheard) return 'lost';
  // Recordings of earlier versions have no presence.
  if (known === 'unknown' && robot.motion) return stale ? 'lost' : 'live';
  return known;
}

/** `lost, last heard 12 s ago`; empty: it is live. */
export function presenceText(robot: Robot, seen: Seen): string {
  const { now } = seen;
  const age = ageOf(robot, now);
  const heard = heardAt(robot);
  const lastHeard = heard === null ? '' : `, last heard ${duration(now - heard)} ago`;
  const since = age === null ? '' : ` for ${duration(age)}`;
  switch (presenceOf(robot, seen)) {
    case 'live':
      return '';
    case 'telemetry_only':
      return 'sending telemetry only';
    case 'no_telemetry':
      return `connected without telemetry${lastHeard}`;
    case 'lost':
      return `lost${lastHeard}`;
    case 'asleep':
      return `asleep${since}`;
    case 'off':
      return `off${since}`;
    case 'unreported':
      return `not known${lastHeard}`;
    case 'unknown':
      return isConnected(robot.status) ? 'connected, no telemetry yet' : 'not heard yet';
  }
}

/** The same as the end of a sentence about the robot: `is lost, last heard 12 s ago`, `has been asleep for 5.6 s`. */
export function presenceClause(robot: Robot, seen: Seen): string {
  const presence = presenceOf(robot, seen);
  const text = presenceText(robot, seen);
  const reason = waitReason(robot.status);
  if (presence !== 'asleep') return `is ${text}`;
  return `has been ${text}${reason && endOf(reason) ? `, and wakes ${endOf(reason)}` : ''}`;
}

/** What is shown in place of what a robot does while its data is not of the present. */
export function absenceText(robot: Robot, seen: Seen): string {
  const text = presenceText(robot, seen);
  return capital(presenceOf(robot, seen) === 'off' ? `${offText(robot)}, ${text}` : text);
}

// Reasons of RM0 that are a request: set_run_mode and power_off.
const offByPerson = ['requested', 'PowerOff'];

/** How a robot that is off became so: `was switched off (RM0)`. Only the robot itself can report a reason. */
export function offText({ status }: Robot): string {
  const why = status?.off_reason ?? '';
  if (offByPerson.includes(why)) return 'was switched off (RM0)';
  return why ? `switched itself off (RM0): ${withPlainFaults(why)}` : 'is off (RM0)';
}

/** Whether the robot only sends (CM1). One that has called the station is in CM1 until it is connected again. */
export const onlySends = ({ status }: Robot): boolean => status?.com_mode === 'CM1' && status.address === null;

/** Why no stop can reach a robot that only sends; empty: one can, or it is tried. */
export const obstacleToStop = (robot: Robot, seen: Seen): string =>
  onlySends(robot) && presenceOf(robot, seen) === 'telemetry_only' ? `${robot.name} only sends telemetry: it cannot be stopped from here. Stop it at the robot.` : '';

/**
 * Why nothing that is watched can arrive of the robot now: images, map, threads and more. Empty: it can, also without
 * telemetry, of a robot that only receives (CM2) or sleeps.
 */
export function obstacleToViews(robot: Robot, seen: Seen, linked: boolean): string {
  if (!linked) return 'there is no connection to the station';
  const presence = presenceOf(robot, seen);
  if (presence === 'unreported') return seen.replay ? 'nothing was recorded then' : 'the station is silent';
  if (presence === 'off') return `${robot.name} is off`;
  if (presence === 'telemetry_only' && onlySends(robot)) return `${robot.name} only sends telemetry`;
  return !isConnected(robot.status) || presence === 'lost' ? `${robot.name} is not connected` : '';
}

/** Why a command for the robot cannot work now; empty: it can. `linked`: the station is connected. */
export function obstacleToCommands(robot: Robot | null, seen: Seen, linked: boolean): string {
  if (!linked) return 'No connection to the station.';
  if (!robot) return 'The station does not know this robot.';
  const presence = presenceOf(robot, seen);
  if (presence === 'unreported') return 'The station is silent.';
  if (presence === 'off') return `${robot.name} ${offText(robot)}.`;
  // A sleeper sends no telemetry, but receives commands.
  if (isConnected(robot.status) && presence !== 'lost') return '';
  if (presence === 'telemetry_only' && onlySends(robot)) return `${robot.name} only sends telemetry, and receives no commands.`;
  if (presence === 'telemetry_only') return `${robot.name} is not connected${robot.status?.why ? `: ${robot.status.why}` : ''}.`;
  return `${robot.name} ${presenceClause(robot, seen)}.`;
}
