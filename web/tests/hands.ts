import type { CDPSession, Page } from 'playwright-core';

// What a person does with fingers and a gamepad, in a real browser.

/** CSS pixels per meter, as the scale bar shows it. */
export async function scaleOf(page: Page): Promise<number> {
  const bar = page.locator('.scale');
  const meters = parseFloat((await bar.textContent()) ?? '');
  return (await bar.locator('i').boundingBox())!.width / meters;
}

/** Fingers on the map, in parts of its width and height. */
async function fingers(client: CDPSession, page: Page, type: 'touchStart' | 'touchMove' | 'touchEnd', places: [number, number][]): Promise<void> {
  const map = (await page.getByLabel(/^Map around rover/).boundingBox())!;
  const touchPoints = places.map(([x, y], id) => ({ id, x: map.x + x * map.width, y: map.y + y * map.height }));
  await client.send('Input.dispatchTouchEvent', { type, touchPoints });
}

/**
 * Puts two fingers on the map, moves them and lifts them. They rest before they are lifted: after a flick the browser ignores
 * taps for about 300 ms.
 */
async function gesture(page: Page, from: [number, number][], ...moves: [number, number][][]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await fingers(client, page, 'touchStart', from);
  const rest = Array.from({ length: 8 }, () => moves.at(-1)!);
  for (const move of [...moves, ...rest]) {
    await fingers(client, page, 'touchMove', move);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await fingers(client, page, 'touchEnd', []);
}

/** Spreads two fingers on the map to three times their distance, at this part of its height. */
export const spreadFingers = (page: Page, y = 0.5): Promise<void> =>
  gesture(page, [[0.4, y], [0.6, y]], [[0.3, y], [0.7, y]], [[0.2, y], [0.8, y]]);

/** Moves two fingers together to the left, by a tenth of the width of the map. */
export const panFingers = (page: Page, y = 0.5): Promise<void> =>
  gesture(page, [[0.4, y], [0.6, y]], ...[0.02, 0.04, 0.06, 0.08, 0.1].map((moved): [number, number][] => [[0.4 - moved, y], [0.6 - moved, y]]));

/** Waits until the map is shown at such a scale: it follows the fingers with the next frame. Returns the scale. */
export async function scaled(page: Page, is: (scale: number) => boolean): Promise<number> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const scale = await scaleOf(page);
    if (is(scale)) return scale;
    if (Date.now() > deadline) throw new Error(`the scale stays at ${scale} pixels per meter`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Plugs in a gamepad whose left stick and buttons are so, or unplugs it. */
export async function gamepad(page: Page, state: { x: number; y: number; pressed?: number } | null): Promise<void> {
  await page.evaluate((now) => {
    const pad = now && {
      id: 'Played gamepad',
      mapping: 'standard',
      axes: [now.x, now.y, 0, 0],
      buttons: Array.from({ length: 16 }, (_, i) => ({ pressed: i === now.pressed })),
    };
    Object.defineProperty(navigator, 'getGamepads', { value: () => [pad], configurable: true });
  }, state);
}

/** Waits until the page has read the gamepad so many times. */
export async function gamepadIsRead(page: Page, times: number): Promise<void> {
  await page.evaluate((reads) => {
    const read = navigator.getGamepads.bind(navigator);
    let left = reads;
    return new Promise<void>((done) => {
      const counted = () => {
        left -= 1;
        if (left === 0) done();
        return read();
      };
      Object.defineProperty(navigator, 'getGamepads', { value: counted, configurable: true });
    });
  }, times);
}
