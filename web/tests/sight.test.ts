import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Status } from '../src/model/messages';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// What an operator has to see stays in sight, and what is aimed at stays in its place.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);

function lone(fields: Partial<Status> = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { presence: 'live', ...fields });
  return station;
}
const boxOf = async (control: Locator) => {
  await control.waitFor();
  const box = await control.boundingBox();
  assert.ok(box);
  return box;
};
const overlap = (a: Awaited<ReturnType<typeof boxOf>>, b: typeof a) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }])
  test(`Sight.AnUnconfirmedStopStaysOnScreenAt${viewport.width}Pixels`, async () => {
    const station = lone();
    const page = await rig.show(station, '#/drive/rover', { viewport });
    await page.getByRole('button', { name: 'STOP rover' }).waitFor();
    station.report('rover', 'stuck: commanded but not moving for 2 s');
    const notice = page.getByLabel('News').getByRole('listitem').first();
    await notice.waitFor();
    station.frozen = true;
    await page.keyboard.press('Space');
    const banner = page.getByRole('alert');
    await banner.getByText(/STOP of rover is not confirmed/).waitFor();
    await page.getByRole('button', { name: /^STOP not confirmed/ }).waitFor();
    assert.equal(overlap(await boxOf(notice), await boxOf(banner)), false);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const { y, height } = await boxOf(banner);
    assert.ok(y >= 0 && y + height < viewport.height, `${y}`);
    const onTop = await banner.evaluate((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    assert.ok(onTop, 'nothing covers it');
    await rig.picture(page, `sight-stop-${viewport.width}`, false);
  });

test('Sight.ButtonAndBannerAgreeOfARobotThatIsOff', async () => {
  const station = lone({ run_mode: 'RM0', mode: 'wait', why: 'it cannot be reached', stale: true, presence: 'off', stopped: true });
  station.robots.get('rover')!.silentSince = station.now - 20;
  const page = await rig.show(station, '#/drive/rover');
  const button = page.getByLabel('Stop', { exact: true }).getByRole('button', { name: /^STOP/ });
  await button.getByText('rover is off').waitFor();
  await button.click();
  await page.getByRole('alert').getByText('It is stopped as soon as it is started again').waitFor();
  await button.getByText('STOP not confirmed').waitFor();
  assert.equal(await page.getByText(/STOPPED/).count(), 0);
});

for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }])
  test(`Sight.NoNoticeCoversTheMapToolsOrTheControlsOfAReplayAt${viewport.width}Pixels`, async () => {
    const station = lone({ run_mode: 'RM2' });
    const page = await rig.show(station, '#/drive/rover', { viewport });
    await page.getByText(/ranges now/).first().waitFor();
    station.report('rover', 'stuck: commanded but not moving for 2 s');
    const notice = page.getByLabel('News').getByRole('listitem').first();
    const clear = async (...controls: Locator[]) => {
      for (const control of controls) assert.equal(overlap(await boxOf(notice), await boxOf(control)), false, `${control}`);
    };
    await clear(page.getByRole('group', { name: 'Map tools' }), page.getByLabel('What rover does now'));
    await rig.picture(page, `sight-notice-${viewport.width}`, false);
    await page.goto(`${rig.address}/#/recordings`);
    await page.getByRole('button', { name: /^Replay/ }).click();
    await page.getByText('You see the past').waitFor();
    station.report('rover', 'the battery is low');
    await page.getByLabel('News').getByText('the battery is low').waitFor();
    await clear(page.getByLabel('Replay', { exact: true }));
  });

test('Sight.NoNoticeCoversWhyARobotIsGone', async () => {
  const station = lone({ mode: 'wait', why: 'sensor_dead', stale: true, presence: 'off', off_reason: 'sensor_dead' });
  station.supervised = true;
  const page = await rig.show(station, '#/faults/rover');
  const note = page.getByRole('status').filter({ hasText: 'switched itself off' });
  await note.waitFor();
  station.report('rover', 'RM2 -> RM0: sensor_dead');
  const notice = page.getByLabel('News').getByRole('listitem').first();
  await notice.waitFor();
  assert.equal(overlap(await boxOf(notice), await boxOf(note)), false);
});

test('Sight.NoNoticeCoversTheHeadOfAViewOrWhyARobotIsLost', async () => {
  const station = lone();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/bus/rover');
  const heads = [page.getByRole('heading', { name: 'Variables' }), page.getByLabel('Filter'), page.getByRole('columnheader', { name: 'Name' })];
  await heads[0]!.waitFor();
  station.report('rover', 'stuck: commanded but not moving for 2 s');
  const notice = page.getByLabel('News').getByRole('listitem').first();
  for (const head of heads) assert.equal(overlap(await boxOf(notice), await boxOf(head)), false);
  await page.goto(`${rig.address}/#/faults/rover`);
  station.report('rover', 'stuck again');
  rover.silentSince = station.now;
  station.advance(5);
  const note = page.getByRole('status').filter({ hasText: 'rover is lost' });
  assert.equal(overlap(await boxOf(notice), await boxOf(note)), false);
});

test('Sight.NoCardOfTheFleetMovesUnderThePointer', async () => {
  const station = new PlayedStation();
  for (const name of ['ada', 'bee', 'cid']) station.add(name, { presence: 'live' });
  const page = await rig.show(station, '#/fleet');
  const names = () => page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')).join(' '));
  await page.getByLabel('ada', { exact: true }).hover();
  Object.assign(station.robots.get('cid')!, { status: { ...station.robots.get('cid')!.status, faults: ['motor_driver'] } });
  station.advance(0.1);
  await page.getByText('the motor driver reports a fault').first().waitFor();
  assert.equal(await names(), 'ada bee cid');
  // Away from the list, the robot that needs a person comes first.
  await page.mouse.move(5, 5);
  await page.locator('article:first-child[aria-label="cid"]').waitFor();
  // The keyboard holds it, too.
  await page.getByLabel('bee', { exact: true }).getByRole('link', { name: 'bee' }).focus();
  await page.keyboard.press('Tab');
  Object.assign(station.robots.get('cid')!, { status: { ...station.robots.get('cid')!.status, faults: [] } });
  station.advance(0.1);
  await page.getByText('the motor driver reports a fault').first().waitFor({ state: 'detached' });
  assert.equal(await names(), 'cid ada bee');
});
