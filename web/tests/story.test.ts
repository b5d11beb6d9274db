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
let demo: RunningProgram;
let page: Page;

before(async () => {
  demo = await RunningProgram.start('demo', '--port', '0');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
});

after(async () => {
  await (await browser).close();
  await demo.end();
});

/** Waits until the sentence on the map reads so. */
const sentence = (what: RegExp, seconds: number) =>
  page.getByLabel('What rover does now').getByText(what).first().waitFor({ timeout: seconds * 1000 });

test('Story.BeginsWithAMapAndShowsExploringAndAGameWithinTheFirstMinute', { timeout: 150_000 }, async () => {
  await page.goto(`${demo.address}/`);
  await page.getByLabel(/^Map around rover/).waitFor();
  await sentence(/^Exploring: \S+/, 30);
  await page.getByText('its goal, and the path to it').waitFor();
  await picture(page, 'story-explores', false);
  await sentence(/^Going to a cube, .*: it wants to play\.$/, 60);
  await sentence(/^(Connecting to|Playing with) a cube/, 60);
  await page.getByText(/^▣ (blue|green) cube, connected, with its lights$/).waitFor({ timeout: 60_000 });
  await picture(page, 'story-plays', false);
});

// With every view and the whole scan; 7 MB without compression.
test('Story.IsRecordedInLessThanAMegabytePerMinute', async () => {
  const { recordings } = JSON.parse((await demo.ask('/api/v1/recordings')).text) as {
    recordings: { start: number; end: number; files: { file: string; size: number }[] }[];
  };
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const seconds = sum(recordings.map(({ start, end }) => end - start));
  const bytes = sum(recordings.flatMap(({ files }) => files.filter(({ file }) => file.endsWith('.mcap')).map(({ size }) => size)));
  assert.ok(seconds > 20 && bytes > 0, `${bytes} bytes in ${seconds} s`);
  assert.ok((bytes * 60) / seconds < 1e6, `${bytes} bytes in ${seconds} s`);
});

/** Measures the longest time in which a robot stands without one of the reasons for which it may. */
class StandWatch {
  worst = 0; // s
  private since = 0;
  private place = { x: 1e9, y: 1e9 };

  look({ status, motion }: Sections): void {
    if (!status || !motion) return;
    const { x, y } = motion.pose;
    const mayStand = ['rest', 'fall_asleep', 'connect', 'spin', 'linger', 'leave_dock'].includes(status.behavior ?? '');
    if (mayStand || Math.hypot(x - this.place.x, y - this.place.y) > 0.1) [this.place, this.since] = [{ x, y }, motion.at];
    this.worst = Math.max(this.worst, motion.at - this.since);
  }
}

test('Story.GoesOnWithPeopleAndADockingAndIsNeverStuck', { skip: !full && 'five minutes long: CARIBOU_FULL=1', timeout: 400_000 }, async () => {
  const stands = new StandWatch();
  const seen = new Set<string>();
  const began = Date.now();
  const watching = demo.until('five minutes have passed', (rover) => {
    stands.look(rover);
    if (rover.motion?.reason) seen.add(rover.motion.reason);
    if (rover.status?.battery?.on_charger) seen.add('on_charger');
    assert.notEqual(rover.status?.run_mode, 'RM0');
    return Date.now() - began > 240_000;
  }, 300);
  await sentence(/^Going to its dock, .*: its battery is at \d+ %\.$/, 200);
  await picture(page, 'story-docks', false);
  await sentence(/^Charging: the battery is at \d+ %\.$/, 100);
  await picture(page, 'story-charges', false);
  await watching;
  assert.ok(seen.has('obstacle_slow') || seen.has('obstacle_stop'), 'it has avoided something');
  assert.ok(seen.has('on_charger'));
  assert.ok(stands.worst <= 20, `it stood for ${stands.worst.toFixed(1)} s`);
});
