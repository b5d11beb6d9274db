import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { PlayedStation } from './played_station';

const root = resolve('../build/web');
const pictures = resolve('../build/web-test/pictures');
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
// As the station sends it.
export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

const recordings = {
  recording: null,
  used: 12_345_678,
  limit: 1_000_000_000,
  recordings: [
    {
      name: '20260101-113000-0001',
      start: 1767267000.102,
      end: 1767268800.554,
      files: [
        { file: '20260101-113000-0001.alog', size: 412_038 },
        { file: '20260101-113000-0001.mcap', size: 1_402_771 },
      ],
    },
  ],
};

/** The built page in a real browser, with a played station behind it. */
export class PageRig {
  private constructor(
    private readonly server: Server,
    private readonly browser: Browser,
    readonly address: string,
  ) {}

  static async open(): Promise<PageRig> {
    const server = createServer((request, response) => {
      const path = join(root, request.url === '/' ? 'index.html' : (request.url ?? ''));
      if (!path.startsWith(root) || !existsSync(path)) return void response.writeHead(404).end();
      response.writeHead(200, {
        'Content-Type': types[extname(path)] ?? 'application/octet-stream',
        'Content-Security-Policy': policy,
      });
      createReadStream(path).pipe(response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const browser = await openBrowser();
    return new PageRig(server, browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** A page that shows the station. */
  async show(station: PlayedStation, at = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await watchedPage(context);
    await page.route('**/api/v1/recordings', (route) => route.fulfill({ json: recordings }));
    await page.routeWebSocket(/\/api\/v1\/stream/, (socket) => station.take(socket));
    await page.goto(`${this.address}/${at}`);
    return page;
  }

  async closePages(): Promise<void> {
    for (const context of this.browser.contexts()) await context.close();
  }

  picture = picture;

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((done) => this.server.close(done));
  }
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });

/** A page that fails the test by anything it complains about. */
export async function watchedPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => {
    throw error;
  });
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(`the page complains: ${message.text()}`);
  });
  return page;
}

export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
}
