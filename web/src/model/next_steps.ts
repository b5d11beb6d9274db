import { obstacleOfLease } from './control';
import { releaseEffect } from './modes';
import type { Robot } from './picture';
import type { Seen } from './presence';
import { isModeKnown, stopStateOf } from './stop_state';

/** Something that a person can do with a robot now. */
export interface NextStep {
  id: 'release' | 'take_over' | 'hand_back' | 'send' | 'dock' | 'play';
  label: string;
  hint: string;
  command?: string; // missing: it needs a point on the map
  primary?: boolean;
  obstacle: string; // why it cannot be done now; empty: it can
}

/** Whether the step changes who drives. */
export const changesMode = ({ id }: NextStep): boolean => id === 'take_over' || id === 'hand_back';

/**
 * The next things to try, in the order in which they are offered. `obstacle`: why no command can work; `you`: the name of
 * this page; `behaviors`: those of the robot's tree, as far as they are known.
 */
export function nextSteps(robot: Robot, obstacle: string, seen: Seen, you: string | null = '', behaviors: ReadonlySet<string> = new Set()): NextStep[] {
  const { status } = robot;
  const blocked = obstacle;
  const held = blocked || obstacleOfLease(status, you);
  const stop = stopStateOf(robot, seen);
  const stopped = stop.is === 'stopped' ? 'A full stop is latched: release it first.' : '';
  const unplaced = robot.motion === null ? 'It sends no telemetry: its position is not known.' : '';
  const modeKnown = isModeKnown(robot, seen);
  const releases = releaseEffect(status, modeKnown);
  const steps: NextStep[] = [];
  if (stop.is === 'stopped' || stop.last)
    steps.push({ id: 'release', label: releases ? `Release: ${releases}` : 'Release the stop', hint: 'Lets the robot move again', command: 'release_stop', primary: true, obstacle: blocked });
  if (status?.run_mode === 'RM3')
    steps.push({
      id: 'hand_back',
      label: 'Hand back to autonomy',
      hint: 'The robot drives itself again (run mode RM2)',
      command: 'set_run_mode mode=RM2',
      primary: !stopped,
      obstacle: held,
    });
  else
    steps.push({
      id: 'take_over',
      label: 'Take over',
      hint: 'The robot halts and waits for you: hold the keys W A S D, the arrow keys or the pad (run mode RM3)',
      command: 'set_run_mode mode=RM3',
      primary: !stopped,
      obstacle: held,
    });
  steps.push({ id: 'send', label: 'Send to a point', hint: 'Click on the map, and the robot drives there', obstacle: held || stopped || unplaced });
  steps.push({
    id: 'dock',
    label: 'Go to the dock',
    hint: 'The robot drives to its charger by itself',
    command: 'dock',
    obstacle: held || stopped || (status?.battery?.on_charger ? 'It is on its dock.' : ''),
  });
  if (behaviors.has('connect')) steps.push({
    id: 'play',
    label: 'Play with a cube',
    hint: 'The robot connects to the nearest cube and plays; see its lights in the Cubes view',
    command: 'behaviors line="start connect"',
    obstacle: blocked || stopped || (status?.run_mode === 'RM2' ? '' : 'Hand back to autonomy first.'),
  });
  return steps;
}
