import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import WebSocket from 'ws';
import type { Message } from '../src/model/messages';
import { openBrowser, PageRig, picture, watchedPage } from './page_rig';
import { PlayedStation } from './played_station';
import { program, RunningProgram, writeRobot } from './running_program';

// The camera of a robot in the real program: the view of a simulated room, and a program that writes MJPEG.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 240_000 }, run);
const browser = openBrowser();
const folder = mkdtempSync(join(tmpdir(), 'camera-'));
let demo: RunningProgram;
let page: Page;

before(async () => {
  demo = await RunningProgram.start('demo', '--port', '0');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 900 } }));
  await page.goto(demo.entry);
  await page.goto(`${demo.address}/#/drive/rover`);
});

after(async () => {
  await (await browser).close();
  await demo.end();
  rmSync(folder, { recursive: true });
});

const panel = (on: Page) => on.getByRole('region', { name: 'Camera' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** A number that changes with the pixels that are drawn, and the size of the image. */
const drawn = (on: Page) =>
  on.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[aria-label^="Camera of"] canvas');
    const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let sum = 0;
    for (let i = 0; i < data.length; i += 17) sum = (sum * 31 + (data[i] ?? 0)) % 1_000_000_007;
    return { sum, width: canvas?.width ?? 0, height: canvas?.height ?? 0 };
  });

async function until<T>(what: string, read: () => Promise<T>, is: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await read();
    if (is(value)) return value;
    assert.ok(Date.now() < deadline, `not in 60 s: ${what}; it is ${JSON.stringify(value)}`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** CPU time of the thread `camera` of the robot, in ticks: it runs only while someone looks. */
function cameraTicks(): number {
  const tasks = `/proc/${demo.part('robot')}/task`;
  for (const task of readdirSync(tasks)) {
    if (readFileSync(join(tasks, task, 'comm'), 'utf8').trim() !== 'camera') continue;
    const fields = readFileSync(join(tasks, task, 'stat'), 'utf8').replace(/^.*\) /, '').split(' ');
    return Number(fields[11]) + Number(fields[12]);
  }
  return assert.fail('the robot has no thread `camera`');
}

/** Receives images as a program does. */
async function images(of: RunningProgram, count: number, encoding = 'full'): Promise<Buffer[]> {
  const token = new URL(of.entry).searchParams.get('token') ?? '';
  const socket = new WebSocket(`${of.address.replace(/^http/, 'ws')}/api/v1/stream?name=eye&token=${token}`);
  const all: Buffer[] = [];
  try {
    await new Promise<void>((done, fail) => {
      const late = setTimeout(() => fail(new Error(`only ${all.length} images in 60 s`)), 60_000);
      socket.once('error', fail).once('close', () => clearTimeout(late));
      socket.once('open', () => socket.send(JSON.stringify({ type: 'watch', robots: ['rover'], views: ['camera'], rate: 20, camera: encoding })));
      socket.on('message', (text) => {
        const message = JSON.parse(String(text)) as Message;
        const image = message.type === 'state' ? message.robots.rover?.camera : null;
        if (image?.jpeg && image.encoding === encoding) all.push(Buffer.from(image.jpeg, 'base64'));
        if (all.length >= count) done();
      });
    });
  } finally {
    socket.close();
  }
  return all;
}

test('Camera.ShowsTheRoomWhileTheRobotTurns', async () => {
  await until('an image', () => drawn(page), ({ width, height }) => width === 320 && height === 240);
  await button('Take over').click();
  await demo.until('server mode', ({ status }) => status?.run_mode === 'RM3');
  const start = (await demo.robot()).motion?.pose.heading ?? 0;
  const before = await drawn(page);
  await page.keyboard.down('ArrowLeft');
  await demo.until('it turns', ({ motion }) => Math.abs((motion?.pose.heading ?? start) - start) > 0.5);
  await page.keyboard.up('ArrowLeft');
  assert.notEqual((await until('a later image', () => drawn(page), ({ sum }) => sum !== before.sum)).sum, before.sum);
  await panel(page).getByText(/full · \d+ images\/s · [\d.]+ kB\/s/).waitFor();
  await picture(page, 'camera-drive');
});

test('Camera.IsSmallerAsChosen', async () => {
  await panel(page).getByRole('button', { name: 'Half', exact: true }).click();
  await until('half', () => drawn(page), ({ width, height }) => width === 160 && height === 120);
  await panel(page).getByText(/half · /).waitFor();
  await panel(page).getByRole('button', { name: 'Gray', exact: true }).click();
  await panel(page).getByText(/gray · /).waitFor();
  await panel(page).getByRole('button', { name: 'Full', exact: true }).click();
  await until('full', () => drawn(page), ({ width }) => width === 320);
});

test('Camera.TakesNoPictureWhenItIsOff', async () => {
  await panel(page).getByRole('button', { name: 'Off', exact: true }).click();
  await panel(page).getByText('Off: the robot takes no picture for this page.').waitFor();
  // The first look may come while the last picture is being taken.
  let ticks = -1;
  await until('no more work', async () => {
    const [before, now] = [ticks, (ticks = cameraTicks())];
    await page.evaluate(() => new Promise((done) => setTimeout(done, 1000)));
    return cameraTicks() - Math.max(before, now);
  }, (worked) => worked === 0);
  await panel(page).getByRole('button', { name: 'Full', exact: true }).click();
  await until('an image', () => drawn(page), ({ width }) => width === 320);
});

test('Camera.NeedsAToken', async () => {
  const stranger = await watchedPage(await (await browser).newContext());
  await stranger.goto(`${demo.address}/#/drive/rover`);
  await panel(stranger).getByText('Viewing the camera needs a token').waitFor();
  assert.equal((await drawn(stranger)).sum, 0);
  await stranger.context().close();
});

test('Camera.MarksAPictureThatIsNotLive', async () => {
  const rig = await PageRig.open();
  const station = new PlayedStation();
  station.token = true;
  station.add('rover');
  const shown = await rig.show(station, '#/drive/rover');
  await until('an image', () => drawn(shown), ({ width }) => width === 16);
  await station.until(() => station.views.includes('camera'));
  station.frozen = true;
  await panel(shown).getByText(/Not live: \d+ s old/).waitFor();
  assert.equal(await panel(shown).locator('.picture.past').count(), 1, 'it is gray');
  await rig.closePages();
  await rig.close();
});

test('Camera.ShowsWhatAProgramWrites', async () => {
  const jpegs = await images(demo, 3);
  const run = mkdtempSync(join(folder, 'program-'));
  jpegs.forEach((jpeg, i) => writeFileSync(join(run, `${i}.jpg`), jpeg));
  const eye = join(run, 'eye');
  // As a camera does: image after image, and lines about itself on standard error.
  writeFileSync(eye, `#!/bin/sh\necho $$ >"${run}/pid"\necho eye opened >&2\ncd "${run}"\nwhile :; do cat 0.jpg 1.jpg 2.jpg; sleep 0.1; done\n`);
  chmodSync(eye, 0o755);
  const serves = await RunningProgram.start('station', '--plain', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0');
  const config = writeRobot(run, serves);
  writeFileSync(config, `${readFileSync(config, 'utf8')}[camera]\ncommand = ["${eye}"]\n`);
  const robot = spawn(program, ['robot', '--config', config], { stdio: 'ignore' });
  try {
    await serves.until('it is live', ({ status }) => status?.mode === 'run1' && !status.stale);
    assert.throws(() => readFileSync(join(run, 'pid')), 'no one looks: the program does not run');
    const [first] = await images(serves, 1);
    assert.ok(jpegs.some((jpeg) => first?.equals(jpeg)), 'an image that fits is passed on as it is');
    const [small] = await images(serves, 1, 'gray');
    assert.ok(small && small.length < jpegs[0]!.length / 2, 'gray is smaller');
    const pid = Number(readFileSync(join(run, 'pid'), 'utf8'));
    const runs = () => { try { return process.kill(pid, 0); } catch { return false; } };
    await until('the program ends when no one looks', async () => runs(), (is) => !is);
    await images(serves, 1);
    const again = Number(readFileSync(join(run, 'pid'), 'utf8'));
    assert.notEqual(again, pid);
  } finally {
    robot.kill('SIGKILL');
    await serves.end();
  }
});
