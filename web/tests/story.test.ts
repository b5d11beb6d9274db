import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Sections } from '../src/model/messages';
import { openBrowser, picture, watchedPage } from './page_rig';
import { RunningProgram } from './running_program';

// What a stranger sees who starts the demo and only watches. The first part takes about a minute; with CARIBOU_FULL it goes
// on to the docking, five minutes in all.
const full = process.env.CARIBOU_FULL !== undefined;
const browser = openBrowser();
const storyLimit = 240; // s after the start, by which a watcher has seen all of it
let demo: RunningProgram;
let page: Page;
let startedAt = 0; // ms
let explores: Promise<Sections>;

before(async () => {
  startedAt = Date.now();
  demo = await RunningProgram.start('demo', '--port', '0');
  let from: number | undefined; // x, m
  explores = demo.until('it explores and has driven a meter', ({ status, motion }) => {
    from ??= motion?.pose.x;
    return status?.behavior === 'explore' && Math.abs((motion?.pose.x ?? 0) - (from ?? 0)) > 1;
  }, 30);
  explores.catch(() => undefined); // reported by the test that awaits it
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
});

after(async () => {
  await (await browser).close();
  await demo.end();
});

/** Waits until the sentence on the map reads so. */
const sentence = (what: RegExp, seconds: number) =>
  page.getByLabel('What rover does now').getByText(what).first().waitFor({ timeout: seconds * 1000 });

test('Story.BeginsWithAMapAndShowsExploringAndAGameWithinTheFirstMinutes', { timeout: 200_000 }, async () => {
  await page.goto(`${demo.address}/`);
  await page.getByLabel(/^Map around rover/).waitFor();
  // A browser that is late for the first of them sees it after the game.
  const explained = sentence(/^Exploring: \S+/, 75).then(() => page.getByText('its goal, and the path to it').waitFor());
  await sentence(/^(Going to|Connecting to|Playing with) a cube/, 60);
  await sentence(/^(Connecting to|Playing with) a cube/, 60);
  await page.getByText(/^▣ (blue|green) cube, connected, with its lights$/).waitFor({ timeout: 60_000 });
  await picture(page, 'story-plays', false);
  await explores;
  await explained;
  await picture(page, 'story-explores', false);
});

// With every view and the whole scan, and with the schemas; 13 MB without compression.
test('Story.IsRecordedInLessThanHalfAMegabytePerMinute', { timeout: 100_000 }, async () => {
  // In its first minute, which has the schemas.
  await demo.until('a minute has been recorded', () => Date.now() - startedAt > 66_000, 70);
  const { recordings } = JSON.parse((await demo.ask('/api/v1/recordings')).text) as {
    recordings: { start: number; end: number; files: { file: string; size: number }[] }[];
  };
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const seconds = sum(recordings.map(({ start, end }) => end - start));
  const bytes = sum(recordings.flatMap(({ files }) => files.filter(({ file }) => file.endsWith('.mcap')).map(({ size }) => size)));
  assert.ok(seconds > 55 && bytes > 0, `${bytes} bytes in ${seconds} s`);
  assert.ok((bytes * 60) / seconds <= 0.5e6, `${bytes} bytes in ${seconds} s`);
});

/** How far the robot is from the cube that it is connected to, in meters, or Infinity if it is not on the map; null: there is none. */
function toItsCube({ motion, cubes, map }: Sections): number | null {
  const name = cubes?.cubes.find(({ connected }) => connected)?.name;
  if (!name || !map || !motion) return null;
  const place = map.cubes?.find((cube) => cube.name === name);
  return place ? Math.hypot(place.x - motion.pose.x, place.y - motion.pose.y) : Infinity;
}

/** Measures the longest times in which a robot stands: without one of the reasons for which it may, and with one. Both are sums
 * over one stay, which ends only when the robot has left the place (the same rule as src/robot/stand_watch.hpp). */
class StandWatch {
  worst = 0; // s
  doing = ''; // meanwhile
  longest = 0; // s, for a reason
  private last = 0;
  private stuck = 0; // s in this place
  private stood = 0; // s in this place, for a reason
  private place = { x: 1e9, y: 1e9 };

  look({ status, motion }: Sections): void {
    if (!status || !motion) return;
    const { x, y } = motion.pose;
    const charges = status.run_mode === 'RM1' && status.waits_for === 'Charging';
    const may = charges || ['rest', 'fall_asleep', 'connect', 'spin'].includes(status.behavior ?? '');
    if (Math.hypot(x - this.place.x, y - this.place.y) > 0.1) [this.place, this.last, this.stuck, this.stood] = [{ x, y }, motion.at, 0, 0];
    const passed = motion.at - this.last;
    this.last = motion.at;
    if (may) this.stood += passed;
    else this.stuck += passed;
    this.longest = Math.max(this.longest, this.stood);
    if (this.stuck <= this.worst) return;
    this.worst = this.stuck;
    this.doing = `${status.behavior}, ${motion.reason}, at ${x.toFixed(2)} ${y.toFixed(2)}`;
  }
}

test('Story.GoesOnWithPeopleAndADockingAndIsNeverStuck', { skip: !full && 'five minutes long: CARIBOU_FULL=1', timeout: 400_000 }, async () => {
  const stands = new StandWatch();
  const seen = new Set<string>();
  const passed = () => (Date.now() - startedAt) / 1000;
  const avoidedAt: number[] = []; // s
  let farthestGame = 0; // m, from the robot to the cube that it plays with
  const watching = demo.until('five minutes have passed', (rover) => {
    stands.look(rover);
    if (['obstacle_slow', 'obstacle_stop'].includes(rover.motion?.reason ?? '')) avoidedAt.push(passed());
    const gap = rover.status?.behavior === 'spin' ? toItsCube(rover) : null;
    if (gap !== null) farthestGame = Math.max(farthestGame, gap);
    if (rover.status?.battery?.on_charger) seen.add('on_charger');
    assert.notEqual(rover.status?.run_mode, 'RM0');
    return passed() > 300;
  }, 310, ['map', 'cubes']);
  await sentence(/^Going to its dock, .*: its battery is at \d+ %\.$/, storyLimit - passed());
  await picture(page, 'story-docks', false);
  await sentence(/^Charging: the battery is at \d+ %\.$/, storyLimit - passed());
  await picture(page, 'story-charges', false);
  await watching;
  assert.ok((avoidedAt[0] ?? Infinity) < storyLimit, 'it has avoided something');
  assert.ok(seen.has('on_charger'));
  assert.ok(farthestGame < 0.6, `it has played with a cube ${farthestGame.toFixed(1)} m away`);
  assert.ok(stands.worst <= 20, `it stood for ${stands.worst.toFixed(1)} s: ${stands.doing}`);
  assert.ok(stands.longest <= 90, `it stood for ${stands.longest.toFixed(1)} s, although for a reason`);
});
