import type { AllSections, Message, Refused, Replay, Report, Role, Sections, Status } from './messages';
import { waitReason } from './wait_reason';

/** What is known of a robot. null: nothing. */
export type Robot = { name: string } & { [Name in keyof AllSections]: AllSections[Name] | null };

/** One change of a mode that this page has seen. */
export interface ModeChange {
  at: number;
  robot: string;
  what: 'run mode' | 'com mode' | 'link';
  from: string;
  to: string;
  why: string;
}

/** Everything that the station has told. A value: messages make a new one of it. */
export interface Picture {
  station: string;
  you: string;
  role: Role;
  supervised: boolean; // robots that have ended can be started again
  robots: Record<string, Robot>;
  complete: boolean; // the station has told everything once
  changes: ModeChange[]; // the newest first
  reports: Report[]; // the newest first
  refused?: Refused; // missing: nobody was
  recording?: string | null; // what is being recorded; missing: this station cannot
  replay: Replay | null; // that takes the place of the present
}

export const kept = 50; // changes and reports

export const nothing: Picture = {
  station: '',
  you: '',
  role: 'observe',
  supervised: false,
  robots: {},
  complete: false,
  changes: [],
  reports: [],
  replay: null,
};

export function apply(picture: Picture, message: Message): Picture {
  switch (message.type) {
    case 'hello':
      return {
        ...picture,
        station: message.station,
        you: message.you,
        role: message.role,
        supervised: message.supervised ?? false,
        complete: false,
        replay: null,
      };
    case 'state': {
      const robots: Record<string, Robot> = message.full ? {} : { ...picture.robots };
      const changes: ModeChange[] = [];
      for (const [name, sections] of Object.entries(message.robots)) {
        const before = picture.robots[name];
        const after = merge(name, message.full ? undefined : before, sections);
        robots[name] = after;
        if (before && !picture.replay) changes.push(...changesBetween(before, after, message.now));
      }
      return {
        ...picture,
        robots,
        complete: picture.complete || message.full,
        changes: changes.length > 0 ? [...changes, ...picture.changes].slice(0, kept) : picture.changes,
      };
    }
    case 'report':
      return { ...picture, reports: [message, ...picture.reports].slice(0, kept) };
    case 'refused':
      return { ...picture, refused: message };
    case 'recording':
      return { ...picture, recording: message.name };
    case 'replay':
      return { ...picture, replay: message.name === null ? null : message };
    case 'answer':
    case 'clock':
    case 'error':
      return picture;
  }
}

function merge(name: string, before: Robot | undefined, sections: Sections): Robot {
  const after: Robot = { ...(before ?? unknown), ...told(sections), name };
  // The tree of behaviors comes once; after that only what moves in it.
  const tree = before?.behaviors?.tree;
  if (after.behaviors && !after.behaviors.tree && tree) after.behaviors = { ...after.behaviors, tree };
  return after;
}

const unknown: Omit<Robot, 'name'> = {
  status: null,
  motion: null,
  route: null,
  scan: null,
  map: null,
  plan: null,
  behaviors: null,
  cubes: null,
  bus: null,
  topics: null,
  health: null,
};

function told(sections: Sections): Partial<Robot> {
  return Object.fromEntries(Object.entries(sections).filter(([name, value]) => name in unknown && value !== undefined));
}

/** `RM1 WaitingToReceive`. */
export function runModeText(status: Status | null): string {
  if (!status?.run_mode) return '';
  const reason = waitReason(status);
  return reason ? `${status.run_mode} ${reason}` : status.run_mode;
}

function changesBetween(before: Robot, after: Robot, at: number): ModeChange[] {
  const a = before.status;
  const b = after.status;
  if (!a || !b || a === b) return [];
  const all: ModeChange[] = [];
  const note = (what: ModeChange['what'], from: string, to: string, why: string) => {
    if (from !== to && from && to) all.push({ at, robot: after.name, what, from, to, why });
  };
  note('run mode', runModeText(a), runModeText(b), '');
  note('com mode', a.com_mode ?? '', b.com_mode ?? '', '');
  note('link', a.mode, b.mode, b.why);
  return all;
}
