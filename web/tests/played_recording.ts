/** The bytes of a number, seven bits each. */
function varint(value: bigint | number): number[] {
  const bytes: number[] = [];
  for (let left = BigInt(value); ; left >>= 7n) {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    if (left <= 0x7fn) return bytes;
  }
}

const text = (value: string): number[] => [...varint(value.length), ...new TextEncoder().encode(value)];
const record = (...body: number[]): number[] => [...varint(body.length), ...body];

/**
 * A recording of ticks (docs/formats/behavior-recording.md): `base` starts `play` in the first second, while `charge`
 * declines, and nothing changes in the next one.
 */
export function playedRecording(): Uint8Array {
  const tree = [3, ...['base', 'play', 'charge'].flatMap((id) => [...text(id), 0])];
  const [entered, pushed, refused, bySelf] = [2, 0, 4, 8];
  const changes = [entered, 1, pushed, 1, 0, entered, 2, entered, 3, refused, 3, bySelf, ...text('the battery is full'), pushed, 2, 1];
  const second = 2n * 1_000_000_000n; // as a signed number
  return new Uint8Array([
    ...[0x43, 0x52, 0x42, 0x48, 1],
    ...record(1, ...tree),
    ...record(3, 0),
    ...record(2, 1, ...varint(second), ...changes),
    ...record(2, 1, 0),
  ]);
}
