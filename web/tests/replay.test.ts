import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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
  await recorder.until('it has left its dock', ({ status }) => status?.behavior === 'explore');
  const send = (...words: string[]) => execFileSync(program, ['send', '--station', recorder.address.replace('http://', ''), 'rover', ...words]);
  // Marks that are close together are one.
  const wait = async () => {
    let from = 0;
    await recorder.until('half a second has passed', ({ motion }) => {
      from ||= motion?.at ?? 0;
      return (motion?.at ?? 0) > from + 0.5;
    });
  };
  send('full_stop');
  await recorder.until('it is stopped', ({ status }) => status?.stopped === true);
  await wait();
  send('release_stop');
  await recorder.until('it is released', ({ status }) => status?.stopped === false);
  await wait();
  send('set_run_mode', 'mode=RM3');
  await recorder.until('it is in server mode', ({ status }) => status?.run_mode === 'RM3');
  await wait();
  send('set_run_mode', 'mode=RM2');
  await recorder.until('it drives itself', ({ status }) => status?.run_mode === 'RM2');
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
  await bar.getByRole('button', { name: /RM3/ }).first().waitFor(); // a mark
  assert.equal(await bar.locator('button:not([aria-disabled=true])').count(), 0, 'it has no controls');
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
  await page.getByRole('link', { name: 'rover' }).first().waitFor();
  assert.equal(await page.getByRole('button', { name: /^Stop/ }).count(), 0, 'there is no live robot');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'replay-to-all-phone');
});

test('Replay.JumpsToMarksByMouseAndByKeyboard', async () => {
  const shelf = await RunningProgram.start('station', '--plain', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0', '--record', join(folder, 'records'));
  const page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  try {
    await page.goto(`${shelf.entry}#/recordings`);
    const name = basename(recording, '.mcap');
    await page.getByRole('button', { name: `Replay ${name}` }).click();
    const marks = page.getByRole('toolbar', { name: 'Marks' });
    const mark = (text: RegExp) => marks.getByRole('button', { name: text }).first();
    await mark(/rover: stopped/).waitFor();
    for (const text of [/rover: stop released/, /run mode RM3 \(before: RM2\)/, /behavior \w+ (began|ended)/])
      assert.match((await mark(text).getAttribute('title')) ?? '', text, 'its text is shown on hover');
    await page.goto(`${shelf.address}/#/fleet`);
    const stops = (count: number) => page.getByText(`${count} stopped`).first().waitFor();
    await mark(/rover: stopped/).click();
    await stops(1);
    await picture(page, 'replay-marks');
    // By keyboard: from mark to mark, and there.
    await mark(/rover: stopped/).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await stops(0);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title') ?? '');
    for (let i = 0; i < 50 && !/rover: stopped/.test(await focused()); i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await stops(1);
    await page.getByRole('button', { name: 'Next mark' }).click();
    await stops(0);
    await page.getByRole('button', { name: 'Previous mark' }).click();
    await stops(1);
  } finally {
    await page.context().close(); // before its station ends, which it would complain about
    await shelf.end();
  }
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
