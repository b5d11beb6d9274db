import type { Battery } from './messages';
import type { Robot } from './picture';
import type { Presence } from './messages';

/** Why a robot needs a person. A higher rank is more urgent. */
export interface Trouble {
  rank: number;
  text: string;
}

const lowBattery = 0.2;

/** False if the level is not known. */
export const isLow = (battery: Battery | undefined): boolean =>
  battery !== undefined && battery.level !== null && battery.level < lowBattery;

/** The troubles of a robot, the most urgent first. */
export function troublesOf(robot: Robot, presence: Presence): Trouble[] {
  const { status } = robot;
  const all: Trouble[] = (status?.faults ?? []).map((fault) => ({ rank: 5, text: `▲ ${fault}` }));
  const reason = status?.why ? `: ${status.why}` : '';
  if (presence === 'lost') all.push({ rank: 4, text: `✕ lost${reason}` });
  if (presence === 'off') all.push({ rank: 3, text: `✕ off${reason}` });
  if (presence === 'telemetry_only') all.push({ rank: 1, text: '▽ telemetry only' });
  if (presence === 'no_telemetry') all.push({ rank: 1, text: '▽ no telemetry' });
  if (status?.stopped) all.push({ rank: 2, text: '■ stopped' });
  if (isLow(status?.battery) && !status?.battery?.on_charger) all.push({ rank: 1, text: '▼ battery low' });
  return all.sort((a, b) => b.rank - a.rank);
}

/** Robots with the most urgent trouble first, and by name among equals. */
export function byAttention(robots: Robot[], presenceOf: (robot: Robot) => Presence): Robot[] {
  const rank = (robot: Robot) => troublesOf(robot, presenceOf(robot))[0]?.rank ?? 0;
  return robots
    .map((robot) => ({ robot, rank: rank(robot) }))
    .sort((a, b) => b.rank - a.rank || a.robot.name.localeCompare(b.robot.name, undefined, { numeric: true }))
    .map(({ robot }) => robot);
}
