import type { ComMode, RunMode } from './messages';
import { comModes, infoOf } from './modes';

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
  obstacle_slow: 'an obstacle is near: slowed down',
  blind: 'no sensor looks there',
  through_halt: 'it halts before it changes direction',
  dead_man: 'the last order was not renewed (dead man’s switch)',
};
export const limitText = (reason: string): string => limits[reason] ?? reason;

/** Who gives the orders that the wheels follow. */
const sources: Record<string, string> = { ai: 'its behaviors', operator: 'a person', '': 'none' };
export const sourceText = (winner: string): string => sources[winner] ?? winner;

/** `Autonomous (RM2)`. */
export const modeText = (mode: RunMode): string => `${infoOf(mode)?.name ?? ''} (${mode})`.trimStart();

/** `both ways (CM3)`. */
export const linkModeText = (mode: ComMode | undefined): string =>
  mode ? `${comModes.find((each) => each.mode === mode)?.what ?? ''} (${mode})` : 'not known';
