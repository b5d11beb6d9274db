import type { WatchedView } from './messages';

export type View = 'fleet' | 'drive' | 'modes' | 'behaviors' | 'cubes' | 'bus' | 'topics' | 'recordings' | 'faults';
/** The views, each with the sections that it needs: of the picked robot, or of the robots on the wall. */
export const views: { view: View; name: string; needs: WatchedView[] }[] = [
  { view: 'fleet', name: 'Fleet', needs: ['map', 'plan'] },
  { view: 'drive', name: 'Drive', needs: ['scan', 'map', 'plan', 'cubes'] },
  { view: 'modes', name: 'Modes', needs: ['health'] },
  { view: 'behaviors', name: 'Behaviors', needs: ['behaviors', 'plan'] },
  { view: 'cubes', name: 'Cubes', needs: ['cubes'] },
  { view: 'bus', name: 'Bus', needs: ['bus'] },
  { view: 'topics', name: 'Topics', needs: ['topics', 'scan', 'map'] },
  { view: 'recordings', name: 'Recordings', needs: [] },
  { view: 'faults', name: 'Faults', needs: ['health'] },
];
