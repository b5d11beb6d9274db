import type { Robot } from './picture';
import { presenceOf, isPresent, silence, type Seen } from './presence';
import { duration } from './units';

/** Whether a full stop of a robot is latched. */
export interface StopState {
  is: 'stopped' | 'released' | 'unknown';
  last: boolean | null; // as last reported or confirmed; null: it never was
  age: number; // s since then; only if there is a last one
}

/**
 * Fresh telemetry shows it; so does what the robot has confirmed in the last seconds. Anything older is not known:
 * the stop may have been released at the robot itself.
 */
export function stopStateOf(robot: Robot, seen: Seen): StopState {
  const { status, motion } = robot;
  const last = status?.stopped ?? null;
  const confirmed = status?.acknowledged_stop_at ?? -Infinity;
  const age = Math.max(0, seen.now - Math.max(confirmed, motion?.at ?? -Infinity));
  const presence = presenceOf(robot, seen);
  const isCurrent = seen.replay || isPresent(presence) || (presence !== 'unreported' && seen.now - confirmed <= silence);
  return { is: last === null || !isCurrent ? 'unknown' : last ? 'stopped' : 'released', last, age };
}

/** Whether there may be a stop to release. */
export const mayBeStopped = ({ is, last }: StopState): boolean => is === 'stopped' || (is === 'unknown' && last !== false);

/** `■ stopped`, `■ stopped when last confirmed, 12 s ago`; empty: it is not, or nothing is known. */
export function stopText({ is, last, age }: StopState): string {
  if (is === 'stopped') return '■ stopped';
  return is === 'unknown' && last ? `■ stopped when last confirmed, ${duration(age)} ago` : '';
}

/** What the stop button shows. A stop that is not confirmed comes first, so that button and banner agree. */
export function stopLabel({ shared, open, stopped, stopping }: { shared: boolean; open: boolean; stopped: boolean; stopping: boolean }): string {
  if (shared) return 'REPLAY';
  if (open) return 'STOP not confirmed';
  return stopped ? 'STOPPED' : stopping ? 'STOPPING …' : 'STOP';
}

/** Whether the run mode of a robot is known at present: by telemetry, or because the robot has confirmed it. */
export function isModeKnown(robot: Robot, seen: Seen): boolean {
  const { status } = robot;
  if (!status?.run_mode) return false;
  const presence = presenceOf(robot, seen);
  if (seen.replay || isPresent(presence) || presence === 'off') return true;
  return presence !== 'unreported' && seen.now - (status.acknowledged_mode_at ?? -Infinity) <= silence;
}
