// What the station and the page say to each other: docs/formats/station-api.md.
// Times are UNIX seconds by the station's clock.

import type { Behaviors, Bus, Cubes, Health, RoomMap, Topics } from './sections';

export type Role = 'observe' | 'drive' | 'admin';
export type StationMode = 'init' | 'wait' | 'shake' | 'run1' | 'run2';
export type RunMode = 'init' | 'RM0' | 'RM1' | 'RM2' | 'RM3' | 'RM4' | 'RM5';
export type ComMode = 'CM0' | 'CM1' | 'CM2' | 'CM3';

export interface Battery {
  level: number; // from 0 to 1
  volts: number;
  amperes: number; // above 0: it is being charged
  on_charger: boolean;
}

/** What changes seldom. The part from `run_mode` on is there once the robot has sent telemetry. */
export interface Status {
  mode: StationMode;
  why: string;
  since: number;
  groups: string[];
  address: string | null;
  role: Role;
  driver: string; // empty: nobody
  stale: boolean;
  stale_after?: number; // s of age after which it is
  run_mode?: RunMode;
  waits_for?: string | null;
  com_mode?: ComMode;
  stopped?: boolean;
  behavior?: string;
  faults?: string[];
  battery?: Battery;
}

export interface Wheel {
  level: number; // from -3 to 3, as it was told
  speed: number | null; // m/s, as it turns; null: unknown
}

export interface Pose {
  x: number; // m
  y: number;
  heading: number; // rad
}

export interface Motion {
  at: number;
  number: number;
  pose: Pose; // in the frame of the robot's map
  odom_in_map?: Pose; // the odometry frame in the map frame
  state: number;
  movement: string;
  class: string;
  right: Wheel;
  left: Wheel;
  winner: string;
  reason: string;
  offset: number; // s, by which the robot's clock is ahead
}

export interface Scan {
  at: number;
  pose?: Pose; // of the robot at that time, in the frame of its map; older recordings have none
  ranges: [bearing: number, distance: number][]; // rad to the left of ahead, m
  ages: Record<string, number>; // s, by sensor
  encoding?: string; // that was negotiated
  bytes_per_second?: number;
}

export interface Route {
  state: 'idle' | 'driving' | 'paused' | 'arrived' | 'failed' | 'aborted';
  why: string;
  name: string;
  points: [x: number, y: number][]; // m
  next: number; // of the points, from 0
  round: number;
  rounds: number; // 0: no end
  path: [x: number, y: number][]; // to the next point, as planned
}

/** What is told only of robots that are watched. */
export interface Watched {
  scan: Scan;
  map: RoomMap;
  behaviors: Behaviors;
  cubes: Cubes;
  bus: Bus;
  topics: Topics;
  health: Health;
}
export type WatchedView = keyof Watched;

export interface AllSections extends Watched {
  status: Status;
  motion: Motion;
  route: Route;
}

/** null: there is none any more; missing: it has not changed. */
export type Sections = { [Name in keyof AllSections]?: AllSections[Name] | null };

export interface Hello {
  type: 'hello';
  api: number;
  station: string;
  you: string;
  role: Role;
  supervised?: boolean; // robots that have ended can be started again
  now: number;
}

export interface State {
  type: 'state';
  full: boolean;
  now: number;
  robots: Record<string, Sections>;
}

export interface Answer {
  type: 'answer';
  id: number;
  robot: string | null;
  kind: 'DONE' | 'ACCEPTED' | 'REFUSED';
  final: boolean;
  refusal: string | null;
  text: string;
}

export interface Report {
  type: 'report';
  now: number;
  robot: string;
  text: string;
}

export interface Complaint {
  type: 'error';
  text: string;
}

/** How many were not let in since the station was started. It comes once there is any. */
export interface Refused {
  type: 'refused';
  datagrams: number;
  robots: number;
  doubles: number;
  handshakes: number;
}

/** What is being recorded; null: nothing. It comes only from a station with a folder for recordings. */
export interface RecordingNow {
  type: 'recording';
  name: string | null;
}

export interface Replay {
  type: 'replay';
  name: string;
  start: number;
  end: number;
  at: number;
  playing: boolean;
  speed: number;
}

export interface ReplayClosed {
  type: 'replay';
  name: null;
}

export type Message = Hello | State | Answer | Report | Refused | RecordingNow | Replay | ReplayClosed | Complaint;

export type RouteAction = 'load' | 'start' | 'pause' | 'resume' | 'abort';

export type Request =
  | { type: 'command'; id: number; robot: string; command: string }
  | { type: 'stop_all'; id: number; group?: string }
  | { type: 'route'; id: number; robot: string; action: RouteAction; route?: string }
  | { type: 'record'; id: number; action: 'start' | 'stop' }
  | { type: 'replay'; id: number; action: 'open'; name: string }
  | { type: 'replay'; id: number; action: 'play' | 'pause' | 'close' }
  | { type: 'replay'; id: number; action: 'seek'; to: number }
  | { type: 'replay'; id: number; action: 'speed'; speed: number }
  | { type: 'heartbeat' }
  | { type: 'start_again'; id: number; robot: string }
  | { type: 'watch'; robots: string[]; views: WatchedView[]; rate: number };

const types = new Set(['hello', 'state', 'answer', 'report', 'refused', 'recording', 'replay', 'error']);

/** null: nothing that this page knows, such as a message of a later station. */
export function readMessage(text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null || !('type' in message)) return null;
    return types.has(message.type as string) ? (message as Message) : null;
  } catch {
    return null;
  }
}
