// What a station tells of a robot that is watched: docs/formats/station-api.md. A robot that has no bus, no
// cubes or no world leaves out what belongs to them.

import type { RunMode } from './messages';

export type { RoomMap } from '../generated/data';

/** What an autonomous robot does, and where it goes; in the frame of its map. */
export interface Plan {
  at: number;
  doing: string; // one sentence; empty: it does not drive itself
  goal: { x: number; y: number } | null;
  path: [x: number, y: number][]; // the points that it has not passed yet
}

export interface BehaviorNode {
  id: string;
  parent: string | null;
  class: string;
  label?: string;
}

export interface BehaviorState {
  scope: number; // how many may want it
  in_scope: boolean;
  active: boolean;
  why: string; // it sleeps; empty: it does not
  gate?: string;
}

export interface Condition {
  behavior: string;
  number: number; // among those of the behavior, for commands
  text: string;
  holds: boolean | null; // null: nobody asks at present
  forced: boolean | null;
}

export interface Behaviors {
  at: number;
  tick: number;
  tree?: BehaviorNode[]; // missing: as it was
  stack: string[]; // the base first
  states: Record<string, BehaviorState>;
  conditions?: Condition[];
  actions?: { behavior: string; name: string }[];
  recent?: { at: number; tick: number; text: string }[]; // the newest last
  idle?: boolean;
}

export interface Cube {
  id: string;
  name?: string;
  state: string;
  rssi?: number; // dBm
  preferred?: boolean;
  connected: boolean;
  battery?: number; // V
  lights?: string[]; // #rrggbb
  acceleration?: [x: number, y: number, z: number]; // g
  moving?: boolean;
  up_axis?: string;
  taps?: number;
}

export interface Cubes {
  at: number;
  comms?: { state: string; scanning: boolean; radio?: string };
  coordinator?: { state: string; since: number; countdown: number | null; next?: string; why: string };
  subscribers?: { name: string; type: string; since: number }[];
  cubes: Cube[];
  transitions?: { at: number; from: string; to: string; why: string }[];
  trace?: { at: number; direction: 'in' | 'out'; text: string }[];
}

export interface Variable {
  name: string;
  type: 'double' | 'string' | 'binary';
  value: number | string | { bytes: number };
  cut?: boolean;
  source: string;
  at: number;
  rate?: number; // Hz
  pinned?: boolean;
}

export interface Bus {
  at: number;
  broker: string;
  connected: boolean;
  hosted?: boolean;
  community?: string;
  variables: Variable[];
  clients?: { name: string; publishes: string[]; subscribes: string[] }[];
}

export interface TypeName {
  ros_type_name: string;
  supported_type_name: string;
}

/** docs/formats/negotiation-report.md. */
export interface Report {
  topic: string;
  started: boolean;
  success: boolean;
  weight: number;
  at_least: number;
  proven: boolean;
  kept: boolean;
  switching: boolean;
  negotiations: number;
  results_sent: number;
  switches: number;
  sent: number;
  spared: number;
  offers: {
    type: TypeName;
    weight: number;
    compatible: boolean;
    usable: boolean;
    chosen: boolean;
    total_weight: number;
    listed_by: number;
    only_for: string;
    readers: number;
    sent: number;
    spared: number;
  }[];
  demands: {
    who: string;
    wants: { type: TypeName; weight: number; offered: boolean }[];
    served_by: TypeName[];
    unserved: string;
    refused: string[];
  }[];
  runner_up: { types: TypeName[]; more_types: number; less_weight: number; proven: boolean } | null;
  saved_bytes_per_second?: number;
}

export interface Topics {
  at: number;
  reports: Report[];
}

export interface Health {
  at: number;
  threads?: { name: string; state: 'running' | 'stopped' | 'late'; rate?: number; last: number; why: string }[];
  steps?: { name: string; took: number; ok: boolean; why: string }[];
  may?: { mode: number; allowed: boolean; why: string }[];
  faults?: { name: string; broken: boolean; about: string; ends?: boolean }[]; // ends: a robot that drives goes to RM0
  link?: { refused: number; refusal: string; samples: number; dropped: number };
}

export const modeName = (mode: number): RunMode => `RM${mode}` as RunMode;
