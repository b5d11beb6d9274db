import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Status } from '../src/model/messages';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// What the page says is true of the present, in its own words, and what it offers works.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();
const blocked = async (control: Locator, reason: RegExp) => {
  await control.and(control.page().locator(':disabled')).waitFor();
  assert.match(await control.evaluate((node) => node.closest('[title]')?.getAttribute('title') ?? ''), reason);
};

function lone(fields: Partial<Status> = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { presence: 'live', ...fields });
  return station;
}

test('Words.ControlAndLinkAreNotKnownWithoutTheStation', async () => {
  const station = lone({ run_mode: 'RM3', driver: 'page#1' });
  const page = await rig.show(station, '#/drive/rover');
  await text(page, '✓ You have control');
  await page.getByLabel('Condition').getByText('both ways').waitFor();
  station.frozen = true;
  await text(page, /The station is silent/);
  await text(page, 'Who has control is not known');
  assert.equal(await page.getByText('You have control').count(), 0);
  assert.equal(await page.getByLabel('Condition').getByText('both ways').count(), 0);
});

test('Words.HandingBackGivesBackTheLease', async () => {
  const station = lone({ run_mode: 'RM3', driver: 'page#1' });
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Hand back to autonomy' }).click();
  await station.until(() => station.robots.get('rover')!.commands.includes('release_lease'));
  await text(page, 'It drives itself; no one has taken control');
  assert.equal(await page.getByText('You have control').count(), 0);
});

test('Words.ImagesAndThreadsOfARobotWithoutTelemetryAreLive', async () => {
  const station = new PlayedStation();
  station.token = true;
  const mole = station.add('mole', { presence: 'no_telemetry', stale: true, heard: station.now, run_mode: undefined, com_mode: undefined, stopped: undefined });
  const page = await rig.show(station, '#/drive/mole');
  const camera = page.getByLabel('Camera', { exact: true });
  await camera.getByRole('img').waitFor();
  await camera.locator('.fresh').waitFor();
  assert.equal(await camera.getByText(/Not live/).count(), 0);
  assert.equal(await camera.locator('.past').count(), 0);
  await page.goto(`${rig.address}/#/modes/mole`);
  const threads = page.getByLabel('Threads');
  await threads.getByText('propulsion').waitFor();
  assert.equal(await threads.locator('.past, .stale').count(), 0);
  delete (mole.views as { camera?: unknown }).camera;
  const other = await rig.show(station, '#/drive/mole');
  await other.getByLabel('Camera', { exact: true }).getByText('Waiting for the first image.').waitFor();
});

test('Words.ARecordingWithoutDataOfTheRobotSaysSo', async () => {
  const station = lone();
  const page = await rig.show(station, '#/recordings');
  await page.getByRole('button', { name: /^Replay/ }).waitFor();
  station.robots.clear();
  await page.getByRole('button', { name: /^Replay/ }).click();
  await text(page, 'You see the past');
  await page.goto(`${rig.address}/#/drive/rover`);
  await text(page, 'The recording has no data of rover yet.');
  assert.equal(await page.getByText('Pick one above').count(), 0);
});

test('Words.FaultsAreNamedForPeople', async () => {
  const station = lone({ mode: 'wait', why: 'sensor_dead', stale: true, presence: 'off', off_reason: 'sensor_dead', faults: ['sensor_dead'] });
  const page = await rig.show(station, '#/faults/rover');
  await text(page, '▲ a sensor that it needs gives no readings');
  assert.equal(await page.getByText('sensor_dead').count(), 0);
  await page.goto(`${rig.address}/#/drive/rover`);
  const condition = page.getByLabel('Condition');
  await condition.getByText('▲ a sensor that it needs gives no readings').waitFor();
  assert.equal(await condition.getByText('sensor_dead').count(), 0);
});

test('Words.AReplayHasNoPageOfItsOwn', async () => {
  const station = lone({ run_mode: 'RM3', driver: 'page#1', why: 'page#1 drives' });
  const page = await rig.show(station, '#/recordings');
  await page.getByRole('button', { name: /^Replay/ }).click();
  await text(page, 'You see the past');
  await page.goto(`${rig.address}/#/drive/rover`);
  await text(page, 'Driven by a page.');
  await text(page, 'A page has control');
  assert.equal(await page.getByText('this page').count(), 0);
});

test('Words.ARefusalIsInTheWordsOfThePageWithItsCode', async () => {
  const station = lone({ run_mode: 'RM3' });
  station.refusesStart = ['UNSAFE', 'what is known shuts the goal off'];
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Send to a point' }).click();
  await page.getByLabel(/^Map around rover/).click({ position: { x: 300, y: 300 } });
  const news = page.getByLabel('News');
  await news.getByText('no known way leads to the goal').waitFor();
  await news.locator('small').getByText('UNSAFE').waitFor();
  // The point is not left behind as a route that is ready.
  await station.until(() => station.requests.some((each) => each.type === 'route' && each.action === 'clear'));
  await text(page, 'No route is loaded.');
});

test('Words.ARouteThatWasLoadedElsewhereIsReplacedOnlyOnConsent', async () => {
  const station = lone({ run_mode: 'RM3' });
  station.robots.get('rover')!.follow('load', 'points = [[1, 1], [2, 1]]');
  const page = await rig.show(station, '#/drive/rover');
  const send = async () => {
    await page.getByRole('button', { name: 'Send to a point' }).click();
    await page.getByLabel(/^Map around rover/).click({ position: { x: 300, y: 300 } });
  };
  const loads = () => station.requests.filter((each) => each.type === 'route' && each.action === 'load').length;
  await send();
  const question = page.getByRole('group', { name: 'Replace the route' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(loads(), 0);
  await send();
  await question.getByRole('button', { name: 'Replace the route' }).click();
  await station.until(() => loads() === 1);
  await text(page, 'Driving: point 1 of 1');
});

test('Words.WhatCannotWorkIsDisabledWithTheReason', async () => {
  const station = lone({ run_mode: 'RM2' });
  const rover = station.robots.get('rover')!;
  rover.follow('load', 'points = [[1, 1]]');
  const page = await rig.show(station, '#/drive/rover');
  await blocked(page.getByRole('button', { name: 'Start route' }), /It drives itself \(RM2\): take over first/);
  rover.status = { ...rover.status, run_mode: 'RM3', driver: 'page#7' };
  station.advance(0.1);
  for (const name of ['Hand back to autonomy', 'Send to a point', 'Go to the dock', 'Start route'])
    await blocked(page.getByRole('button', { name }), /Another page has control/);
});

test('Words.OfARobotThatOnlySendsAreNoPromises', async () => {
  const station = new PlayedStation();
  station.token = true;
  const tail = station.add('tail', { presence: 'telemetry_only', mode: 'wait', com_mode: 'CM1', address: null, run_mode: 'RM2', behavior: 'approach' });
  for (const view of ['camera', 'map', 'plan', 'bus']) delete (tail.views as Record<string, unknown>)[view];
  tail.scan = () => null as never;
  const page = await rig.show(station, '#/drive/tail');
  await text(page, 'No image: tail only sends telemetry.');
  await text(page, 'no ranges and no map: it only sends telemetry');
  await text(page, 'Driving itself: approach.');
  await page.getByLabel('Stop', { exact: true }).getByText('tail receives no commands').waitFor();
  await page.goto(`${rig.address}/#/bus/tail`);
  await text(page, 'tail only sends telemetry: its bus is not sent.');
});

test('Words.ARobotWithoutABusHasNone', async () => {
  const station = lone();
  delete (station.robots.get('rover')!.views as { bus?: unknown }).bus;
  const page = await rig.show(station, '#/bus/rover');
  await text(page, 'No bus received from rover yet.');
  await text(page, 'rover has no bus');
});

test('Words.ThePadIsOnTheFirstScreenOfAPhoneOnItsSide', async () => {
  const viewport = { width: 844, height: 390 };
  const page = await rig.show(lone({ run_mode: 'RM2' }), '#/drive/rover', { viewport, hasTouch: true });
  for (const control of [page.getByLabel(/^Drive pad/), page.getByRole('button', { name: 'Take over' }), page.getByRole('button', { name: /^STOP/ }), page.getByLabel(/^Map around rover/)]) {
    await control.waitFor();
    const box = (await control.boundingBox())!;
    assert.ok(box.y >= 0 && box.y + box.height <= viewport.height, `${control}: ${box.y} ${box.height}`);
  }
  await rig.picture(page, 'words-landscape', false);
});

test('Words.AMapWithoutAPositionIsLegible', async () => {
  const station = new PlayedStation();
  station.add('mole', { presence: 'no_telemetry', stale: true, heard: station.now, run_mode: undefined });
  const page = await rig.show(station, '#/fleet');
  const note = page.getByText('no position yet');
  await note.waitFor();
  const onTop = await note.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === node;
  });
  assert.ok(onTop, 'it is above the map');
});
