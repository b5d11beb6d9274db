import type { Mark, MarkKind } from './messages';
import { withPlainNames } from './names';
import { clock, counted } from './units';

/** Marks that are drawn as one, because they are close to each other. */
export interface MarkGroup {
  at: number; // of the first
  share: number; // of the time line, from 0 to 1
  kind: MarkKind; // the most important of them
  text: string; // a line for each
}

const closest = 0.004; // share of the time line between two groups
const mostLines = 8;

/** The most important first. */
const kinds: readonly MarkKind[] = ['stop', 'fault', 'release', 'mode', 'link', 'report', 'behavior'];

/** Places marks, which are sorted by time, on a time line. */
export function groupMarks(marks: readonly Mark[], start: number, end: number): MarkGroup[] {
  const groups: { at: number; share: number; marks: Mark[] }[] = [];
  for (const mark of marks) {
    const share = end > start ? Math.max(0, Math.min(1, (mark.at - start) / (end - start))) : 0;
    const last = groups.at(-1);
    if (last && share - last.share < closest) last.marks.push(mark);
    else groups.push({ at: mark.at, share, marks: [mark] });
  }
  return groups.map(({ at, share, marks: inside }) => ({
    at,
    share,
    kind: kinds.find((kind) => inside.some((mark) => mark.kind === kind)) ?? 'behavior',
    text: textOf(inside),
  }));
}

function textOf(marks: readonly Mark[]): string {
  const lines = marks.slice(0, mostLines).map(({ at, robot, text }) => `${clock(at)} ${robot}: ${withPlainNames(text, null)}`);
  return [...lines, ...(marks.length > mostLines ? [`and ${counted(marks.length - mostLines, 'more mark')}`] : [])].join('\n');
}

/** The nearest group before (-1) or after (1) a time; undefined: there is none. */
export function neighbor(groups: readonly MarkGroup[], at: number, direction: -1 | 1): MarkGroup | undefined {
  const apart = 0.05; // s; a replay that has just jumped to a group is at it
  return direction > 0 ? groups.find((group) => group.at > at + apart) : [...groups].reverse().find((group) => group.at < at - apart);
}
