import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { after, before, test } from 'node:test';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

// The real program with the real page. It has no robot here: tests/page.test.ts plays those.
const program = process.env.CARIBOU_PROGRAM ?? resolve('../build/caribou');
let station: ChildProcess;
let address = '';

before(async () => {
  station = spawn(program, ['station', '--listen', '127.0.0.1:0', '--web', '127.0.0.1:0', '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: station.stdout! })) {
    address = /http:\/\/\S+(?=\/)/.exec(line)?.[0] ?? '';
    if (address) break;
  }
  assert.ok(address, 'the station says where it is');
});

after(async () => {
  const ended = new Promise((done) => station.once('exit', done));
  station.kill('SIGINT');
  assert.equal(await ended, 0, 'and ends in good order');
});

function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    get(`${address}${path}`, { headers }, (response) => {
      response.resume();
      response.once('end', () => done(response));
    }).once('error', fail);
  });
}

test('Station.ServesThePageCompressedAndGuarded', { timeout: 60_000 }, async () => {
  const page = await ask('/', { 'accept-encoding': 'gzip' });
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page.headers['content-encoding'], 'gzip');
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self'/);
  const again = await ask('/', { 'if-none-match': String(page.headers.etag) });
  assert.equal(again.statusCode, 304);
  assert.equal((await ask('/', { host: 'elsewhere.example' })).statusCode, 403, 'not by a name of others');
  assert.equal((await ask('/nothing')).statusCode, 404);
});

test('Station.ShowsItselfInABrowser', { timeout: 90_000 }, async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    await page.getByText('No robot has called this station yet').waitFor({ timeout: 30_000 });
    await page.getByText('0 robots').waitFor();
    await page.getByRole('button', { name: 'Stop all', exact: true }).click();
    await page.getByText('The station: stop').waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
