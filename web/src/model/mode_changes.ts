import type { ComMode, Mark, ModeChange, RunMode } from './messages';
import { infoOf, stationModes, waitName } from './modes';
import { withPastNames, withPlainNames } from './names';
import { linkModeText, modeText, withPlainFaults } from './words';

/** A change of a mode, for people. */
export interface ShownChange {
  at: number;
  what: string;
  from: string;
  to: string;
  why: string;
}

const kinds: Record<ModeChange['what'], string> = { run_mode: 'run mode', com_mode: 'link of the robot', link: 'session' };
const stationModeName = (mode: string): string => stationModes.find((each) => each.mode === mode)?.name ?? mode;

/** `Waiting (RM1): Charging` of `RM1(Charging)`. */
function runModeText(text: string): string {
  const [, mode = '', reason] = /^(\w+)(?:\((\w+)\))?$/.exec(text) ?? [];
  if (!infoOf(mode as RunMode)) return text;
  return modeText(mode as RunMode) + (reason ? `: ${waitName(reason)}` : '');
}

const texts: Record<ModeChange['what'], (mode: string) => string> = {
  run_mode: runModeText,
  com_mode: (mode) => linkModeText(mode as ComMode),
  link: stationModeName,
};

/** The changes that the station has seen, the newest first. `you`: the name of this page at the station. */
export function shownChanges(changes: readonly ModeChange[], you: string | null): ShownChange[] {
  return changes
    .map(({ at, what, from, to, why }) => ({
      at,
      what: kinds[what],
      from: texts[what](from),
      to: texts[what](to),
      why: withPlainFaults(withPastNames(why, you)),
    }))
    .reverse();
}

/** Same, of a replay up to the time that is shown, from its marks. */
export function replayedChanges(marks: readonly Mark[], robot: string, now: number): { at: number; text: string }[] {
  return marks
    .filter((mark) => mark.robot === robot && mark.at <= now && (mark.kind === 'mode' || mark.kind === 'link'))
    .map(({ at, text }) => ({ at, text: withPlainFaults(withPlainNames(text, null)) }))
    .reverse();
}
