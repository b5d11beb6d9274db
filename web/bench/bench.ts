// What the page and those who look at it cost: `./run bench web`. A JSON line for each figure.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import WebSocket from 'ws';
import { openBrowser, PageRig } from '../tests/page_rig';
import { PlayedStation } from '../tests/played_station';
import { RunningDemo } from '../tests/running_demo';

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

/** 20 programs that watch one robot as the page does, at 10 Hz. */
async function watchers(demo: RunningDemo): Promise<void> {
  progress('20 watchers for 10 s');
  const sockets = Array.from({ length: 20 }, () => new WebSocket(`${demo.address.replace(/^http/, 'ws')}/api/v1/stream?name=bench`));
  let states = 0;
  for (const socket of sockets) {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'watch', robots: ['rover'], views: ['scan', 'map', 'cubes'], rate: 10 })));
    socket.on('message', () => (states += 1));
  }
  await sleep(2000);
  const station = demo.part('station');
  const [seconds, before, used] = [10, states, cpuTime(station)];
  await sleep(seconds * 1000);
  if (states - before < 20 * seconds * 8) throw new Error(`20 watchers got only ${states - before} pictures in ${seconds} s`);
  say('browsers_20_core', (cpuTime(station) - used) / seconds, 'cores');
  for (const socket of sockets) socket.close();
}

/** From the address to a robot on its map, each time in a browser that has seen nothing before. */
async function firstPicture(demo: RunningDemo): Promise<void> {
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
    await page.waitForFunction(() => document.documentElement.hasAttribute('data-first-picture'));
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

/** An hour of a robot that drives, as a station replays it at 20 times its speed: ten pictures a second, two seconds apart. */
async function hour(): Promise<void> {
  progress('an hour of data');
  const rig = await PageRig.open();
  const station = new PlayedStation();
  const rover = station.add('rover', { run_mode: 'RM2' });
  rover.liveUntil = Infinity;
  const page = await rig.show(station, '#/drive/rover');
  await page.getByText(/ranges now/).first().waitFor();
  const minutes = 60;
  for (let minute = 0; minute < minutes; minute++) {
    rover.levels = minute % 3 === 0 ? { right: 3, left: 2 } : { right: 3, left: 3 };
    station.advance(60, 2);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  say('page_hour_mb', (await heapOf(page)) / 1e6, 'MB');
  await rig.closePages();
  await rig.close();
}

assets();
const demo = await RunningDemo.start();
try {
  await demo.until('it is connected', ({ motion }) => motion !== undefined && motion !== null);
  await watchers(demo);
  await firstPicture(demo);
} finally {
  await demo.end();
}
await hour();
