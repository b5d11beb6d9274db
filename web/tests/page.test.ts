import assert from 'node:assert/strict';
import { after, afterEach, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

let rig: PageRig;
before(async () => (rig = await PageRig.open()));
afterEach(() => rig.closePages());
after(() => rig.close());

const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 60_000 }, run);

function yard(): PlayedStation {
  const station = new PlayedStation();
  station.add('rover', { groups: ['yard'] });
  station.add('bee', {
    run_mode: 'RM2',
    behavior: 'ExploreRoom',
    battery: { level: 0.14, volts: 11.1, amperes: -1.2, on_charger: false },
    faults: ['bumper front left: no signal'],
  });
  station.add('moss', {
    run_mode: 'RM1',
    waits_for: 'Charging',
    battery: { level: 0.55, volts: 12.9, amperes: 1.8, on_charger: true },
  });
  const wren = station.add('wren', {
    mode: 'wait',
    why: 'nothing was heard for 3 s',
    stale: true,
    run_mode: 'RM1',
    waits_for: 'WaitingToReceive',
  });
  wren.silentSince = station.now - 600;
  station.add('new', { mode: 'init', run_mode: undefined, battery: undefined, com_mode: undefined, faults: undefined });
  return station;
}

const text = (page: Page, what: string | RegExp) => page.getByText(what).first().waitFor();
test('Fleet.ShowsEveryRobotWithItsAgeAndTrouble', async () => {
  const station = yard();
  station.refused = { datagrams: 3, handshakes: 1 };
  const page = await rig.show(station);
  await text(page, 'Refused since the station was started: 3 datagrams, 1 handshake');
  await text(page, '5 robots · 3 connected · 0 stopped (2 not known) · 1 with faults');
  await text(page, /nothing was heard for 3 s/);
  await text(page, '14 % low');
  await text(page, /bumper front left/);
  await text(page, '10 min');
  station.report('bee', 'stuck: commanded but not moving for 2 s');
  await text(page, 'bee reports');
  await rig.picture(page, 'fleet-light');
});

test('Fleet.StopsOneAndAllAndReleases', async () => {
  const station = yard();
  const page = await rig.show(station);
  await page.getByRole('button', { name: 'Stop bee' }).click();
  await text(page, '■ stopped');
  await station.until(() => station.robots.get('bee')?.status.stopped === true);
  assert.equal(station.robots.get('rover')?.status.stopped, false);
  await page.getByRole('button', { name: 'Release bee' }).click();
  await station.until(() => station.robots.get('bee')?.status.stopped === false);
  await page.getByRole('button', { name: 'STOP all 5' }).click();
  await text(page, '5 stopped');
  await rig.picture(page, 'fleet-stopped');
});

test('Stop.IsAtTheSpaceBarWhateverHasTheFocusAndStaysLatched', async () => {
  const station = yard();
  const page = await rig.show(station, '#/modes/rover');
  await page.getByRole('button', { name: 'Change to Autonomous (RM2)' }).focus();
  await page.keyboard.press('Space');
  await text(page, 'STOPPED');
  assert.deepEqual(station.robots.get('rover')?.commands, ['full_stop'], 'and the button is not pressed');
  await page.getByRole('button', { name: 'Release rover' }).click();
  await station.until(() => station.robots.get('rover')?.status.stopped === false);
});

test('Stop.IsAtTheSpaceBarInAFieldForNumbers', async () => {
  const station = yard();
  const page = await rig.show(station, '#/drive/rover');
  await page.getByRole('button', { name: 'Place points on the map' }).click();
  await page.locator('form label', { hasText: 'x' }).getByRole('spinbutton').focus();
  await page.keyboard.press('Space');
  await station.until(() => station.robots.get('rover')!.status.stopped === true);
});

test('Drive.TakesPointsOfARouteByTheCentimeter', async () => {
  const page = await rig.show(yard(), '#/drive/rover');
  await page.getByRole('button', { name: 'Place points on the map' }).click();
  await page.locator('form label', { hasText: 'x' }).getByRole('spinbutton').fill('1.25');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Load 1 point' }).waitFor();
});

test('Drive.MovesWhileAKeyIsHeldAndHaltsWhenItIsLetGo', async () => {
  const station = yard();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'No one has control');
  await page.keyboard.press('2');
  await page.keyboard.down('ArrowUp');
  await station.until(() => rover.commands.filter((each) => each === 'move movement=MOVE_FW_2 ttl=400ms').length >= 3);
  await text(page, 'You have control');
  await page.keyboard.down('ArrowLeft');
  await station.until(() => rover.commands.at(-1) === 'move movement=TURN_FW_2_1 ttl=400ms');
  await page.keyboard.up('ArrowLeft');
  await page.keyboard.up('ArrowUp');
  await station.until(() => rover.commands.at(-1) === 'move movement=HALT');
  assert.deepEqual(rover.levels, { right: 0, left: 0 });
});

test('Drive.HaltsWhenThePageIsLeft', async () => {
  const station = yard();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'No one has control');
  await page.keyboard.down('KeyW');
  await station.until(() => rover.commands.length >= 2);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await station.until(() => rover.commands.at(-1) === 'move movement=HALT');
});

test('Drive.TellsWhyItIsRefusedAndOffersTheWayOut', async () => {
  const station = yard();
  const page = await rig.show(station, '#/drive/bee');
  await text(page, 'It drives itself (RM2): take over first.');
  await page.keyboard.press('KeyW');
  await page.getByLabel('News').getByText('it drives itself in RM2').waitFor();
  await page.getByLabel('News').locator('small').getByText('WRONG_MODE').first().waitFor();
  assert.match(await page.getByLabel('News').locator('span', { has: page.locator('small') }).first().innerText(), / WRONG_MODE$/);
  await page.getByRole('button', { name: 'Take over' }).click();
  await station.until(() => station.robots.get('bee')?.status.run_mode === 'RM3');
  await page.getByText('take over first').waitFor({ state: 'detached' });
});

test('Drive.DrawsWhereTheRobotWent', async () => {
  const station = yard();
  const page = await rig.show(station, '#/drive/rover');
  await text(page, /24 ranges now, sent as delta, 1.8 kB\/s/);
  await text(page, 'walls of its own map');
  await page.keyboard.down('KeyW');
  await station.until(() => station.robots.get('rover')!.levels.right > 0);
  station.robots.get('rover')!.liveUntil = Infinity;
  drive(station);
  await rig.picture(page, 'drive-light');
  await page.keyboard.up('KeyW');
});

/** Round the room. */
function drive(station: PlayedStation): void {
  const rover = station.robots.get('rover')!;
  for (const [right, left, seconds] of [[3, 3, 5], [3, 2, 6], [3, 3, 4], [3, 2, 9], [3, 3, 6], [2, 1, 4]] as const) {
    rover.levels = { right, left };
    station.advance(seconds);
  }
}

test('Drive.DrawsAZoneOnTheMap', async () => {
  const station = yard();
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'walls of its own map');
  await page.getByRole('button', { name: 'Follow the robot' }).click();
  await text(page, 'This map has no zones.');
  await page.getByRole('button', { name: 'Draw a zone' }).click();
  const map = (await page.getByLabel('Map around rover').boundingBox())!;
  const banner = (await page.getByLabel('What rover does now').boundingBox())!;
  const scale = Math.min((map.width - 40) / 6.2, (map.height - 40 - banner.height) / 4.2); // pixels per meter: the room fits
  await page.mouse.click(map.x + map.width / 2 + scale, map.y + map.height / 2);
  await page.mouse.click(map.x + map.width / 2 + 2 * scale, map.y + map.height / 2 - scale);
  const add = page.getByRole('button', { name: 'Add the zone' });
  assert.ok(await add.isDisabled(), 'it has no name');
  await page.getByLabel('Name of the zone').fill('stairs');
  await add.click();
  const rover = station.robots.get('rover')!;
  await station.until(() => (rover.views.map.zones ?? []).length > 0);
  assert.match(rover.commands.at(-1)!, /^map line="zone stairs keep_out /);
  const corners = rover.views.map.zones![0]!.corners.map((corner) => corner.map((metres) => Math.round(metres * 10) / 10 || 0));
  assert.deepEqual(corners, [[1, 0], [2, 1]], 'where they were clicked, in metres');
  await text(page, 'stairs (keep out)');
  await rig.picture(page, 'drive-zone');
  await page.getByRole('button', { name: 'Forget the zone stairs' }).click();
  await text(page, 'This map has no zones.');
  await page.getByRole('button', { name: 'Draw a zone' }).waitFor();
});

test('Drive.SendsTheRobotAlongPointsOfTheMap', async () => {
  const station = yard();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover');
  await text(page, 'walls of its own map');
  await page.getByRole('button', { name: 'Follow the robot' }).click();
  await page.getByRole('button', { name: 'Place points on the map' }).click();
  const map = (await page.getByLabel('Map around rover').boundingBox())!;
  const banner = (await page.getByLabel('What rover does now').boundingBox())!;
  const scale = Math.min((map.width - 40) / 6.2, (map.height - 40 - banner.height) / 4.2); // pixels per meter: the room fits
  await page.mouse.click(map.x + map.width / 2 + 2 * scale, map.y + map.height / 2);
  await page.mouse.click(map.x + map.width / 2 + scale, map.y + map.height / 2 - scale);
  await page.getByRole('button', { name: 'Load 2 points' }).click();
  await station.until(() => rover.route !== null);
  const places = rover.route?.points.map((point) => point.map((metres) => Math.round(metres * 20) / 20 || 0));
  assert.deepEqual(places, [[2, 0], [1, 1]], 'where they were placed, in metres');
  await page.getByRole('button', { name: 'Start route' }).click();
  await station.until(() => rover.route?.state === 'driving');
  await text(page, /point 1 of 2/);
  await rig.picture(page, 'drive-route');
  await page.getByRole('button', { name: 'Pause' }).click();
  await station.until(() => rover.route?.state === 'paused');
  await page.getByRole('button', { name: 'Abort' }).click();
  await page.getByRole('button', { name: 'Clear route' }).click();
  await text(page, 'No route is loaded.');
});

test('Drive.WorksOnAPhoneByTouch', async () => {
  const station = yard();
  const rover = station.robots.get('rover')!;
  const page = await rig.show(station, '#/drive/rover', {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  const pad = page.getByRole('button', { name: 'Drive pad' });
  await pad.scrollIntoViewIfNeeded();
  const box = (await pad.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await station.until(() => rover.commands.at(-1)?.startsWith('drive forward=0.4') === true);
  await page.mouse.up();
  await station.until(() => rover.commands.at(-1) === 'move movement=HALT');
  drive(station);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, 'nothing sticks out to the side');
  await rig.picture(page, 'drive-phone-dark', false);
  await page.goto(`${rig.address}/#/fleet`);
  await text(page, '5 robots');
  await rig.picture(page, 'fleet-phone-dark', false);
  await page.goto(`${rig.address}/#/modes/rover`);
  await text(page, 'Change the mode');
  await rig.picture(page, 'modes-phone-dark');
});

test('Modes.ChangesTheModeAndShowsARefusalsReason', async () => {
  const station = yard();
  const page = await rig.show(station, '#/modes/rover');
  await page.getByRole('button', { name: 'Change to Autonomous (RM2)' }).click();
  await text(page, 'Requested by this page');
  await page.getByLabel('Reason of the wait').selectOption('Charging');
  await page.getByRole('button', { name: 'Change to Waiting (RM1)' }).click();
  await text(page, /Charging needs contact and current/);
  await rig.picture(page, 'modes-light');
  await page.getByRole('button', { name: 'Change to Off (RM0)' }).click();
  assert.equal(station.robots.get('rover')?.status.run_mode, 'RM2', 'not before one is sure');
  await page.getByRole('button', { name: 'Yes, switch off rover' }).click();
  await text(page, /it is going down/);
});

test('Link.ComesBackWithAWholePicture', async () => {
  const station = yard();
  const page = await rig.show(station);
  await text(page, '5 robots');
  await station.goDown();
  await text(page, /No connection to the station: the station goes down/);
  await page.keyboard.press('Space');
  await text(page, 'there is no connection to the station');
  await rig.picture(page, 'link-lost');
  station.robots.delete('new');
  station.away = false;
  await text(page, '4 robots');
  await page.getByText('What you see is of the past').waitFor({ state: 'detached' });
});

test('Link.NamesTheReasonOfAStationThatHasTooManyClients', async () => {
  const station = yard();
  station.full = 'too many clients (limit 64)';
  const page = await rig.show(station);
  await text(page, /No connection to the station: too many clients \(limit 64\)\. Trying again\./);
});

test('Link.IsLetGoWhileThePageIsHidden', async () => {
  const station = yard();
  const page = await rig.show(station);
  await text(page, '5 robots');
  const hide = (state: string) =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await hide('hidden');
  await station.until(() => station.watchers === 0);
  station.add('late');
  await hide('visible');
  await text(page, '6 robots');
});

test('Page.IsWholeInTheDark', async () => {
  const station = yard();
  const page = await rig.show(station, '#/drive/rover', { colorScheme: 'dark' });
  await text(page, /ranges now/);
  drive(station);
  await rig.picture(page, 'drive-dark');
  await page.goto(`${rig.address}/#/modes/moss`);
  await text(page, /which ends when the battery is full/);
  await rig.picture(page, 'modes-dark');
  await page.goto(`${rig.address}/#/fleet`);
  await text(page, '5 robots');
  await rig.picture(page, 'fleet-dark');
});

test('Page.SaysPlainlyWhatARobotDoesNotSend', async () => {
  const station = yard();
  const page = await rig.show(station, '#/drive/new');
  await text(page, 'The position of this robot is not known.');
  await text(page, 'This robot has sent no telemetry since it connected.');
  await page.goto(`${rig.address}/#/modes/new`);
  await text(page, 'This robot has not sent its run mode since it connected.');
});
