import type { Robot } from './picture';

/** Something that a person can do with a robot now. */
export interface NextStep {
  id: 'release' | 'take_over' | 'hand_back' | 'send' | 'dock' | 'play';
  label: string;
  hint: string;
  command?: string; // missing: it needs a point on the map
  primary?: boolean;
  obstacle: string; // why it cannot be done now; empty: it can
}

/** The next things to try, in the order in which they are offered. `obstacle`: why no command can work. */
export function nextSteps(robot: Robot, role: string, obstacle: string): NextStep[] {
  const { status } = robot;
  const blocked = obstacle || (role === 'observe' ? 'You may observe and stop, but not drive.' : '');
  const stopped = status?.stopped ? 'A full stop is latched: release it first.' : '';
  const steps: NextStep[] = [];
  if (status?.stopped)
    steps.push({ id: 'release', label: 'Release the stop', hint: 'Lets the robot move again', command: 'release_stop', primary: true, obstacle: blocked });
  if (status?.run_mode === 'RM3')
    steps.push({
      id: 'hand_back',
      label: 'Hand back to autonomy',
      hint: 'The robot drives itself again (run mode RM2)',
      command: 'set_run_mode mode=RM2',
      primary: !status.stopped,
      obstacle: blocked,
    });
  else
    steps.push({
      id: 'take_over',
      label: 'Take over',
      hint: 'The robot halts and waits for you: hold the keys W A S D, the arrow keys or the pad (run mode RM3)',
      command: 'set_run_mode mode=RM3',
      primary: !status?.stopped,
      obstacle: blocked,
    });
  steps.push({ id: 'send', label: 'Send to a point', hint: 'Click on the map, and the robot drives there', obstacle: blocked || stopped });
  steps.push({
    id: 'dock',
    label: 'Go to the dock',
    hint: 'The robot drives to its charger by itself',
    command: 'dock',
    obstacle: blocked || stopped || (status?.battery?.on_charger ? 'It is on its dock.' : ''),
  });
  steps.push({
    id: 'play',
    label: 'Play with a cube',
    hint: 'The robot connects to the nearest cube and plays; see its lights in the Cubes view',
    command: 'behaviors line="start connect"',
    obstacle: blocked || stopped || (status?.run_mode === 'RM2' ? '' : 'Hand back to autonomy first.'),
  });
  return steps;
}
