// The run modes and com modes of a robot, for people. The robot decides (robot/run_modes.hpp); these are
// the changes that it may accept.

import type { ComMode, RunMode, Status } from './messages';

export interface RunModeInfo {
  mode: RunMode;
  name: string;
  what: string;
}

export const runModes: RunModeInfo[] = [
  { mode: 'init', name: 'Starting', what: 'checks itself, then enters its default mode' },
  { mode: 'RM2', name: 'Autonomous', what: 'navigates by itself' },
  { mode: 'RM3', name: 'Remote control', what: 'is driven from here' },
  { mode: 'RM1', name: 'Waiting', what: 'stands still until something wakes it' },
  { mode: 'RM0', name: 'Off', what: 'stops everything; a person has to start it again' },
  { mode: 'RM5', name: 'Rebooting', what: 'goes down and starts again' },
];

export const infoOf = (mode: RunMode): RunModeInfo | undefined =>
  runModes.find((each) => each.mode === (mode === 'RM4' ? 'RM5' : mode));

const ways: Record<RunMode, RunMode[]> = {
  init: ['RM0', 'RM5'],
  RM0: [],
  RM1: ['RM2', 'RM3', 'RM0', 'RM5'],
  RM2: ['RM3', 'RM1', 'RM0', 'RM5'],
  RM3: ['RM2', 'RM1', 'RM0', 'RM5'],
  RM4: [],
  RM5: [],
};

/** To which modes a command may lead. undefined: the mode is not known, as that of a robot without telemetry. */
export const mayFollow = (mode: RunMode | undefined): RunMode[] => (mode ? ways[mode] : ['RM2', 'RM3', 'RM1', 'RM0', 'RM5']);

/** Every way there is, with those that the robot goes by itself. */
export const edges: [from: RunMode, to: RunMode][] = [
  ['init', 'RM2'],
  ['init', 'RM3'],
  ['init', 'RM1'],
  ['RM2', 'RM3'],
  ['RM3', 'RM2'],
  ['RM2', 'RM1'],
  ['RM1', 'RM2'],
  ['RM3', 'RM1'],
  ['RM1', 'RM3'],
  ['RM1', 'RM0'],
  ['RM2', 'RM0'],
  ['RM3', 'RM0'],
  ['RM1', 'RM5'],
  ['RM2', 'RM5'],
  ['RM3', 'RM5'],
  ['RM5', 'init'],
];

/** What the robot would probably object to. Empty: nothing that is known here. */
export function doubtAbout(mode: RunMode, status: Status): string {
  if (mode === 'RM3' && status.com_mode !== 'CM3')
    return `RM3 needs CM3, and the link is at ${status.com_mode ?? 'nothing known'}`;
  return '';
}

/** What follows a reboot. Its default mode is not part of what a robot reports. */
export function rebootText({ is }: { is: string }): string {
  const mode = 'It comes back in the default mode of its configuration (DefaultRunMode)';
  return is === 'stopped' ? `${mode}, and stays stopped.` : `${mode}: if that is RM2, it drives by itself as soon as it has started. Stop it first if it must not.`;
}

export interface WaitReasonInfo {
  reason: string;
  name: string;
  ends: string;
  timed: boolean;
}

export const waitReasons: WaitReasonInfo[] = [
  { reason: 'RequestedSleep', name: 'Requested sleep', ends: 'when the station asks, or when its time is up', timed: true },
  { reason: 'TimedSleep', name: 'Timed sleep', ends: 'when its time is up, or when the station asks', timed: true },
  { reason: 'Charging', name: 'Charging', ends: 'when the battery is full, or when the station asks', timed: false },
  { reason: 'WaitingToReceive', name: 'Waiting to receive', ends: 'when the station is heard', timed: false },
  { reason: 'WaitingToTransmit', name: 'Waiting to transmit', ends: 'when it can send', timed: false },
];

export const waitName = (reason: string): string => waitReasons.find((each) => each.reason === reason)?.name ?? reason;

export const endOf = (reason: string): string =>
  waitReasons.find((each) => each.reason === reason)?.ends ?? '';

export interface ComModeInfo {
  mode: ComMode;
  sends: boolean;
  receives: boolean;
  what: string;
}

export const comModes: ComModeInfo[] = [
  { mode: 'CM0', sends: false, receives: false, what: 'unconnected' },
  { mode: 'CM1', sends: true, receives: false, what: 'only sends' },
  { mode: 'CM2', sends: false, receives: true, what: 'only receives' },
  { mode: 'CM3', sends: true, receives: true, what: 'both ways' },
];

export const stationModes: { mode: Status['mode']; name: string; what: string }[] = [
  { mode: 'init', name: 'Init', what: 'not started' },
  { mode: 'wait', name: 'Waiting', what: 'waits for the robot to call' },
  { mode: 'shake', name: 'Handshake', what: 'connects to it' },
  { mode: 'run1', name: 'Connected', what: 'connected' },
  { mode: 'run2', name: 'Autopilot', what: 'connected; the autopilot drives' },
];

export const isConnected = (status: Status | null): boolean =>
  status?.mode === 'run1' || status?.mode === 'run2';

/** Why the robot is not connected; empty: it is, or the reason is not known. */
export const linkReason = (status: Status | null): string => (isConnected(status) ? '' : (status?.why ?? ''));

/** Why the autopilot has ended, of a robot that is connected without it since then; empty: it has not. */
export const endOfAutopilot = (status: Status): string => (status.mode === 'run1' ? status.why.replace(/^autopilot: /, '') : '');

/** The command for a mode; RM1 wants a reason, and perhaps a time in seconds. */
export function commandFor(mode: RunMode, reason?: string, seconds?: number): string {
  let text = `set_run_mode mode=${mode}`;
  if (mode === 'RM1' && reason) text += ` reason=${reason}`;
  if (mode === 'RM1' && seconds) text += ` time=${seconds}s`;
  return text;
}

/** Whether the reason of a motion is only that it was ordered, or that no order was given. */
export const isPlain = (reason: string): boolean => reason === 'order' || reason === 'no_order';

/** What the release of a stop leads to, beyond that the robot may move again; empty: nothing. */
export function releaseEffect(status: Status | null, modeKnown = true): string {
  if (!modeKnown || !status?.run_mode) return 'its mode is not known: it may drive by itself';
  if (status.run_mode === 'RM2') return 'it will drive on by itself';
  // It returns to the mode that it was in before.
  return status.run_mode === 'RM1' ? 'it may drive by itself when it wakes up' : '';
}

/** What a new start of a robot's process leads to. */
export const startEffect = 'A robot that is started may drive by itself, unless it was stopped.';

/** Why this robot does not move on command. Empty: it should. */
export function obstacleToDriving(status: Status | null, role: string): string {
  if (!status) return 'Nothing is known of this robot.';
  if (role === 'observe') return 'You may observe and stop, but not drive.';
  if (!isConnected(status)) return `It is not connected${status.why ? `: ${status.why}` : ''}.`;
  if (status.stopped) return 'A full stop is latched: release it first.';
  // A robot that only receives refuses by itself what its mode does not allow.
  if (!status.run_mode) return '';
  if (status.run_mode === 'RM2') return 'It drives itself (RM2): take over first.';
  if (status.run_mode !== 'RM3') return `It cannot be driven now: it ${infoOf(status.run_mode)?.what} (${status.run_mode}).`;
  return '';
}
