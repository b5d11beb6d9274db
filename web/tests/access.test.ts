import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as bare } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, picture, watchedPage } from './page_rig';
import { program, RunningProgram } from './running_program';

// What a browser may do with a station: with the token of its user, without it, and from a page of another site.
const test = (name: string, run: () => Promise<void>) => bare(name, { timeout: 90_000 }, run);
const browser = openBrowser();
let folder: string;
let station: RunningProgram;
let robot: ChildProcess;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caribou-access-'));
  station = await RunningProgram.start('station', '--plain', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0');
  const port = /robots call at \S+:(\d+)/.exec(station.lines.join('\n'))?.[1];
  assert.ok(port, station.lines.join('\n'));
  writeFileSync(
    join(folder, 'rover.toml'),
    `name = "rover"\nDefaultRunMode = 3\nSendPort = ${port}\nReceivePort = 0\nServerIP = "127.0.0.1"\n` +
      `log = '${join(folder, 'log')}'\n[link]\nplain = true\nrecord = '${join(folder, 'link')}'\n`,
  );
  robot = spawn(program, ['robot', '--config', join(folder, 'rover.toml')], { stdio: 'ignore' });
  await station.until('the robot is live', ({ status }) => status?.mode === 'run1' && status.run_mode === 'RM3');
});

after(async () => {
  await (await browser).close();
  robot.kill('SIGKILL');
  await station.end();
  rmSync(folder, { recursive: true });
});

const newPage = async () => watchedPage(await (await browser).newContext({ viewport: { width: 1280, height: 800 } }));
const release = (page: Page) => page.getByRole('button', { name: 'Release rover', exact: true });
const stop = async (page: Page) => {
  await page.keyboard.press('Space');
  await station.until('stopped', ({ status }) => status?.stopped === true);
};
const limits = 'You may observe and stop. To drive';

test('Access.LetsAPageWithTheTokenDriveAndKeepsTheTokenOutOfTheAddress', async () => {
  const page = await newPage();
  const entry = station.entry;
  const token = new URL(entry).searchParams.get('token') ?? '';
  assert.match(token, /^[0-9a-f]{48}$/);
  await page.goto(`${entry}#/drive/rover`);
  await stop(page);
  assert.equal(page.url(), `${station.address}/#/drive/rover`);
  const [cookie] = await page.context().cookies();
  assert.equal(cookie?.value, token);
  assert.equal(cookie?.httpOnly, true);
  assert.equal(cookie?.sameSite, 'Strict');
  const readable = await page.evaluate(() => document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage));
  assert.ok(!readable.includes(token), 'no script can read the token');
  assert.equal(await page.getByText(limits).count(), 0);
  await page.reload();
  await release(page).click();
  await station.until('released after a reload', ({ status }) => status?.stopped === false);
  const second = await watchedPage(page.context());
  await second.goto(`${station.address}/#/drive/rover`);
  await stop(second);
  await release(second).click();
  await station.until('released from a second tab', ({ status }) => status?.stopped === false);
  await page.context().close();
});

test('Access.LetsAPageWithoutATokenObserveAndStop', async () => {
  const page = await newPage();
  await page.goto(`${station.address}/#/drive/rover`);
  await page.getByText(limits).waitFor();
  await page.getByText(/ranges now/).first().waitFor();
  await picture(page, 'access-observe');
  await stop(page);
  assert.equal(await release(page).isDisabled(), true);
  assert.match((await release(page).getAttribute('title')) ?? '', /You may observe and stop, but not drive/);
  assert.equal((await station.robot()).status?.stopped, true);
  const driver = await newPage();
  await driver.goto(`${station.entry}#/drive/rover`);
  await release(driver).click();
  await station.until('released', ({ status }) => status?.stopped === false);
  assert.equal((await station.ask('/metrics')).statusCode, 200);
  await page.context().close();
  await driver.context().close();
});

test('Access.LetsAWrongTokenDoNoMoreThanNone', async () => {
  assert.equal((await station.ask('/?token=0123')).statusCode, 401);
  assert.equal((await station.ask('/api/v1/state', { authorization: 'Bearer 0123' })).statusCode, 200, 'as without a token');
});

test('Access.LetsAPageOfAnotherSiteNeitherObserveNorDrive', async () => {
  const evil = createServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>evil</p>'));
  await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done));
  const context = await (await browser).newContext();
  try {
    const page = await context.newPage();
    await page.goto(station.entry); // the browser has the cookie
    const { port } = evil.address() as AddressInfo;
    // Another port is another origin but the same site; another name is another site.
    for (const at of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      await page.goto(at);
      const outcome = await page.evaluate(async (target) => {
        const heard = await new Promise<string>((done) => {
          const socket = new WebSocket(target.replace('http', 'ws') + '/api/v1/stream');
          socket.onopen = () => {
            socket.send('{"type":"command","id":1,"robot":"rover","command":"full_stop"}');
            done('open');
          };
          socket.onclose = () => done('closed');
        });
        const asked = (path: string) =>
          fetch(target + path, { credentials: 'include' }).then(
            () => 'read',
            () => 'refused',
          );
        return [heard, await asked('/api/v1/state'), await asked('/metrics')];
      }, station.address);
      assert.deepEqual(outcome, ['closed', 'refused', 'refused'], at);
    }
    assert.equal((await station.robot()).status?.stopped, false);
    for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<string, string>[])
      assert.equal((await station.ask('/api/v1/state', headers)).statusCode, 403);
  } finally {
    await context.close();
    await new Promise((done) => evil.close(done));
  }
});
