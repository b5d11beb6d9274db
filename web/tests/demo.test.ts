import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { after, before, test as bare } from 'node:test';
import type { Channel, FoxgloveClient as Client } from '@foxglove/ws-protocol';
import type { Page } from 'playwright-core';
import WebSocket from 'ws';
import type { Sections } from '../src/model/messages';
import { openBrowser, picture, watchedPage } from './page_rig';

// Node cannot name what this package exports.
const { FoxgloveClient } = createRequire(import.meta.url)('@foxglove/ws-protocol') as { FoxgloveClient: typeof Client };

// The real program with the real page: `caribou demo`, and what a person does in its first minutes.
const program = process.env.CARIBOU_PROGRAM ?? resolve('../build/caribou');
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
let demo: ChildProcess;
let address = '';
let page: Page;

before(async () => {
  demo = spawn(program, ['demo', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: demo.stdout! })) {
    address = /http:\/\/\S+(?=\/)/.exec(line)?.[0] ?? '';
    if (address) break;
  }
  assert.ok(address, 'the demo says where it is');
  demo.stdout!.resume();
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
});

after(async () => {
  await (await browser).close();
  const ended = new Promise((done) => demo.once('exit', done));
  demo.kill('SIGINT');
  assert.equal(await ended, 0, 'and ends in good order');
});

function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage & { text: string }> {
  return new Promise((done, fail) => {
    get(`${address}${path}`, { headers }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.once('end', () => done(Object.assign(response, { text })));
    }).once('error', fail);
  });
}

/** What the station knows of the robot, asked for without the page. */
async function rover(): Promise<Sections> {
  const state = JSON.parse((await ask('/api/v1/state')).text) as { robots: Record<string, Sections> };
  return state.robots.rover ?? {};
}

async function until(what: string, is: (robot: Sections) => boolean, seconds = 60): Promise<Sections> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const robot = await rover();
    if (is(robot)) return robot;
    assert.ok(Date.now() < deadline, `not in ${seconds} s: ${what}; it is ${JSON.stringify({ ...robot, scan: null })}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const text = (what: string | RegExp) => page.getByText(what).first().waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const show = (place: string) => page.goto(`${address}/#/${place}`);

test('Demo.ServesThePageCompressedAndGuarded', async () => {
  const index = await ask('/', { 'accept-encoding': 'gzip' });
  assert.equal(index.statusCode, 200);
  assert.equal(index.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(index.headers['content-encoding'], 'gzip');
  assert.equal(index.headers['x-content-type-options'], 'nosniff');
  assert.match(String(index.headers['content-security-policy']), /^default-src 'none'; script-src 'self'/);
  const again = await ask('/', { 'if-none-match': String(index.headers.etag) });
  assert.equal(again.statusCode, 304);
  assert.equal((await ask('/', { host: 'elsewhere.example' })).statusCode, 403, 'not by a name of others');
  assert.equal((await ask('/nothing')).statusCode, 404);
});

test('Demo.ShowsARobotThatExploresByItself', async () => {
  await show('fleet');
  await text('1 robot · 1 connected · 0 stopped · 0 with faults');
  await picture(page, 'demo-fleet');
  await until('it moves', ({ motion }) => Math.hypot((motion?.pose.x ?? 0) - 0.8, (motion?.pose.y ?? 0) - 0.7) > 0.5);
});

test('Demo.LetsAPersonTakeOverByKeyboardAndStop', async () => {
  await show('drive/rover');
  await text('It drives itself in RM2: take over first.');
  await button('Take over').click();
  await until('server mode', ({ status }) => status?.run_mode === 'RM3');
  await page.getByText('take over first').waitFor({ state: 'detached' });
  await page.keyboard.down('ArrowLeft');
  await until('it turns', ({ motion }) => motion?.winner === 'operator' && motion.right.speed > 0);
  await page.keyboard.up('ArrowLeft');
  await until('it halts', ({ motion }) => motion?.right.speed === 0 && motion.left.speed === 0);
  await page.keyboard.press('Space');
  await until('stopped', ({ status }) => status?.stopped === true);
  await button('Release rover').click();
  await until('released', ({ status }) => status?.stopped === false);
  await picture(page, 'demo-drive');
  await show('modes/rover');
  await button('Change to RM2').click();
  await until('autonomous', ({ status }) => status?.run_mode === 'RM2');
  await picture(page, 'demo-modes');
});

test('Demo.IsSeenByAProgramThatSpeaksFoxglovesProtocol', async () => {
  const socket = new WebSocket(address.replace(/^http/, 'ws'), [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
  const client = new FoxgloveClient({ ws: socket as never });
  const messages = new Map<string, Record<string, unknown>>();
  try {
    const wanted = ['/rover/telemetry', '/rover/pose', '/rover/tf', '/rover/scan'];
    await new Promise<void>((done, fail) => {
      const topics = new Map<number, string>();
      client.on('error', fail);
      client.on('status', ({ message }) => fail(new Error(message)));
      client.on('advertise', (channels: Channel[]) => {
        for (const { id, topic, encoding, schema } of channels) {
          assert.equal(encoding, 'json');
          assert.equal((JSON.parse(schema) as { type: string }).type, 'object');
          if (wanted.includes(topic)) topics.set(client.subscribe(id), topic);
        }
      });
      client.on('message', ({ subscriptionId, timestamp, data }) => {
        assert.ok(Math.abs(Number(timestamp / 1_000_000n) - Date.now()) < 60_000, 'by the clock');
        messages.set(topics.get(subscriptionId)!, JSON.parse(new TextDecoder().decode(data)) as Record<string, unknown>);
        if (wanted.every((topic) => messages.has(topic))) done();
      });
    });
    const pose = messages.get('/rover/pose') as { frame_id: string; pose: { position: { x: number } } };
    assert.equal(pose.frame_id, 'rover/map');
    assert.ok(Math.abs(pose.pose.position.x - ((await rover()).motion?.pose.x ?? 99)) < 1);
    assert.equal((messages.get('/rover/scan') as { ranges: number[] }).ranges.length, 360);
  } finally {
    client.close();
  }
});
