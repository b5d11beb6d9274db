import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test as bare } from 'node:test';
import type { Channel, FoxgloveClient as Client } from '@foxglove/ws-protocol';
import type { Page } from 'playwright-core';
import WebSocket from 'ws';
import { openBrowser, picture, watchedPage } from './page_rig';
import { RunningProgram } from './running_program';

// Node cannot name what this package exports.
const { FoxgloveClient } = createRequire(import.meta.url)('@foxglove/ws-protocol') as { FoxgloveClient: typeof Client };

// The real program with the real page: `caribou demo`, and what a person does in its first minutes.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 240_000 }, run);
const browser = openBrowser();
let demo: RunningProgram;
let page: Page;

before(async () => {
  demo = await RunningProgram.start('demo', '--port', '0');
  page = await watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
  const printed = /http:\/\/\S+\?token=\S+/.exec(demo.lines.join('\n'))?.[0];
  assert.ok(printed, 'the demo prints the address that lets a browser drive');
  await page.goto(printed);
});

after(async () => {
  await (await browser).close();
  await demo.end();
});

const text = (what: string | RegExp) => page.getByText(what).first().waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const show = (place: string) => page.goto(`${demo.address}/#/${place}`);

test('Demo.ServesThePageCompressedAndGuarded', async () => {
  const index = await demo.ask('/', { 'accept-encoding': 'gzip' });
  assert.equal(index.statusCode, 200);
  assert.equal(index.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(index.headers['content-encoding'], 'gzip');
  assert.equal(index.headers['x-content-type-options'], 'nosniff');
  assert.match(String(index.headers['content-security-policy']), /^default-src 'none'; script-src 'self'/);
  const again = await demo.ask('/', { 'if-none-match': String(index.headers.etag) });
  assert.equal(again.statusCode, 304);
  assert.equal((await demo.ask('/', { host: 'elsewhere.example' })).statusCode, 403, 'not by a name of others');
  assert.equal((await demo.ask('/nothing')).statusCode, 404);
});

test('Demo.ShowsARobotThatExploresByItself', async () => {
  await show('fleet');
  await text('1 robot · 1 connected · 0 stopped · 0 with faults');
  await demo.until('it moves', ({ motion }) => Math.hypot(motion?.pose.x ?? 0, motion?.pose.y ?? 0) > 0.5);
});

test('Demo.StopsTheFleetAndReleasesARobot', async () => {
  await show('fleet');
  await page.getByRole('button', { name: /^STOP rover/ }).click();
  await demo.until('stopped', ({ status }) => status?.stopped === true);
  await text('1 robot · 1 connected · 1 stopped · 0 with faults');
  await picture(page, 'demo-fleet');
  await page.getByRole('button', { name: 'Release rover: it will drive on by itself' }).click();
  await demo.until('released', ({ status }) => status?.stopped === false);
});

test('Demo.LetsAPersonTakeOverByKeyboardAndStop', async () => {
  await show('drive/rover');
  await text('It drives itself (RM2): take over first.');
  await button('Take over').click();
  await demo.until('server mode', ({ status }) => status?.run_mode === 'RM3');
  await page.getByText('take over first').waitFor({ state: 'detached' });
  await page.keyboard.down('ArrowLeft');
  await demo.until('it turns', ({ motion }) => motion?.winner === 'operator' && (motion.right.speed ?? 0) > 0);
  await page.keyboard.up('ArrowLeft');
  await demo.until('it halts', ({ motion }) => motion?.right.speed === 0 && motion.left.speed === 0);
  await page.keyboard.press('Space');
  await demo.until('stopped', ({ status }) => status?.stopped === true);
  await button('Release rover').click();
  await demo.until('released', ({ status }) => status?.stopped === false);
  await picture(page, 'demo-drive');
  await show('modes/rover');
  await button('Change to Autonomous (RM2)').click();
  await demo.until('autonomous', ({ status }) => status?.run_mode === 'RM2');
  const latest = page.getByRole('region', { name: 'Changes of modes' }).getByRole('listitem').filter({ hasText: 'Run mode' }).first();
  await latest.getByText('Requested by this page').waitFor();
  await picture(page, 'demo-modes');
  await page.reload();
  await latest.getByText('Requested by a page').waitFor(); // known to the station from before the page was opened
  assert.match(await latest.innerText(), /Remote control \(RM3\) → Autonomous \(RM2\)/);
});

test('Demo.ShowsItsMapAndHowItsLidarIsSent', async () => {
  await show('drive/rover');
  await text(/\d+ ranges now, sent as (full|quantised|delta)/);
  await text('walls of its own map');
  await picture(page, 'demo-map');
});

test('Demo.SaysWhyBehaviorsSleepAndStartsOne', async () => {
  await show('behaviors/rover');
  await page.getByLabel('The top first').getByText('robot').waitFor();
  await button('Start stroll').click();
  await demo.until('it strolls', ({ status }) => ['walk', 'linger', 'stroll'].includes(status?.behavior ?? ''));
  await picture(page, 'demo-behaviors');
  await button('Reset').click();
  await text('rover: reset of the behaviors');
});

test('Demo.LightsUpACube', async () => {
  await show('cubes/rover');
  await button('Subscribe to play').click();
  await page.getByText('● connected').waitFor({ timeout: 60_000 });
  await page.getByRole('img', { name: /^Lights of .*#(?!000000)[0-9a-f]{6}/ }).waitFor();
  await picture(page, 'demo-cubes');
  const held = page.getByLabel(/^Cube /).filter({ hasText: '● connected' });
  await held.getByRole('button', { name: /^Tap/ }).click();
  await held.locator('dd', { hasText: /^1$/ }).waitFor();
  await button('Unsubscribe').click();
});

test('Demo.PlaysWithACubeWhenItIsAskedTo', async () => {
  await letItDrive();
  await show('drive/rover');
  await button('Play with a cube').click();
  await demo.until('it plays', ({ status }) => ['connect', 'spin'].includes(status?.behavior ?? ''));
});

test('Demo.PokesItsBus', async () => {
  await show('bus/rover');
  await button('CBOT_X').click();
  await page.getByRole('img', { name: 'CBOT_X since this page was opened' }).waitFor();
  await picture(page, 'demo-bus');
  await page.reload();
  await page.getByLabel('Name').fill('GREETING');
  await page.getByLabel('New value').fill('hello');
  await button('Poke').click();
  await button('GREETING').waitFor();
});

test('Demo.ChangesWhatItsTopicsAgreeOn', async () => {
  await show('topics/rover');
  const scan = page.getByLabel('Topic scan');
  await scan.getByText('✓ agreed').waitFor();
  const weight = page.getByLabel('Weight of full on scan');
  await weight.fill('900');
  await weight.press('Enter');
  await scan.getByText('gets full').waitFor();
  await button('Unsubscribe full of scan').click();
  await scan.getByText('gets delta').waitFor();
  await scan.getByLabel('Encoding of scan to take').selectOption('full');
  await scan.getByLabel('Weight of the new encoding of scan').fill('900');
  await scan.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await scan.getByText('gets full').waitFor();
  await picture(page, 'demo-topics');
});

test('Demo.RecordsAndReplays', async () => {
  await show('recordings/rover');
  await button('Stop recording').click();
  for (const [kind, begins] of [['mcap', '\ufffdMCAP0'], ['alog', '%%']] as const) {
    const link = page.getByRole('link', { name: new RegExp(`^${kind}`) }).first();
    const file = await demo.ask((await link.getAttribute('href'))!);
    assert.ok(file.text.startsWith(begins), `a file of ${kind}`);
  }
  await page.getByRole('button', { name: /^Replay / }).first().click();
  await text(/You see the past/);
  await button('▶ Play').click();
  await button('❚❚ Pause').waitFor();
  await picture(page, 'demo-recordings');
  await page.getByLabel('Speed').selectOption('20');
  await show('behaviors/rover');
  await page.getByLabel('The top first').getByText('robot').waitFor();
  await picture(page, 'demo-replay');
  await button('Back to the present').click();
  await page.getByText('You see the past').waitFor({ state: 'detached' });
});

test('Demo.StopsByItselfWhenItsLinkIsCutAndRecovers', async () => {
  await show('drive/rover');
  await button('Take over').click();
  await demo.until('server mode', ({ status }) => status?.run_mode === 'RM3');
  await show('faults/rover');
  await button('Cut the link').click();
  await text(/^▲ cut, \d s left$/);
  await demo.until('the station misses it', ({ status }) => status?.mode !== 'run1' || status.stale);
  await text(/○/);
  await picture(page, 'demo-faults');
  const back = await demo.until('it is back', ({ status }) => status?.mode === 'run1' && !status.stale);
  assert.notEqual(back.status?.run_mode, 'RM0');
});

async function letItDrive(): Promise<void> {
  if ((await demo.robot()).status?.run_mode === 'RM2') return;
  await show('modes/rover');
  await button('Change to Autonomous (RM2)').click();
  await demo.until('autonomous', ({ status }) => status?.run_mode === 'RM2');
}

test('Demo.GoesOnWhenItsRobotSwitchesItselfOffAndStartsItAgain', async () => {
  await letItDrive();
  await show('faults/rover');
  await text(/switches itself off \(RM0\); you can start it again here/);
  await button('Break Bumpers').click();
  await text(/rover switched itself off \(RM0\): a sensor that it needs gives no readings/);
  await picture(page, 'demo-off');
  assert.equal((await demo.robot()).status?.run_mode, 'RM0');
  await page.getByText('A robot that is started may drive by itself, unless it was stopped.').waitFor();
  await button('Start again').click();
  await demo.until('it is back', ({ status }) => status?.mode === 'run1' && !status.stale && status.run_mode === 'RM2');
  await page.getByText('switched itself off (RM0): a sensor that it needs gives no readings').waitFor({ state: 'detached' });
});

test('Demo.GoesToItsDock', async () => {
  await letItDrive();
  await show('drive/rover');
  await demo.until('it has left its charger', ({ status }) => status?.battery?.on_charger === false, 120);
  await button('Go to the dock').click();
  await demo.until('it is on its charger', ({ status }) => status?.battery?.on_charger === true, 100);
  await picture(page, 'demo-dock');
});

test('Demo.IsSeenByAProgramThatSpeaksFoxglovesProtocol', async () => {
  const socket = new WebSocket(demo.address.replace(/^http/, 'ws'), [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
  const client = new FoxgloveClient({ ws: socket as never });
  const messages = new Map<string, Record<string, unknown>>();
  try {
    const rays = 180; // of the lidar; telemetry has fewer
    const wanted = ['/rover/status', '/rover/motion', '/rover/pose', '/rover/tf', '/rover/scan', '/rover/map', '/rover/scene'];
    await new Promise<void>((done, fail) => {
      const topics = new Map<number, string>();
      client.on('error', fail);
      client.on('status', ({ message }) => fail(new Error(message)));
      client.on('advertise', (channels: Channel[]) => {
        for (const { id, topic, encoding, schema } of channels) {
          assert.equal(encoding, 'json');
          assert.equal((JSON.parse(schema) as { type: string }).type, 'object');
          if (wanted.includes(topic)) topics.set(client.subscribe(id), topic);
        }
      });
      client.on('message', ({ subscriptionId, timestamp, data }) => {
        assert.ok(Math.abs(Number(timestamp / 1_000_000n) - Date.now()) < 60_000, 'by the clock');
        messages.set(topics.get(subscriptionId)!, JSON.parse(new TextDecoder().decode(data)) as Record<string, unknown>);
        const { ranges } = (messages.get('/rover/scan') ?? {}) as { ranges?: number[] };
        if (wanted.every((topic) => messages.has(topic)) && ranges?.length === rays) done();
      });
    });
    const pose = messages.get('/rover/pose') as { frame_id: string; pose: { position: { x: number } } };
    assert.equal(pose.frame_id, 'rover/map');
    assert.ok(Math.abs(pose.pose.position.x - ((await demo.robot()).motion?.pose.x ?? 99)) < 1);
    const { data, ...map } = messages.get('/rover/map') as { frame_id: string; column_count: number; data: string };
    const cells = new Int8Array(Buffer.from(data, 'base64'));
    assert.equal(map.frame_id, 'rover/map');
    assert.equal(cells.length % map.column_count, 0);
    for (const kind of [(cell: number) => cell === -1, (cell: number) => cell >= 0 && cell < 50, (cell: number) => cell > 50])
      assert.ok(cells.some(kind), 'it has explored, and not all');
  } finally {
    client.close();
  }
});
