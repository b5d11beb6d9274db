import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Status } from '../src/model/messages';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// A press is meant for what was under the finger when the person decided to press.
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

function lone(fields: Partial<Status> = {}): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { presence: 'live', ...fields });
  return station;
}
const commandsOf = (station: PlayedStation) => station.robots.get('rover')!.commands;
const middleOf = async (control: Locator) => {
  await control.waitFor();
  const box = (await control.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
/** Fingers on a touch screen: all that are down. */
async function fingersOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number; id: number }[]) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
}

test('Settle.NoTapThatWasMeantForStopReleases', async () => {
  const station = lone({ run_mode: 'RM2' });
  const page = await rig.show(station, '#/drive/rover', phone);
  const stop = page.getByRole('button', { name: /^STOP/ });
  await stop.waitFor();
  const { x, y, height } = (await stop.boundingBox())!;
  const left = [x + 40, y + height / 2] as const;
  await page.touchscreen.tap(...left);
  const release = page.getByRole('button', { name: /^Release rover/ });
  await release.waitFor();
  const box = (await release.boundingBox())!;
  assert.ok(box.x <= left[0] && left[0] <= box.x + box.width, 'it is where STOP was');
  for (let i = 0; i < 4; i++) await page.touchscreen.tap(...left);
  // A deliberate press later is accepted, and is the only one.
  await release.click();
  await station.until(() => station.robots.get('rover')!.status.stopped === false);
  assert.equal(commandsOf(station).filter((command) => command === 'release_stop').length, 1);
});

test('Settle.StopActsForTheSecondFingerAndOnlyOnceForEveryPress', async () => {
  const station = lone();
  const page = await rig.show(station, '#/drive/rover', phone);
  const stop = page.getByRole('button', { name: /^STOP/ });
  const [pad, button] = [await middleOf(page.getByLabel(/^Drive pad/)), await middleOf(stop)];
  const stops = () => commandsOf(station).filter((command) => command === 'full_stop').length;
  const held = { x: pad.x, y: pad.y - 60, id: 1 };
  const touch = await fingersOn(page);
  await touch('touchStart', [held]);
  await station.until(() => commandsOf(station).some((command) => command.startsWith('drive forward=0.')));
  await touch('touchStart', [held, { ...button, id: 2 }]);
  await station.until(() => stops() === 1);
  await touch('touchEnd', []);
  await page.getByRole('button', { name: /^STOPPED/ }).waitFor();
  await page.getByRole('button', { name: /^STOPPED/ }).tap();
  await station.until(() => stops() === 2);
  await page.getByRole('button', { name: /^STOPPED/ }).focus();
  await page.keyboard.press('Enter');
  await station.until(() => stops() === 3);
  await page.getByRole('button', { name: /^STOPPED/ }).click();
  await station.until(() => stops() === 4);
  await page.goto(`${rig.address}/#/modes/rover`);
  await page.getByText('Run mode of rover').waitFor();
  assert.equal(stops(), 4, 'each press is sent once');
});

test('Settle.ADoubleClickOnReleaseDoesNotHandBack', async () => {
  const station = lone({ run_mode: 'RM3', stopped: true });
  const page = await rig.show(station, '#/drive/rover');
  const release = page.getByRole('button', { name: 'Release the stop' });
  const { x, y } = await middleOf(release);
  await release.click();
  await release.waitFor({ state: 'detached' });
  await page.mouse.click(x, y);
  const back = page.getByRole('button', { name: 'Hand back to autonomy' });
  assert.equal(await back.getAttribute('aria-disabled'), 'true');
  await back.click(); // waits until it is enabled
  await station.until(() => station.robots.get('rover')!.status.run_mode === 'RM2');
  assert.equal(commandsOf(station).filter((command) => command === 'set_run_mode mode=RM2').length, 1);
});

test('Settle.ARebootIsConfirmedOnlyAfterItsTextCouldBeRead', async () => {
  const station = lone({ run_mode: 'RM2' });
  const page = await rig.show(station, '#/modes/rover');
  const reboot = page.getByRole('button', { name: 'Change to Rebooting (RM5)' });
  await page.getByText('if that is RM2, it drives by itself as soon as it has started').waitFor();
  await reboot.click();
  const sure = page.getByRole('button', { name: 'Yes, reboot rover' });
  const { x, y } = await middleOf(sure);
  for (let i = 0; i < 3; i++) await page.mouse.click(x, y);
  await sure.focus();
  await page.keyboard.press('Enter');
  assert.equal(await sure.count(), 1, 'it still asks');
  assert.equal(commandsOf(station).length, 0);
  await sure.click();
  await station.until(() => commandsOf(station).includes('set_run_mode mode=RM5'));
});
