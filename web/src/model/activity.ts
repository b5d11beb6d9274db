import type { Robot } from './picture';
import { isConnected } from './modes';
import { clientName } from './names';
import { goesToDock } from './route';
import { percent } from './units';
import { waitReason } from './wait_reason';

/** What a robot does now and why, in one sentence or two; empty: nothing is known. */
export function activityOf(robot: Robot, you: string | null = ''): string {
  const doing = whatItDoes(robot, you);
  const hindrance = hindrances[robot.motion?.reason ?? ''];
  return doing && hindrance && !robot.status?.stopped ? `${doing} ${hindrance}` : doing;
}

/** Why propulsion moves more slowly than was asked, or not at all. */
const hindrances: Record<string, string> = {
  obstacle_stop: 'Something is in its way.',
  bump: 'It has touched something.',
  cliff: 'The floor ends ahead of it.',
  blind: 'Too few sensors look where it goes: it is slow.',
};

/** Why a full stop is latched, by its cause in the latch file. */
const stopped: Record<string, string> = {
  operator: 'Stopped by an operator at the robot.',
  station: 'Stopped by an operator.',
  bus: 'Stopped by a program on its bus.',
  ros: 'Stopped by a node of ROS 2.',
  emergency_input: 'Stopped by its emergency stop button.',
  overload: 'Stopped: it got more orders than it could carry out.',
  state_lost: 'Stopped: it could not read whether it was stopped before its start.',
  main_silent: 'Stopped: its program did not run for a while.',
  thread_silent: 'Stopped: a part of its program did not run for a while.',
  receiver_silent: 'Stopped: it could not receive commands for a while.',
  self_check: 'Stopped: a self-check did not end.',
};

/** `Charging, 43 %.`; without the level, if it is not read. */
const charging = (level: number | null | undefined): string => (typeof level === 'number' ? `Charging, ${percent(level)}.` : 'Charging.');

function whatItDoes({ status, route, plan }: Robot, you: string | null): string {
  if (!status?.run_mode) return '';
  if (status.stopped) return `${stopped[status.stop_cause ?? ''] ?? 'Stopped.'} It stays stopped until a person releases it.`;
  if (status.mode === 'run2' && route && goesToDock(route)) return 'Going to its dock: the battery is low.';
  if (status.mode === 'run2' && route) return `On its way to point ${route.next + 1} of ${route.points.length}.`;
  switch (status.run_mode) {
    case 'RM0':
      return 'Off.';
    case 'RM1':
      return waitReason(status) === 'Charging' ? charging(status.battery?.level) : 'Waiting.';
    case 'RM2':
      if (plan?.doing) return plan.doing;
      return status.behavior ? `Driving itself: ${status.behavior.replaceAll('_', ' ')}.` : 'Driving itself.';
    case 'RM3':
      return status.driver ? `Driven by ${clientName(status.driver, you)}.` : isConnected(status) ? 'Waiting for someone to drive it.' : '';
    default:
      return 'Starting.';
  }
}
