// The messages between station and page (docs/formats/station-api.md). Their parts are described in src/data.
// Times are UNIX seconds by the station's clock.

import {
  checkAnswerMessage,
  checkCameraImage,
  checkClockMessage,
  checkErrorMessage,
  checkHello,
  checkMarksMessage,
  checkModeChanges,
  checkMotion,
  checkRecordingMessage,
  checkRefusedMessage,
  checkReportMessage,
  checkRoomMap,
  checkRoute,
  checkScan,
  checkStatus,
  type AnswerMessage,
  type CameraImage,
  type Check,
  type ClockMessage,
  type ErrorMessage,
  type Hello,
  type MarksMessage,
  type ModeChanges,
  type Motion,
  type RecordingMessage,
  type RefusedMessage,
  type ReplayMessage,
  type ReportMessage,
  type RoomMap,
  type Route,
  type Scan,
  type Status,
} from '../generated/data';
import type { Behaviors, Bus, Cubes, Health, Plan, Topics } from './sections';

export type { Battery, ComMode, Motion, Pose, Presence, Role, Route, RunMode, Scan, StationMode, Status, WaitReason, Wheel } from '../generated/data';
export type {
  AnswerMessage as Answer,
  ClockMessage as Clock,
  ErrorMessage as Complaint,
  Hello,
  Mark,
  MarkKind,
  MarksMessage as Marks,
  ModeChange,
  RecordingMessage as RecordingNow,
  RefusedMessage as Refused,
  ReplayMessage as Replay,
  ReportMessage as Report,
} from '../generated/data';

/** Sections that are sent only of robots that are watched. */
export interface Watched {
  scan: Scan;
  map: RoomMap;
  camera: CameraImage;
  plan: Plan;
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
  changes: ModeChanges; // sent with `health`
}

/** null: there is none any more; missing: it has not changed. */
export type Sections = { [Name in keyof AllSections]?: AllSections[Name] | null };

export interface State {
  type: 'state';
  full: boolean;
  now: number;
  robots: Record<string, Sections>;
}

export interface ReplayClosed {
  type: 'replay';
  name: null;
}

export type Message =
  | Hello
  | State
  | AnswerMessage
  | ReportMessage
  | RefusedMessage
  | RecordingMessage
  | ReplayMessage
  | ReplayClosed
  | MarksMessage
  | ClockMessage
  | ErrorMessage;

export type RouteAction = 'load' | 'start' | 'pause' | 'resume' | 'abort' | 'clear';

export type Request =
  // given: when the person acted, by the station's clock; age: seconds since then, before that clock was measured
  | { type: 'command'; id: number; robot: string; command: string; given?: number; age?: number }
  | { type: 'stop_all'; id: number; group?: string }
  | { type: 'route'; id: number; robot: string; action: RouteAction; route?: string }
  | { type: 'record'; id: number; action: 'start' | 'stop' }
  | { type: 'record'; id: number; action: 'delete'; name: string }
  | { type: 'replay'; id: number; action: 'open'; name: string }
  | { type: 'replay'; id: number; action: 'play' | 'pause' | 'close' }
  | { type: 'replay'; id: number; action: 'seek'; to: number }
  | { type: 'replay'; id: number; action: 'speed'; speed: number }
  | { type: 'heartbeat'; sent: number }
  | { type: 'dismiss_stop'; id: number; robot: string }
  | { type: 'start_again'; id: number; robot: string }
  | { type: 'watch'; robots: string[]; views: WatchedView[]; rate: number; camera?: CameraEncoding };

/** The encodings of a camera, largest first. */
export type CameraEncoding = 'full' | 'half' | 'gray';

const any: Check = () => null;
const checks: Record<Message['type'], Check> = {
  hello: checkHello,
  state: checkState,
  answer: checkAnswerMessage,
  report: checkReportMessage,
  refused: checkRefusedMessage,
  recording: checkRecordingMessage,
  replay: any,
  marks: checkMarksMessage,
  clock: checkClockMessage,
  error: checkErrorMessage,
};
const sections: Record<string, Check> = {
  status: checkStatus,
  motion: checkMotion,
  route: checkRoute,
  scan: checkScan,
  map: checkRoomMap,
  camera: checkCameraImage,
  changes: checkModeChanges,
};

function checkState(message: unknown, at: string): string | null {
  const { robots } = message as State;
  if (typeof robots !== 'object' || robots === null) return `${at}.robots: expected an object`;
  for (const [robot, told] of Object.entries(robots))
    for (const [name, section] of Object.entries(told)) {
      const check = sections[name];
      const fault = check && section !== null && check(section, `${robot}.${name}`);
      if (fault) return fault;
    }
  return null;
}

/**
 * Returns null for messages that this page does not know, such as those of a later station, and an error message
 * that names the place for those that are not as they are described.
 */
export function readMessage(text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null || !('type' in message)) return null;
    const type = message.type as Message['type'];
    if (!Object.hasOwn(checks, type)) return null;
    const fault = checks[type](message, type);
    return fault ? { type: 'error', text: `The station sent a malformed message: ${fault}` } : (message as Message);
  } catch {
    return null;
  }
}
