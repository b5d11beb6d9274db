import { activityOf } from './activity';
import { byAttention, troublesOf } from './attention';
import type { Robot } from './picture';
import { ageOf, type Seen } from './presence';

/** The columns by which a fleet can be sorted. */
export type Column = 'robot' | 'mode' | 'doing' | 'age' | 'link' | 'battery' | 'control' | 'trouble';

export const columns: { by: Column; name: string; title?: string }[] = [
  { by: 'robot', name: 'Robot' },
  { by: 'mode', name: 'Run mode' },
  { by: 'doing', name: 'Activity' },
  { by: 'age', name: 'Data age' },
  { by: 'link', name: 'Link' },
  { by: 'battery', name: 'Battery' },
  { by: 'control', name: 'Control', title: 'The person or program that has control' },
  { by: 'trouble', name: 'Trouble' },
];

export interface Order {
  by: Column;
  down: boolean; // descending
}

type Key = string | number;

const keys: Record<Column, (robot: Robot, seen: Seen) => Key> = {
  robot: ({ name }) => name,
  mode: ({ status }) => status?.run_mode ?? '',
  doing: (robot) => activityOf(robot),
  age: (robot, { now }) => Math.floor(ageOf(robot, now) ?? Infinity), // robots that send are equal
  link: ({ status }) => `${status?.mode ?? ''} ${status?.why ?? ''}`,
  battery: ({ status }) => status?.battery?.level ?? Infinity,
  control: ({ status }) => status?.driver ?? '',
  trouble: (robot, seen) => -(troublesOf(robot, seen)[0]?.rank ?? 0), // the most urgent first
};

const compare = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number' ? (a === b ? 0 : a - b) : String(a).localeCompare(String(b), undefined, { numeric: true });

/** The robots in this order, and by name among equals; without one, those with trouble first. */
export function inOrder(robots: Robot[], order: Order | null, seen: Seen): Robot[] {
  if (!order) return byAttention(robots, seen);
  const key = keys[order.by];
  return robots
    .map((robot) => ({ robot, key: key(robot, seen) }))
    .sort((a, b) => compare(a.key, b.key) * (order.down ? -1 : 1) || compare(a.robot.name, b.robot.name))
    .map(({ robot }) => robot);
}

/** The order after a click on the header of a column: ascending, descending, none. */
export function nextOrder(order: Order | null, by: Column): Order | null {
  if (order?.by !== by) return { by, down: false };
  return order.down ? null : { by, down: true };
}
