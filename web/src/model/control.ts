import type { Status } from './messages';
import { clientName } from './names';
import { capital } from './units';

/** Who has control of a robot, as far as the page knows. */
export interface Control {
  mine: boolean;
  text: string;
}

/**
 * `you`: the name of this page; null in a replay. `known`: the station reports at present. `robot`: what is known of the robot
 * itself at present.
 */
export function controlOf(
  status: Status | null,
  you: string | null,
  known: boolean,
  robot: { stopped: boolean; modeKnown: boolean } = { stopped: false, modeKnown: true },
): Control {
  if (!status || !known) return { mine: false, text: 'Who has control is not known' };
  const { driver } = status;
  const mine = driver !== '' && driver === you;
  const holder = mine ? 'you' : driver ? clientName(driver, you) : 'no one';
  if (status.run_mode === 'RM2') {
    const does = !robot.modeKnown ? 'It drove itself when it was last heard' : robot.stopped ? 'It is stopped' : 'It drives itself';
    return { mine, text: `${does}; ${holder} ${mine ? 'have' : 'has'} taken control` };
  }
  return { mine, text: mine ? '✓ You have control' : `${capital(holder)} has control` };
}

/** Why what needs the lease is refused now; empty: it is not. The station takes the lease from its autopilot. */
export function obstacleOfLease(status: Status | null, you: string | null): string {
  const driver = status?.driver ?? '';
  return driver === '' || driver === you || driver === 'autopilot' ? '' : `${capital(clientName(driver, you))} has control.`;
}
