import type { AllSections, Marks, Message, Refused, Replay, Report, Role, Sections, Status } from './messages';
import { withPastNames } from './names';
import { withPlainFaults } from './words';

/** What is known of a robot. null: nothing. */
export type Robot = { name: string } & { [Name in keyof AllSections]: AllSections[Name] | null };

/** A report, with the text as the robot has sent it in `raw`. */
export interface SeenReport extends Report {
  raw: string;
}

/** Everything that the station has sent. A value: each message makes a new one. */
export interface Picture {
  station: string;
  you: string;
  role: Role;
  token: boolean; // this client has shown a token, and may see cameras
  supervised: boolean; // robots that have ended can be started again
  robots: Record<string, Robot>;
  complete: boolean; // the station has sent everything once
  reports: SeenReport[]; // the newest first
  refused?: Refused; // missing: nobody was
  recordsCamera: boolean; // the recording in progress has the images of cameras
  recording?: string | null; // what is being recorded; missing: this station cannot
  replay: Replay | null; // that takes the place of the present
  marks: Marks | null; // of the replay; null: not found yet
}

export const kept = 50; // reports

export const nothing: Picture = {
  station: '',
  you: '',
  role: 'observe',
  token: false,
  supervised: false,
  recordsCamera: false,
  robots: {},
  complete: false,
  reports: [],
  replay: null,
  marks: null,
};

export function apply(picture: Picture, message: Message): Picture {
  switch (message.type) {
    case 'hello':
      return {
        ...picture,
        station: message.station,
        you: message.you,
        role: message.role,
        token: message.token ?? false,
        supervised: message.supervised ?? false,
        complete: false,
        replay: null,
        marks: null,
      };
    case 'state': {
      const robots: Record<string, Robot> = message.full ? {} : { ...picture.robots };
      for (const [name, sections] of Object.entries(message.robots)) {
        const before = message.full ? undefined : picture.robots[name];
        robots[name] = merge(name, before, sections, picture.replay ? null : picture.you);
      }
      return {
        ...picture,
        robots,
        complete: picture.complete || message.full,
      };
    }
    case 'report':
      return { ...picture, reports: [{ ...message, raw: message.text, text: withPlainFaults(withPastNames(message.text, picture.you)) }, ...picture.reports].slice(0, kept) };
    case 'refused':
      return { ...picture, refused: message };
    case 'recording':
      return { ...picture, recording: message.name, recordsCamera: message.camera ?? false };
    case 'replay':
      return {
        ...picture,
        replay: message.name === null ? null : message,
        marks: picture.marks?.name === message.name ? picture.marks : null,
      };
    case 'marks':
      return { ...picture, marks: message };
    case 'answer':
    case 'clock':
    case 'error':
      return picture;
  }
}

function merge(name: string, before: Robot | undefined, sections: Sections, you: string | null): Robot {
  const after: Robot = { ...(before ?? unknown), ...told(sections), name };
  if (after.status && sections.status) after.status = { ...withAcknowledged(after.status), why: withPastNames(after.status.why, you) };
  if (after.route && sections.route) after.route = { ...after.route, why: withPastNames(after.route.why, you) };
  // The tree of behaviors comes once; after that only what moves in it.
  const tree = before?.behaviors?.tree;
  if (after.behaviors && !after.behaviors.tree && tree) after.behaviors = { ...after.behaviors, tree };
  return after;
}

/** A robot without telemetry is known by what it has acknowledged, and one that is off by its goodbye. */
function withAcknowledged(status: Status): Status {
  const { acknowledged_stop: stopped, acknowledged_mode: mode, acknowledged_waits_for: reason } = status;
  const after = { ...status };
  if (status.stopped === undefined && typeof stopped === 'boolean') after.stopped = stopped;
  if (status.run_mode === undefined && mode) [after.run_mode, after.waits_for] = [mode, reason ?? null];
  // A robot that has announced its end is in RM0, whatever its last telemetry showed.
  if (status.presence === 'off') [after.run_mode, after.waits_for] = ['RM0', null];
  return after;
}

const unknown: Omit<Robot, 'name'> = {
  status: null,
  motion: null,
  route: null,
  scan: null,
  map: null,
  camera: null,
  plan: null,
  behaviors: null,
  cubes: null,
  bus: null,
  topics: null,
  health: null,
  changes: null,
};

function told(sections: Sections): Partial<Robot> {
  return Object.fromEntries(Object.entries(sections).filter(([name, value]) => name in unknown && value !== undefined));
}
