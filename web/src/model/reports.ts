import type { Robot, SeenReport } from './picture';
import { isPresent, presenceOf, type Seen } from './presence';

/** Whether a report names a fault, and its robot, which is live, does not have that fault any more. */
export function isOver({ raw }: SeenReport, robot: Robot | undefined, seen: Seen): boolean {
  if (/\s/.test(raw) || !robot?.status || !isPresent(presenceOf(robot, seen))) return false;
  return !(robot.status.faults ?? []).includes(raw);
}
