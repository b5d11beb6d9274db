import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type * as Schemas from '@foxglove/schemas/jsonschema';
import type * as Mcap from '@mcap/core';
import type * as Validator from 'ajv';
import { decompress } from 'fzstd';
import { program, RunningProgram, writeRobot } from './running_program';

// A recording of `caribou demo`, read by programs that are not ours.
const test = (name: string, run: () => Promise<void> | void) => bare(name, { timeout: 120_000 }, run);
const load = createRequire(import.meta.url);
const { McapIndexedReader } = load('@mcap/core') as typeof Mcap;
const published = load('@foxglove/schemas/jsonschema') as typeof Schemas & Record<string, object>;
const { Ajv } = load('ajv') as typeof Validator;

interface Recorded {
  schema: string;
  described: Json;
  messages: Json[];
}
type Json = Record<string, unknown>;

let folder: string;
let topics: Map<string, Recorded>;
let reader: Mcap.McapIndexedReader;

/** Lets the demo run until there is something of everything, and returns its recording. */
async function record(): Promise<Uint8Array> {
  const demo = await RunningProgram.start('demo', '--port', '0', '--keep', folder);
  const send = (...words: string[]) => execFileSync(program, ['send', '--station', demo.address.replace('http://', ''), 'rover', ...words]);
  try {
    await demo.until('it moves', ({ motion }) => Math.hypot(motion?.pose.x ?? 0, motion?.pose.y ?? 0) > 0.5);
    // It switches itself off, and reports why.
    send('faults', 'line="break dead_sensor.bumpers"');
    await demo.until('it is off', ({ status }) => status?.run_mode === 'RM0');
  } finally {
    await demo.end();
  }
  return recordingIn(join(folder, 'recordings'));
}

function recordingIn(recordings: string): Uint8Array {
  const file = readdirSync(recordings).find((name) => name.endsWith('.mcap'));
  assert.ok(file, 'there is a recording');
  return new Uint8Array(readFileSync(join(recordings, file)));
}

function readerOf(file: Uint8Array): Promise<Mcap.McapIndexedReader> {
  return McapIndexedReader.Initialize({
    decompressHandlers: { zstd: (frame, size) => decompress(frame, new Uint8Array(Number(size))) },
    readable: {
      size: async () => BigInt(file.length),
      read: async (offset, size) => file.subarray(Number(offset), Number(offset + size)),
    },
  });
}

async function topicsIn(reader: Mcap.McapIndexedReader): Promise<Map<string, Recorded>> {
  const topics = new Map<string, Recorded>();
  for await (const { channelId, data } of reader.readMessages({ validateCrcs: true })) {
    const channel = reader.channelsById.get(channelId)!;
    const schema = reader.schemasById.get(channel.schemaId)!;
    let topic = topics.get(channel.topic);
    if (!topic) {
      assert.deepEqual([channel.messageEncoding, schema.encoding], ['json', 'jsonschema'], channel.topic);
      const described = JSON.parse(new TextDecoder().decode(schema.data)) as Json;
      topics.set(channel.topic, (topic = { schema: schema.name, described, messages: [] }));
    }
    topic.messages.push(JSON.parse(new TextDecoder().decode(data)) as Json);
  }
  return topics;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caribou-recording-'));
  reader = await readerOf(await record());
  topics = await topicsIn(reader);
}, { timeout: 120_000 });

after(() => rmSync(folder, { recursive: true }));

const drawn = {
  '/rover/pose': 'PoseInFrame',
  '/rover/tf': 'FrameTransform',
  '/rover/tf_map': 'FrameTransform',
  '/rover/tf_odom': 'FrameTransform',
  '/rover/scan': 'LaserScan',
  '/rover/map': 'Grid',
  '/rover/scene': 'SceneUpdate',
  '/rover/log': 'Log',
};

function assertPublished(topic: Recorded | undefined, name: string, schema: string): asserts topic {
  // Annotations such as contentEncoding are not for validation.
  const ajv = new Ajv({ strict: false });
  assert.ok(topic, `${name} is recorded`);
  assert.equal(topic.schema, `foxglove.${schema}`);
  for (const described of [published[schema]!, topic.described]) {
    const valid = ajv.compile(described);
    for (const message of topic.messages) assert.ok(valid(message), `${name}: ${ajv.errorsText(valid.errors)}`);
  }
}

test('Recording.HasMessagesOfThePublishedFoxgloveSchemas', () => {
  for (const [name, schema] of Object.entries(drawn)) assertPublished(topics.get(name), name, schema);
});

test('Recording.HasImagesOfThePublishedFoxgloveSchemaIfTheCameraIsRecorded', async () => {
  const run = mkdtempSync(join(tmpdir(), 'caribou-recording-camera-'));
  const config = join(run, 'station.toml');
  const recordings = join(run, 'recordings');
  writeFileSync(config, '[record]\nviews = ["camera"]\n');
  const station = await RunningProgram.start('station', '--plain', '--config', config, '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0', '--record', recordings);
  const robot = spawn(program, ['robot', '--config', writeRobot(run, station)], { stdio: 'ignore' });
  try {
    await station.until('it moves', ({ motion }) => Math.hypot(motion?.pose.x ?? 0, motion?.pose.y ?? 0) > 0.5);
  } finally {
    const ended = new Promise((done) => robot.once('exit', done));
    robot.kill('SIGINT');
    await ended;
    await station.end();
  }
  const name = '/rover/camera';
  const camera = (await topicsIn(await readerOf(recordingIn(recordings)))).get(name);
  assertPublished(camera, name, 'CompressedImage');
  for (const message of camera.messages) {
    assert.equal(message.format, 'jpeg');
    const image = Buffer.from(message.data as string, 'base64');
    assert.deepEqual([image.readUInt16BE(0), image.readUInt16BE(image.length - 2)], [0xffd8, 0xffd9], 'a whole JPEG');
  }
  rmSync(run, { recursive: true });
});

test('Recording.HasMessagesThatFollowItsOwnSchemas', () => {
  const ajv = new Ajv({ strict: false });
  for (const [name, { described, messages }] of topics) {
    const valid = ajv.compile(described);
    for (const message of messages) assert.ok(valid(message), `${name}: ${ajv.errorsText(valid.errors)}`);
  }
});

/** Names the members of a message that its schema does not describe; what the schema explains in `$comment` is left out. */
function undescribed(message: unknown, schema: Json, at: string): string[] {
  if (Array.isArray(message)) return message.flatMap((item) => undescribed(item, (schema.items ?? {}) as Json, `${at}[]`));
  if (typeof message !== 'object' || message === null) return [];
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  return Object.entries(message).flatMap(([name, value]) => {
    const described = properties[name] ?? (schema.additionalProperties as Json | undefined);
    if (described) return undescribed(value, described, `${at}.${name}`);
    return String(schema.$comment ?? '').includes(`${name}:`) ? [] : [`${at}.${name}`];
  });
}

test('Recording.DescribesTheMembersOfEveryView', () => {
  for (const view of ['behaviors', 'cubes', 'bus', 'topics', 'health']) {
    const topic = topics.get(`/rover/${view}`);
    assert.ok(topic && topic.messages.length > 0, view);
    assert.deepEqual([...new Set(topic.messages.flatMap((message) => undescribed(message, topic.described, view)))], []);
  }
});

/** Foxglove and Lichtblick show no topic that has a list of types, a list of lists or an object without properties. */
function whyUnreadable(schema: Json, at: string): string | null {
  if (schema.type === 'object') {
    if (!schema.properties) return `${at} has no properties`;
    for (const [name, property] of Object.entries(schema.properties)) {
      const why = whyUnreadable(property as Json, `${at}.${name}`);
      if (why) return why;
    }
    return null;
  }
  if (schema.type === 'array') {
    const items = schema.items as Json | undefined;
    return !items || items.type === 'array' ? `${at} is a list of lists` : whyUnreadable(items, `${at}[]`);
  }
  return ['string', 'number', 'integer', 'boolean'].includes(schema.type as string) ? null : `${at} has the type ${JSON.stringify(schema.type)}`;
}

test('Recording.HasSchemasThatFoxgloveReads', () => {
  assert.ok(topics.size >= 14, [...topics.keys()].join(' '));
  for (const [name, { described }] of topics) assert.equal(whyUnreadable(described, name), null);
});

test('Recording.HasTheWholeScanTheMapAndWhatIsOnIt', () => {
  const scans = topics.get('/rover/scan')!.messages as { ranges: number[] }[];
  assert.equal(scans.at(-1)?.ranges.length, 180);
  const map = topics.get('/rover/map')!.messages.at(-1) as { column_count: number; data: string };
  const cells = new Int8Array(Buffer.from(map.data, 'base64'));
  assert.equal(cells.length % map.column_count, 0);
  for (const kind of [-1, 0, 100]) assert.ok(cells.includes(kind), `cells of ${kind}`);
  const scenes = topics.get('/rover/scene')!.messages as { entities: { id: string }[] }[];
  const things = new Set(scenes.flatMap(({ entities }) => entities.map(({ id }) => id)));
  for (const id of ['robot', 'dock', 'path']) assert.ok(things.has(id), `${id} among ${[...things].join(', ')}`);
  assert.equal(reader.header.profile, 'caribou-2');
});

/** The value of a message path such as `/rover/status.battery.level` in some message. */
function valueAt(path: string): unknown {
  const [topic = '', ...steps] = path.split('.');
  const messages = topics.get(topic)?.messages ?? [];
  const values = messages.map((message) => steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], message));
  return values.find((value) => value !== undefined && value !== null);
}

test('Layout.NamesTopicsThatARecordingHasWithWhatEachPanelNeeds', () => {
  interface Panel {
    topics?: Record<string, unknown>;
    paths?: { value: string }[];
    topicToRender?: string;
    topicPath?: string;
    followTf?: string;
    fixedFrame?: string;
  }
  const layout = JSON.parse(readFileSync(resolve('../examples/foxglove/rover.json'), 'utf8')) as { configById: Record<string, Panel>; layout: unknown };
  const placed = JSON.stringify(layout.layout);
  const kinds = new Set<string>();
  for (const [id, panel] of Object.entries(layout.configById)) {
    const [kind = ''] = id.split('!');
    kinds.add(kind);
    assert.ok(placed.includes(JSON.stringify(id)), `${id} has a place`);
    for (const topic of Object.keys(panel.topics ?? {}))
      assert.ok(['Grid', 'LaserScan', 'PoseInFrame', 'SceneUpdate'].some((schema) => topics.get(topic)?.schema === `foxglove.${schema}`), `${id}: ${topic}`);
    for (const { value } of panel.paths ?? []) assert.equal(typeof valueAt(value), kind === 'Plot' ? 'number' : 'string', `${id}: ${value}`);
    if (kind === 'RosOut') assert.equal(topics.get(panel.topicToRender ?? '')?.schema, 'foxglove.Log', id);
    if (kind === 'RawMessages') assert.notEqual(valueAt(panel.topicPath ?? ''), undefined, id);
    if (kind === '3D') {
      const { parent_frame_id: parent, child_frame_id: child } = topics.get('/rover/tf')!.messages[0]!;
      assert.deepEqual([panel.fixedFrame, panel.followTf], [parent, child], id);
    }
  }
  assert.deepEqual([...kinds].sort(), ['3D', 'Plot', 'RawMessages', 'RosOut', 'StateTransitions']);
});
