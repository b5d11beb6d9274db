import type { Robot } from './picture';
import { ageOf, isStale } from './presence';

/**
 * The age of the last reading of each sensor in seconds, the oldest first. They come with telemetry, which is what they count
 * from, however old the scan is.
 */
export function sensorAges(robot: Robot | null, now: number, replay = 0): [sensor: string, age: number][] {
  if (!robot?.scan) return [];
  const since = isStale(robot, now, replay) ? (ageOf(robot, now) ?? 0) : 0;
  return Object.entries(robot.scan.ages)
    .map(([sensor, age]): [string, number] => [sensor, age + since])
    .sort(([, a], [, b]) => b - a);
}
