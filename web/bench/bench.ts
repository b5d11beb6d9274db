// What the page and those who look at it cost: `./run bench web`. A JSON line for each figure.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import WebSocket from 'ws';
import type { Message } from '../src/model/messages';
import { openBrowser, PageRig } from '../tests/page_rig';
import { fixed } from '../src/model/units';
import type { PlayedRobot } from '../tests/played_robot';
import { PlayedStation } from '../tests/played_station';
import { RunningProgram } from '../tests/running_program';

function say(metric: string, value: number, unit: string): void {
  console.log(JSON.stringify({ bench: 'web', metric, value: Math.round(value * 1000) / 1000, unit }));
}
const progress = (what: string) => console.error(`bench web: ${what}`);
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** Seconds of a core that a process has used. */
function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Every byte of the page as it goes over the wire. */
function assets(): void {
  let total = 0;
  const visit = (path: string): void => {
    if (statSync(path).isDirectory()) return readdirSync(path).forEach((name) => visit(join(path, name)));
    if (path.endsWith('.gz')) return;
    const size = statSync(path).size;
    total += Math.min(size, statSync(`${path}.gz`, { throwIfNoEntry: false })?.size ?? size);
  };
  visit(resolve('../build/web'));
  say('assets_kb', total / 1000, 'kB');
}

/** 20 programs that watch one robot as the page does, at 10 Hz: each has to get a scan with all of its rays so often. */
async function watchers(demo: RunningProgram): Promise<void> {
  const [count, seconds, rate] = [20, 10, 10];
  progress(`${count} watchers for ${seconds} s`);
  const told = Array.from({ length: count }, () => ({ scans: 0, rays: 0 }));
  const sockets = told.map((mine) => {
    const socket = new WebSocket(`${demo.address.replace(/^http/, 'ws')}/api/v1/stream?name=bench`);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'watch', robots: ['rover'], views: ['scan', 'map', 'cubes'], rate })));
    socket.on('message', (text) => {
      const message = JSON.parse(String(text)) as Message;
      const scan = message.type === 'state' && message.robots.rover?.scan;
      if (scan) [mine.scans, mine.rays] = [mine.scans + 1, scan.ranges.length];
    });
    return socket;
  });
  await sleep(2000);
  for (const mine of told) mine.scans = 0;
  const station = demo.part('station');
  const [started, used] = [performance.now(), cpuTime(station)];
  await sleep(seconds * 1000);
  const cores = (cpuTime(station) - used) / ((performance.now() - started) / 1000);
  for (const socket of sockets) socket.close();
  const [scans, rays] = [Math.min(...told.map(({ scans }) => scans)), Math.min(...told.map(({ rays }) => rays))];
  if (scans < 0.9 * rate * seconds || rays < 100)
    throw new Error(`no load: a watcher got ${scans} scans in ${seconds} s, and ${rays} rays in the last`);
  progress(`each got at least ${scans} scans, of ${rays} rays`);
  say('browsers_20_core', cores, 'cores');
}

/**
 * What one viewer of the camera costs the robot and its station together, at 10 images of 320 by 240 pixels per second.
 * The robot does other things, too: periods with and without the camera alternate, and the difference counts.
 */
async function video(demo: RunningProgram): Promise<void> {
  const [rounds, seconds, rate, limit] = [6, 4, 10, 0.1];
  progress(`a viewer of the camera for ${rounds * seconds} s`);
  const token = new URL(demo.entry).searchParams.get('token') ?? '';
  const socket = new WebSocket(`${demo.address.replace(/^http/, 'ws')}/api/v1/stream?name=bench&token=${token}`);
  let [images, bytes] = [0, 0];
  socket.on('message', (text) => {
    const message = JSON.parse(String(text)) as Message;
    const jpeg = message.type === 'state' && message.robots.rover?.camera?.jpeg;
    if (jpeg) [images, bytes] = [images + 1, bytes + (jpeg.length * 3) / 4];
  });
  await new Promise((done) => socket.once('open', done));
  const both = [demo.part('station'), demo.part('robot')];
  const used = async (views: string[]): Promise<number> => {
    socket.send(JSON.stringify({ type: 'watch', robots: ['rover'], views, rate: 20, camera: 'full' }));
    await sleep(1000);
    const before = both.map(cpuTime);
    images = 0;
    await sleep(seconds * 1000);
    return both.reduce((sum, pid, i) => sum + cpuTime(pid) - before[i]!, 0);
  };
  let [cores, seen] = [0, 0];
  for (let i = 0; i < rounds; i++) {
    cores -= await used(['scan', 'map']);
    cores += await used(['scan', 'map', 'camera']);
    seen += images;
  }
  socket.close();
  if (seen < 0.9 * rate * rounds * seconds) throw new Error(`no load: the viewer got ${seen} images in ${rounds * seconds} s`);
  const perSecond = cores / (rounds * seconds);
  say('video_core', perSecond, 'cores');
  say('video_image_kb', bytes / 1000 / seen, 'kB');
  if (perSecond > limit) throw new Error(`a viewer of the camera takes ${perSecond} of a core; the limit is ${limit}`);
}

/**
 * How fast the recording of the demo grows in its first minute, with its schemas: one robot with all views, and its whole
 * scan at 10 Hz.
 */
async function recording(folder: string, demo: RunningProgram): Promise<void> {
  const [seconds, limit] = [60, 0.5];
  progress(`recording for ${seconds} s`);
  const recordings = join(folder, 'recordings');
  const size = (ending: string) =>
    readdirSync(recordings).reduce((sum, name) => sum + (name.endsWith(ending) ? statSync(join(recordings, name)).size : 0), 0);
  await sleep(seconds * 1000);
  // What is in the file, which the last seconds are not yet.
  const list = JSON.parse((await demo.ask('/api/v1/recordings')).text) as { recordings: { start: number; end: number }[] };
  const minutes = list.recordings.reduce((sum, { start, end }) => sum + end - start, 0) / 60;
  const perMinute = size('.mcap') / 1e6 / minutes;
  say('recording_mb_per_min', perMinute, 'MB/min');
  say('recording_alog_mb_per_min', size('.alog') / 1e6 / minutes, 'MB/min');
  if (perMinute > limit) throw new Error(`a recording grows by ${perMinute} MB per minute; the limit is ${limit}`);
}

/** From the address to a robot on its map, each time in a browser that has seen nothing before. */
async function firstPicture(demo: RunningProgram): Promise<void> {
  progress('first picture');
  const browser = await openBrowser();
  const times: number[] = [];
  for (let i = 0; i < 7; i++) {
    const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (document.querySelector('figcaption .trail')) {
          seen.disconnect();
          requestAnimationFrame(() => document.documentElement.setAttribute('data-first-picture', String(performance.now())));
        }
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${demo.address}/#/drive/rover`);
    await page.locator('html[data-first-picture]').waitFor({ state: 'attached' });
    times.push(Number(await page.evaluate(() => document.documentElement.getAttribute('data-first-picture'))));
    await context.close();
  }
  await browser.close();
  say('first_picture_ms', median(times), 'ms');
}

async function heapOf(page: Page): Promise<number> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.enable');
  await tools.send('HeapProfiler.collectGarbage');
  return (await tools.send('Runtime.getHeapUsage')).usedSize;
}

/** What a minute changes besides the pose: all that a page remembers. */
function liveOn(rover: PlayedRobot, at: number, minute: number): void {
  rover.levels = minute % 3 === 0 ? { right: 3, left: 2 } : { right: 3, left: 3 };
  const { behaviors, bus } = rover.views;
  const top = ['explore', 'play', 'charge'][minute % 3]!;
  rover.views.behaviors = { ...behaviors, at, tick: behaviors.tick + 1, stack: ['robot', top] };
  const variables = bus.variables.map((each) => (each.name === 'CBOT_X' ? { ...each, at, value: rover.pose.x } : each));
  rover.views.bus = { ...bus, at, variables };
}

/** An hour of a robot that drives, as a station replays it at 20 times its speed: ten pictures a second, two seconds
 * apart, and the reader goes from view to view. They come as fast as the page takes them. */
async function hour(): Promise<void> {
  progress('an hour of data');
  const rig = await PageRig.open();
  const station = new PlayedStation();
  const rover = station.add('rover', { run_mode: 'RM2' });
  rover.liveUntil = Infinity;
  const page = await rig.show(station, '#/drive/rover');
  await page.getByText(/ranges now/).first().waitFor();
  for (let second = 0; second < 3600; second += 2) {
    const minute = Math.floor(second / 60);
    if (second % 600 === 0) {
      const view = ['drive', 'behaviors', 'bus'][(minute / 10) % 3]!;
      await page.goto(`${rig.address}/#/${view}/rover`);
      await station.until(() => station.views.includes(view === 'drive' ? 'scan' : (view as 'behaviors' | 'bus')));
    }
    liveOn(rover, station.now, minute);
    station.advance(2, 2);
    if (second % 20 === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.getByRole('row').filter({ hasText: 'CBOT_X' }).getByText(fixed(rover.views.bus.variables[2]!.number as number, 4)).waitFor();
  say('page_hour_mb', (await heapOf(page)) / 1e6, 'MB');
  await rig.closePages();
  await rig.close();
}

assets();
const kept = mkdtempSync(join(tmpdir(), 'caribou-bench-'));
const demo = await RunningProgram.start('demo', '--port', '0', '--keep', kept);
try {
  await demo.until('it is connected', ({ motion }) => motion !== undefined && motion !== null);
  await recording(kept, demo);
  await watchers(demo);
  await video(demo);
  await firstPicture(demo);
} finally {
  await demo.end();
  rmSync(kept, { recursive: true });
}
await hour();
