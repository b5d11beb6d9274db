import type { Cube, Cubes } from './sections';
import { counted } from './units';

/** What the connection of a robot to a cube is doing now; null: nothing that concerns a person. */
export interface CubeLink {
  cube: Cube | null; // that is connected to play with
  text: string; // what is waited for; empty: nothing
  left: number | null; // s until that ends at the latest; null: not known
  limit: number; // s that it takes at most
}

const scanLimit = 15; // s (docs/cubes.md)
const connectLimit = 10; // s

/** `now`: by the station's clock. */
export function cubeLink(told: Cubes | null, now: number): CubeLink | null {
  if (!told) return null;
  const cube = told.cubes.find(({ connected }) => connected) ?? null;
  // Held in the background, it shows no lights and feels no taps.
  if (cube) return told.coordinator?.state === 'connected_interactable' ? { cube, text: '', left: null, limit: 0 } : null;
  const left = typeof told.comms?.left === 'number' ? Math.max(0, told.comms.left - (now - told.at)) : null;
  if (told.comms?.scanning) return { cube: null, text: `Searching for cubes: ${counted(told.cubes.length, 'cube')} received`, left, limit: scanLimit };
  if (told.comms?.state !== 'connecting') return null;
  const name = told.cubes.find(({ state }) => state === 'connecting')?.name;
  return { cube: null, text: `Connecting to ${name || 'a cube'}`, left, limit: connectLimit };
}

/** Whether a person can tap the cubes on the page: simulated ones. */
export const canTap = (told: Cubes | null): boolean => told?.comms?.radio === 'simulated';

/** The states of the coordinator, as people read them. */
const stateNames: Record<string, string> = {
  unconnected: 'Not connected',
  connecting: 'Connecting',
  connected_interactable: 'Connected, to play',
  connected_background: 'Connected in the background',
  switching_to_background: 'Connected, ending the play',
  disconnecting: 'Disconnecting',
};
export const coordinatorText = (state: string): string => stateNames[state] ?? state;
