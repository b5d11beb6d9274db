// Recordings, as a reader sees them that is not ours: @mcap/core, which checks every checksum.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type * as Mcap from '@mcap/core';
import { decompress } from 'fzstd';

const { McapIndexedReader, McapStreamReader } = createRequire(import.meta.url)('@mcap/core') as typeof Mcap;
const decompressHandlers = { zstd: (frame: Uint8Array, size: bigint) => decompress(frame, new Uint8Array(Number(size))) };

const text = (data: Uint8Array) => new TextDecoder().decode(data);
const read = (name: string) => new Uint8Array(readFileSync(resolve('../tests/golden/mcap', name)));
const golden = read('small.mcap');

/** By the index, as a program reads that looks for one moment. */
async function indexed(file: Uint8Array) {
  const reader = await McapIndexedReader.Initialize({
    decompressHandlers,
    readable: {
      size: async () => BigInt(file.length),
      read: async (offset, size) => file.subarray(Number(offset), Number(offset + size)),
    },
  });
  const lines: string[] = [];
  for await (const message of reader.readMessages({ validateCrcs: true }))
    lines.push(`${reader.channelsById.get(message.channelId)?.topic} ${message.logTime} ${text(message.data)}`);
  return { reader, lines };
}

/** From the beginning to the end, or to where it was cut. */
function streamed(file: Uint8Array): { lines: string[]; done: boolean } {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  reader.append(file);
  const topics = new Map<number, string>();
  const lines: string[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Channel') topics.set(record.id, record.topic);
    if (record.type === 'Message') lines.push(`${topics.get(record.channelId)} ${record.logTime} ${text(record.data)}`);
  }
  return { lines, done: reader.done() };
}

const inFile = ['/depth 20 {"value":1}', '/raw 10 abc', '/depth 30 {"value":2}'];

test('Mcap.IsReadByItsIndex', async () => {
  const { reader, lines } = await indexed(golden);
  assert.deepEqual(lines, [inFile[1], inFile[0], inFile[2]], 'in the order of time');
  assert.equal(reader.header.library, 'test');
  assert.equal(reader.statistics?.messageCount, 3n);
  assert.equal(reader.statistics?.messageStartTime, 10n);
  assert.equal(reader.statistics?.messageEndTime, 30n);
  assert.equal(reader.chunkIndexes.length, 2);
  assert.deepEqual([...reader.schemasById.values()].map(({ name, encoding }) => [name, encoding]), [['Number', 'jsonschema']]);
  assert.deepEqual([...reader.channelsById.values()].map(({ metadata }) => [...metadata]), [[['unit', 'm']], []]);
});

test('Mcap.IsReadFromItsBeginning', () => {
  assert.deepEqual(streamed(golden), { lines: inFile, done: true });
});

test('Mcap.IsReadWithCompressedChunks', async () => {
  const file = read('zstd.mcap');
  assert.deepEqual(streamed(file), { lines: inFile, done: true });
  const { reader, lines } = await indexed(file);
  assert.deepEqual(lines, [inFile[1], inFile[0], inFile[2]], 'in the order of time');
  assert.deepEqual(reader.chunkIndexes.map(({ compression }) => compression), ['zstd', 'zstd']);
});

test('Mcap.IsReadWhereverItWasCut', () => {
  let most = 0;
  for (let size = 8; size < golden.length; size++) {
    const { lines } = streamed(golden.subarray(0, size));
    assert.deepEqual(lines, inFile.slice(0, lines.length));
    assert.ok(lines.length >= most, 'never less than before');
    most = lines.length;
  }
  assert.equal(most, 3);
});
