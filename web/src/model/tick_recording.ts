// A recording of ticks, as a robot keeps it: docs/formats/behavior-recording.md.

import type { Moment } from './behavior_history';
import type { Behaviors, BehaviorNode, BehaviorState } from './sections';

/** Names of the gates, by number, and what a refusal by each means. */
const gates: [name: string, sentence: (why: string) => string][] = [
  ['none', (why) => why],
  ['scope', (why) => why || 'it is not in scope'],
  ['active', (why) => why || 'it is active already'],
  ['broken', (why) => why || 'its init threw'],
  ['circumstances', (why) => `\`${why}\` holds, and it is not allowed then`],
  ['ensured', (why) => `no active ancestor ensures \`${why}\``],
  ['requirement', (why) => `a requirement is not met: ${why}`],
  ['condition', (why) => `its condition \`${why}\` does not hold`],
  ['behavior', (why) => (why ? `it does not want to: ${why}` : 'it does not want to')],
  ['delegates', (why) => why],
];

interface Tree {
  ids: string[];
  conditions: string[][];
}

class Bytes {
  private at = 0;
  private static readonly decoder = new TextDecoder();

  constructor(private readonly bytes: Uint8Array) {}

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('the recording is cut off');
    return byte;
  }

  /** Exact, because times in nanoseconds exceed what a number can represent. */
  big(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  }

  number(): number {
    return Number(this.big());
  }

  signed(): bigint {
    const value = this.big();
    return value & 1n ? -(value >> 1n) - 1n : value >> 1n;
  }

  part(size: number): Bytes {
    if (this.at + size > this.bytes.length) throw new RangeError('the recording is cut off');
    this.at += size;
    return new Bytes(this.bytes.subarray(this.at - size, this.at));
  }

  text(): string {
    return Bytes.decoder.decode(this.part(this.number()).bytes);
  }
}

function readTree(from: Bytes): Tree {
  const tree: Tree = { ids: [], conditions: [] };
  for (let left = from.number(); left > 0; left--) {
    tree.ids.push(from.text());
    tree.conditions.push(Array.from({ length: from.number() }, () => from.text()));
  }
  return tree;
}

/** The state after a tick. */
class State {
  tree: Tree;
  private stack: number[] = [];
  private readonly scope = new Set<number>();
  private readonly refused = new Map<number, Pick<BehaviorState, 'gate' | 'why'>>();
  private readonly conditions = new Map<string, boolean>(); // by `who number`
  private readonly actions = new Map<number, string>();

  constructor(tree: Tree) {
    this.tree = tree;
  }

  /** Reads one change and applies it. */
  take(from: Bytes): void {
    const kind = from.byte();
    const who = [10, 11, 13, 15].includes(kind) ? -1 : from.number() - 1;
    switch (kind) {
      case 0: // pushed
        from.number();
        this.forget(who);
        return void this.stack.push(who);
      case 1: // popped
        from.number(), from.text();
        this.forget(who);
        return void this.stack.pop();
      case 2: // entered scope
        return void this.scope.add(who);
      case 3: // left scope
        this.scope.delete(who);
        return this.forget(who);
      case 4: { // refused
        const [gate, sentence] = gates[from.number()] ?? ['unknown', (why: string) => why];
        return void this.refused.set(who, { gate, why: sentence(from.text()) });
      }
      case 5: // willing
        return void this.refused.delete(who);
      case 6: { // condition changed
        const condition = from.number();
        return void this.conditions.set(`${who} ${condition >> 1}`, (condition & 1) === 1);
      }
      case 7: // action started
        return void this.actions.set(who, from.text());
      case 8: // action ended
        from.number(), from.text();
        return void this.actions.delete(who);
      case 9: // rule broken
        return void (from.number(), from.text());
      case 10: // stack reset
        return void from.text();
      case 11: // became idle
        return;
      case 12: // cycle found
      case 14: // slow behavior found
        return void from.big();
      case 13: // tick overran
        return void (from.big(), from.big());
      case 15: // tree changed
        this.tree = readTree(from);
        return this.actions.clear();
      default:
        throw new RangeError(`the recording has a change of the unknown kind ${kind}`);
    }
  }

  /** `nodes`: the present tree, for what the recording does not have: parents, classes and labels. */
  moment(at: number, tick: number, nodes: BehaviorNode[]): Moment {
    const id = (who: number) => this.tree.ids[who] ?? '';
    const active = new Set(this.stack);
    const states = this.tree.ids.map((name, who): [string, BehaviorState] => {
      const inScope = this.scope.has(who);
      const answer = this.refused.get(who) ?? { gate: inScope ? 'none' : 'scope', why: '' };
      return [name, { scope: inScope ? 1 : 0, in_scope: inScope, active: active.has(who), ...answer }];
    });
    const conditions = this.tree.conditions.flatMap((texts, who) =>
      texts.map((text, number) => ({ behavior: id(who), number, text, holds: this.conditions.get(`${who} ${number}`) ?? null, forced: null })),
    );
    const same = this.tree.ids.every((name) => nodes.some((node) => node.id === name));
    return {
      at,
      tick,
      tree: same ? nodes : this.tree.ids.map((name) => ({ id: name, parent: null, class: '', label: name })),
      stack: this.stack.map(id),
      states: Object.fromEntries(states),
      conditions,
      actions: [...this.actions].map(([who, name]) => ({ behavior: id(who), name })),
    };
  }

  private forget(who: number): void {
    this.refused.delete(who);
    this.tree.conditions[who]?.forEach((_, number) => this.conditions.delete(`${who} ${number}`));
  }
}

export interface ReadOptions {
  zero: number; // the UNIX time of instant 0 of the ticks
  nodes: Behaviors['tree'];
  from?: number; // UNIX time; earlier moments are left out
  step?: number; // s, between two moments with the same stack
}

/**
 * The moments of a recording, the oldest first: one for each change of the stack, and for other changes at most one per
 * `step`. Throws RangeError if it is malformed.
 */
export function readTickRecording(bytes: Uint8Array, { zero, nodes, from = -Infinity, step = 0.5 }: ReadOptions): Moment[] {
  const magic = [0x43, 0x52, 0x42, 0x48, 1]; // CRBH, and the version
  if (!magic.every((byte, i) => bytes[i] === byte)) throw new RangeError('this is not a recording of ticks, or one of another version');
  const records = new Bytes(bytes.subarray(magic.length));
  const moments: Moment[] = [];
  let state: State | null = null;
  let tick = 0;
  let now = 0n;
  let pace = 0n;
  while (!records.atEnd) {
    const record = records.part(records.number());
    const kind = record.byte();
    if (kind === 1) {
      state = new State(readTree(record));
      continue;
    }
    if (!state) throw new RangeError('the recording has no tree');
    tick += record.number();
    if (kind === 2) {
      pace = BigInt.asIntN(64, pace + record.signed());
      now = BigInt.asIntN(64, now + pace);
    }
    const shows = !record.atEnd || moments.length === 0;
    while (!record.atEnd) state.take(record);
    // The snapshot has no time of its own: it is the state before the first tick.
    const at = zero + Number(now) / 1e9;
    if (kind !== 2 || !shows || at < from) continue;
    const moment = state.moment(at, tick, nodes);
    const last = moments.at(-1);
    const sameStack = last !== undefined && String(last.stack) === String(moment.stack);
    if (sameStack && at - last.at < step) moments[moments.length - 1] = { ...moment, at: last.at };
    else moments.push(moment);
  }
  return moments;
}
