import type { Battery } from './messages';
import type { Robot } from './picture';
import { offText, presenceOf, type Seen } from './presence';
import { stopStateOf, stopText } from './stop_state';
import { meaningOf } from './terms';
import { faultText } from './words';

/** Why a robot needs a person. A higher rank is more urgent. */
export interface Trouble {
  rank: number;
  text: string;
  title?: string; // what it means
}

const lowBattery = 0.2;

/** False if the level is not known. */
export const isLow = (battery: Battery | undefined): boolean =>
  battery !== undefined && battery.level !== null && battery.level < lowBattery;

/** The troubles of a robot, the most urgent first. */
export function troublesOf(robot: Robot, seen: Seen): Trouble[] {
  const presence = presenceOf(robot, seen);
  const stop = stopStateOf(robot, seen);
  const { status } = robot;
  const all: Trouble[] = (status?.faults ?? []).map((fault) => ({ rank: 5, text: `▲ ${faultText(fault)}`, title: meaningOf(fault) }));
  const reason = status?.why ? `: ${status.why}` : '';
  if (presence === 'lost') all.push({ rank: 4, text: `✕ lost${reason}` });
  if (presence === 'off') all.push({ rank: 3, text: `✕ ${offText(robot)}` });
  if (presence === 'telemetry_only') all.push({ rank: 1, text: '▽ telemetry only' });
  if (presence === 'no_telemetry') all.push({ rank: 1, text: '▽ no telemetry' });
  if (stopText(stop)) all.push({ rank: 2, text: stopText(stop) });
  if (presence === 'no_telemetry' && stop.last === null) all.push({ rank: 1, text: '□ not known whether it is stopped' });
  if (isLow(status?.battery) && !status?.battery?.on_charger) all.push({ rank: 1, text: '▼ battery low' });
  return all.sort((a, b) => b.rank - a.rank);
}

/** Robots with the most urgent trouble first, and by name among equals. */
export function byAttention(robots: Robot[], seen: Seen): Robot[] {
  const rank = (robot: Robot) => troublesOf(robot, seen)[0]?.rank ?? 0;
  return robots
    .map((robot) => ({ robot, rank: rank(robot) }))
    .sort((a, b) => b.rank - a.rank || a.robot.name.localeCompare(b.robot.name, undefined, { numeric: true }))
    .map(({ robot }) => robot);
}
