import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type * as Mcap from '@mcap/core';
import { decompress } from 'fzstd';
import { openBrowser, picture, watchedPage } from './page_rig';
import { program, RunningProgram, writeRobot } from './running_program';

// A recording of a real robot, which a station replays to all clients.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
const { McapStreamReader } = createRequire(import.meta.url)('@mcap/core') as typeof Mcap;
let folder: string;
let recording: string;
let station: RunningProgram;

async function record(into: string): Promise<string> {
  const recorder = await RunningProgram.start('station', '--plain', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0', '--record', into);
  const robot = spawn(program, ['robot', '--config', writeRobot(folder, recorder)], { stdio: 'ignore' });
  await recorder.until('it has left its place', ({ motion }) => Math.hypot(motion?.pose.x ?? 0, motion?.pose.y ?? 0) > 0.1);
  await recorder.end();
  robot.kill('SIGKILL');
  const file = readdirSync(into).find((name) => name.endsWith('.mcap'));
  assert.ok(file, 'there is a recording');
  return join(into, file);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caribou-replay-'));
  recording = await record(join(folder, 'records'));
  station = await RunningProgram.start('station', '--replay', recording, '--web', '127.0.0.1:0');
});

after(async () => {
  await (await browser).close();
  await station.end();
  rmSync(folder, { recursive: true });
});

test('Replay.ToAllClientsSaysSoAndTakesNoCommands', async () => {
  const page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  await page.goto(`${station.entry}#/drive/rover`);
  const bar = page.getByLabel('Replay', { exact: true });
  await bar.getByText(/^Replay, not live: \d{8}-\d{6}-\d{4}$/).waitFor();
  await bar.getByText(/no robot is connected/).waitFor();
  assert.equal(await bar.getByRole('button').count(), 0, 'it has no controls');
  const stop = page.getByLabel('Stop', { exact: true }).getByRole('button');
  assert.equal(await stop.isDisabled(), true, 'there is nothing to stop');
  await page.locator('header').getByText('recorded').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Take over' }).first().isDisabled(), true);
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  await bar.getByText(/ended/).waitFor({ timeout: 60_000 });
  assert.equal(await page.getByRole('alert').count(), 0, 'no stop waits to be confirmed');
  await picture(page, 'replay-to-all');
  await page.goto(`${station.address}/#/fleet`);
  assert.equal(await page.getByRole('button', { name: 'Stop rover' }).isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'Stop all' }).isDisabled(), true);
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'replay-to-all-phone');
});

test('Recording.IsCompressedAndHoldsTheWholeScan', async () => {
  const reader = new McapStreamReader({
    validateCrcs: true,
    decompressHandlers: { zstd: (frame, size) => decompress(frame, new Uint8Array(Number(size))) },
  });
  reader.append(new Uint8Array(readFileSync(recording)));
  const topics = new Map<number, string>();
  let rays = 0;
  let bytes = 0;
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Channel') topics.set(record.id, record.topic);
    if (record.type !== 'Message') continue;
    bytes += record.data.length;
    if (topics.get(record.channelId) !== '/rover/scan') continue;
    rays = Math.max(rays, (JSON.parse(new TextDecoder().decode(record.data)) as { ranges: unknown[] }).ranges.length);
  }
  assert.equal(reader.done(), true);
  assert.ok(rays > 100, `a scan of ${rays} rays`);
  assert.ok(readFileSync(recording).length < bytes / 2, `${bytes} bytes of messages`);
});
