import type { ComMode, RunMode, Status } from './messages';
import { comModes, infoOf } from './modes';
import { clientName } from './names';

/** The reasons of propulsion (docs/safety.md) as people read them. */
const limits: Record<string, string> = {
  motion_unknown: 'propulsion does not report',
  fault: 'a fault of the motors or sensors',
  emergency_input: 'the emergency stop',
  stop_latched: 'the latched stop',
  motors_off: 'the motors are off in this mode',
  bump: 'a bumper is pressed: it backs off',
  cliff: 'the floor ends ahead: it backs off',
  held: 'it waits for another order after a reflex',
  obstacle_stop: 'an obstacle is too near: halted',
  zone_stop: 'a keep-out zone is too near: halted',
  obstacle_slow: 'an obstacle is near: slowed down',
  zone_slow: 'in a speed zone, or near a zone: slowed down',
  blind: 'too few sensors look there: slowed down',
  through_halt: 'it halts before it changes direction',
  dead_man: 'the last order was not renewed (dead man’s switch)',
};
export const limitText = (reason: string): string => limits[reason] ?? reason;

/** The faults of a robot (docs/safety.md) as people read them. */
const faults: Record<string, string> = {
  motor_driver: 'the motor driver reports a fault',
  encoder_disagreement: 'the wheels do not turn as ordered',
  missed_deadlines: 'the program is too slow to drive safely',
  sensor_dead: 'a sensor that it needs gives no readings',
  battery_critical: 'the battery is empty',
  motors_not_cut: 'the motors did not confirm that they are off',
  guard_silent: 'the guard does not answer',
};
export const faultText = (fault: string): string => faults[fault] ?? fault;

/** A text of a robot, with its faults as people read them. */
export const withPlainFaults = (text: string): string => text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, faultText);

const sources: Record<string, string> = { ai: 'its behaviors', reflex: 'a reflex of its own', autopilot: 'its autopilot', '': 'none' };

/** Who gives the orders that the wheels follow: the robot counts all commands of the station as its operator. */
export function sourceText(winner: string, status: Status | null, you: string | null): string {
  if (winner !== 'operator') return sources[winner] ?? winner;
  if (status?.mode === 'run2') return clientName('autopilot', you);
  return status?.driver ? clientName(status.driver, you) : 'the station';
}

/** `Autonomous (RM2)`. */
export const modeText = (mode: RunMode): string => `${infoOf(mode)?.name ?? ''} (${mode})`.trimStart();

/** `both ways (CM3)`. */
export const linkModeText = (mode: ComMode | undefined): string =>
  mode ? `${comModes.find((each) => each.mode === mode)?.what ?? ''} (${mode})` : 'not known';
