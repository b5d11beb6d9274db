// The marine view of a real broker, in Chromium: node reports and shapes in, pokes out, and a replay of a log.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, picture, watchedPage } from './page_rig';
import { program, RunningProgram } from './running_program';

const mission = `Community = shore
LatOrigin = 43.8253
LongOrigin = -70.3304
ProcessConfig = pMarineViewer
{
  tiff_file = chart.png
  vehicles_name_mode = names+mode
  button_one = DEPLOY # DEPLOY=true # MOOS_MANUAL_OVERRIDE=false # color=lime
  button_two = RETURN # RETURN=true # color=orange
  action = MENU_KEY=go # SEND_ALL = true # RECALL_ALL = false
  action+ = MENU_KEY=go # MOOS_MANUAL_OVERRIDE_ALL=false
  scope = NODE_REPORT
  scope = DEPLOY
  left_context[point] = PT = $(XPOS),$(YPOS),$(VNAME)
  left_context[other] = OTHER = $(X)
  op_vertex = x=-60,y=20,lcolor=aqua,looped=true
  op_vertex = x=240,y=-220
}
`;
// One blue pixel.
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkSPn/HwAEBgJA0Uh5KwAAAABJRU5ErkJggg==';

let browser: Browser;
let folder: string;
let broker: RunningProgram;
let port: string;

before(async () => {
  browser = await openBrowser();
  folder = mkdtempSync(join(tmpdir(), 'marine-'));
  writeFileSync(join(folder, 'shore.moos'), mission);
  writeFileSync(join(folder, 'chart.png'), Buffer.from(pixel, 'base64'));
  writeFileSync(join(folder, 'chart.info'), 'lat_north = 43.826\nlat_south = 43.823\nlon_west = -70.332\nlon_east = -70.327\n');
  broker = await RunningProgram.start('db', join(folder, 'shore.moos'), '--port', '0', '--web', '0');
  port = /127\.0\.0\.1:(\d+)/.exec(broker.lines.join('\n'))?.[1] ?? '';
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
after(async () => {
  await browser.close();
  await broker.end();
  rmSync(folder, { recursive: true });
});

const poke = (...pokes: string[]) => execFileSync(program, ['poke', ...pokes, '--port', port], { encoding: 'utf8' });
const now = () => (Date.now() / 1000).toFixed(2);
const report = (name: string, x: number, y: number, heading = 90) =>
  `NODE_REPORT=NAME=${name},X=${x},Y=${y},SPD=1.5,HDG=${heading},DEP=0,TYPE=kayak,COLOR=yellow,MODE=DRIVE,ALLSTOP=clear,TIME=${now()},LENGTH=4`;

/** A page; `watched` fails the test by anything that it complains about. */
async function show(address: string, options: BrowserContextOptions = {}, watched = true): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = watched ? await watchedPage(context) : await context.newPage();
  await page.goto(`${address}/marine`);
  await page.locator('canvas[data-camera]').waitFor();
  return page;
}
const value = async (name: string) =>
  (JSON.parse((await broker.ask(`/variables.json?filter=${name}`)).text) as { variables: { value: unknown }[] }).variables[0]?.value;

test('Marine.ShowsVehiclesAndShapesAndErasesThem', async () => {
  poke(report('abe', 0, -20), 'VIEW_SEGLIST=pts={60,-40:60,-160:150,-160:180,-100:150,-40},label=abe_survey,edge_color=white,vertex_color=dodger_blue,vertex_size=5');
  const page = await show(broker.address);
  await page.locator('tr[data-vessel="abe"]').waitFor();
  assert.equal(await page.locator('tr[data-vessel="abe"]').getAttribute('data-x'), '0');
  await page.locator('summary', { hasText: /shapes?$/ }).click();
  // Each program that pokes is a client of the community `shore`.
  const shape = page.locator('tr[data-shape="shore/seglist/abe_survey"]');
  await shape.waitFor();
  poke('VIEW_SEGLIST=active=false,label=abe_survey');
  await shape.waitFor({ state: 'detached' });
  poke(report('abe', 30, -30), report('ben', 90, -90, 200));
  await page.locator('tr[data-vessel="ben"]').waitFor();
  await page.locator('tr[data-vessel="abe"][data-x="30"]').waitFor();
  // The position of a vehicle in the table is where the canvas has drawn it, in its color.
  const yellow = await page.locator('canvas').evaluate((element: HTMLCanvasElement) => {
    const [x, y, scale] = (element.dataset.camera ?? '').split(',').map(Number) as [number, number, number];
    const dense = element.width / element.clientWidth;
    const left = (element.clientWidth / 2 + (30 - x) * scale) * dense;
    const top = (element.clientHeight / 2 - (-30 - y) * scale) * dense;
    return [...(element.getContext('2d')?.getImageData(left, top, 1, 1).data ?? [])];
  });
  assert.ok((yellow[0] ?? 0) > 100 && (yellow[1] ?? 0) > 90 && (yellow[2] ?? 255) < 60, `a pixel of the vehicle: ${yellow}`);
});

test('Marine.DrawsTheCellsOfAGridByValue', async () => {
  poke('VIEW_GRID=pts={0,0:40,0:40,40:0,40},cell_size=20,cell_vars=density:0,cell_max=density:50,cell=3:density:50,label=g');
  const page = await show(broker.address);
  const scale = page.locator('[data-scale="shore/grid/g"]');
  await scale.waitFor();
  assert.equal((await scale.innerText()).replace(/\s+/g, ' '), 'density 0 50');
  const canvas = page.locator('canvas');
  // The middles of two cells: the least value and the greatest.
  const [low, high] = await canvas.evaluate((element: HTMLCanvasElement) => {
    const [x, y, scale] = (element.dataset.camera ?? '').split(',').map(Number) as [number, number, number];
    const dense = element.width / element.clientWidth;
    return [[10, 10], [30, 30]].map(([east, north]) => {
      const left = (element.clientWidth / 2 + ((east ?? 0) - x) * scale) * dense;
      const top = (element.clientHeight / 2 - ((north ?? 0) - y) * scale) * dense;
      const pixel = element.getContext('2d')?.getImageData(left, top, 1, 1).data ?? [];
      return { left: left / dense, top: top / dense, sum: (pixel[0] ?? 0) + (pixel[1] ?? 0) };
    });
  });
  assert.ok(low && high && high.sum > low.sum + 80, `the higher value is brighter: ${JSON.stringify([low, high])}`);
  const box = await canvas.boundingBox();
  await page.mouse.move((box?.x ?? 0) + high.left, (box?.y ?? 0) + high.top);
  await page.locator('.pointer', { hasText: 'density: 50' }).waitFor();
  poke('VIEW_GRID_DELTA=g@3,density,-8');
  await page.locator('.pointer', { hasText: 'density: 42' }).waitFor();
  poke('VIEW_GRID=active=false,label=g');
  await scale.waitFor({ state: 'detached' });
});

test('Marine.DrawsShapesLegiblyOverItsImage', async () => {
  // White is legible on the blue image, and not on the water of the light theme.
  poke('VIEW_SEGLIST=pts={0,-100:100,-100},label=line,edge_color=white,edge_size=5');
  const page = await show(broker.address, { colorScheme: 'light' });
  await page.locator('canvas[data-image="rgb(0 100 255)"]').waitFor();
  await page.locator('summary', { hasText: /shapes?$/ }).click();
  await page.locator('tr[data-shape="shore/seglist/line"]').waitFor();
  const pixel = await page.locator('canvas[data-camera]').evaluate((element: HTMLCanvasElement) => {
    const [x, y, scale] = (element.dataset.camera ?? '').split(',').map(Number) as [number, number, number];
    const dense = element.width / element.clientWidth;
    const left = (element.clientWidth / 2 + (50 - x) * scale) * dense;
    const top = (element.clientHeight / 2 - (-100 - y) * scale) * dense;
    return [...(element.getContext('2d')?.getImageData(left, top, 1, 1).data ?? [])];
  });
  assert.ok(pixel.length === 4 && pixel.every((part) => part > 240), `a pixel of the line: ${pixel}`);
  poke('VIEW_SEGLIST=active=false,label=line');
});

test('Marine.KeepsTheAgesOfVehiclesInViewBesideLongModes', async () => {
  poke(report('abe', 0, -20).replace(/MODE=\w+/, 'MODE=MODE@ACTIVE:SURVEYING_THE_NORTHERN_AREA'));
  const page = await show(broker.address);
  const row = page.locator('tr[data-vessel="abe"]');
  await row.locator('td.mode', { hasText: 'SURVEYING' }).waitFor();
  assert.ok(await page.locator('.wide').evaluate((one) => one.scrollWidth <= one.clientWidth));
});

test('Marine.ShowsLongLabelsAndValuesBesideTheOthers', async () => {
  poke(report('abe', 0, -20), 'DEPLOY=true');
  for (const [width, height] of [[1200, 900], [1700, 1000], [390, 844]] as const) {
    const page = await show(broker.address, { viewport: { width, height } });
    await page.locator('.scope dd', { hasText: 'NAME=abe' }).waitFor();
    const labels = await page.locator('.buttons button').evaluateAll((all) => all.map((one) => one.textContent?.trim()));
    assert.ok(labels.some((label) => label?.includes('MOOS_MANUAL_OVERRIDE_ALL')), labels.join('; '));
    const wide = await page.locator('aside, .buttons button').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    assert.deepEqual(wide, [], `at ${width} px`);
    // The name and the value of a short variable are shown whole, and no name lies on another.
    const header = await page.locator('.scope').evaluate((scope) => {
      const box = scope.getBoundingClientRect();
      return [...scope.children].map((one) => {
        const [name, value] = [...one.children] as [Element, Element];
        const at = value.getBoundingClientRect();
        const overlaps = name.getBoundingClientRect().right > at.left + 1;
        return { name: name.textContent, ok: !overlaps && at.width > 10 && at.right <= box.right + 1 && at.bottom <= box.bottom + 1 };
      });
    });
    assert.deepEqual(header, [{ name: 'DEPLOY', ok: true }, { name: 'NODE_REPORT', ok: true }], `at ${width} px`);
    await page.context().close();
  }
});

test('Marine.ButtonsAndClicksPublish', async () => {
  poke(report('abe', 0, -20));
  const page = await show(broker.address);
  await page.getByRole('button', { name: 'DEPLOY' }).click();
  await page.getByText('DEPLOY = true, MOOS_MANUAL_OVERRIDE = false').waitFor();
  assert.equal(await value('DEPLOY'), 'true');
  await page.locator('tr[data-vessel="abe"] button').click();
  const canvas = page.locator('canvas');
  const box = await canvas.boundingBox();
  assert.ok(box);
  await canvas.click({ position: { x: box.width / 2 + 100, y: box.height / 2 + 150 } });
  await page.getByText(/^MVIEWER_LCLICK/).waitFor();
  assert.match(String(await value('PT')), /^-?\d+\.\d,-?\d+\.\d,abe$/);
  assert.equal(await value('OTHER'), undefined);
  await page.getByLabel('Left click').selectOption('other');
  await canvas.click({ position: { x: box.width / 2 + 100, y: box.height / 2 + 150 } });
  await page.getByText(/OTHER = /).waitFor();
});

test('Marine.ZoomsPansAndFollowsByKeyAndWheel', async () => {
  poke(report('abe', 10, -20));
  const page = await show(broker.address);
  await page.locator('tr[data-vessel="abe"]').waitFor();
  const camera = async () => ((await page.locator('canvas').getAttribute('data-camera')) ?? '').split(',').map(Number) as [number, number, number];
  const canvas = page.locator('canvas');
  const [, , scale] = await camera();
  await canvas.focus();
  await page.keyboard.press('+');
  assert.ok((await camera())[2] > scale);
  await canvas.hover();
  await page.mouse.wheel(0, 400);
  await page.waitForFunction((before) => Number(document.querySelector('canvas')?.dataset.camera?.split(',')[2]) < before, scale * 1.3);
  const [x] = await camera();
  await page.keyboard.press('ArrowRight');
  assert.ok((await camera())[0] > x);
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.querySelector('canvas')?.dataset.camera?.startsWith('10.0,-20.0'));
  await page.keyboard.press('0');
  assert.equal(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed'), 'false');
});

test('Marine.TurnsGrayWithoutTheBroker', async () => {
  const own = await RunningProgram.start('db', join(folder, 'shore.moos'), '--port', '0', '--web', '0');
  const at = /127\.0\.0\.1:(\d+)/.exec(own.lines.join('\n'))?.[1] ?? '';
  execFileSync(program, ['poke', report('abe', 0, 0), '--port', at]);
  const page = await show(own.address, {}, false);
  await page.locator('tr[data-vessel="abe"][data-stale="false"]').waitFor();
  await page.waitForResponse(/events\.json\?after=[1-9]/);
  await own.end();
  await page.getByText('The broker does not answer').waitFor();
  await page.locator('tr[data-vessel="abe"][data-stale="true"]').waitFor();
});

test('Marine.ReplaysTheLogsOfSeveralVehicles', async () => {
  const log = (name: string, begins: number, y: number) => {
    const file = join(folder, `${name}.alog`);
    let text = `%% LOGSTART ${begins}\n`;
    for (let i = 0; i < 60; ++i) text += `${i}.000 NODE_REPORT_LOCAL pNodeReporter NAME=${name},X=${i * 2},Y=${y},SPD=2,HDG=90,TYPE=kayak,MODE=DRIVE,TIME=${begins + i}\n`;
    text += '60.000 VIEW_POINT pHelm x=100,y=0,label=end\n';
    writeFileSync(file, text);
    return file;
  };
  const replay = await RunningProgram.start('alog', 'view', log('abe', 1000, 0), log('ben', 1010, 30), '--mission', join(folder, 'shore.moos'));
  try {
    const page = await show(replay.address);
    await page.locator('tr[data-vessel="abe"]').waitFor();
    assert.equal(await page.locator('tr[data-vessel="ben"]').count(), 0, 'it begins later');
    const time = page.getByRole('slider', { name: 'Time' });
    await time.fill('1030');
    await page.locator('tr[data-vessel="abe"][data-x="60"]').waitFor();
    await page.locator('tr[data-vessel="ben"][data-x="40"]').waitFor();
    await time.fill('1005');
    await page.locator('tr[data-vessel="ben"]').waitFor({ state: 'detached' });
    await page.getByLabel('Speed').selectOption('×100');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.locator('tr[data-vessel="ben"]').waitFor();
    assert.equal(await page.getByRole('button', { name: 'DEPLOY' }).count(), 0, 'a replay publishes nothing');
    await picture(page, 'marine-replay');
  } finally {
    await replay.end();
  }
});

for (const [width, height] of [[390, 844], [820, 1180], [1280, 800], [1920, 1080], [3840, 2160]] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`Marine.FitsInto${width}Pixels${colorScheme === 'dark' ? 'Dark' : 'Light'}`, async () => {
      poke(
        report('abe', 40, -30, 100),
        report('ben', 140, -150, 250),
        'VIEW_SEGLIST=pts={60,-40:60,-160:150,-160:180,-100:150,-40},label=abe_survey,label_color=white,edge_color=white,vertex_color=dodger_blue,vertex_size=5,edge_size=1',
        'VIEW_POLYGON=format=radial,x=90,y=-100,radius=40,pts=8,label=loiter,edge_color=white,vertex_color=yellow,fill_color=yellow,fill_transparency=0.1',
        'VIEW_MARKER=type=diamond,x=10,y=-120,label=mark,color=orange,width=8',
        'VIEW_CIRCLE=x=180,y=-40,radius=25,label=ring,edge_color=lime',
      );
      const page = await show(broker.address, { viewport: { width, height }, colorScheme });
      await page.locator('tr[data-vessel="ben"]').waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, 'nothing is wider than the screen');
      await picture(page, `marine-${width}-${colorScheme}`);
    });
