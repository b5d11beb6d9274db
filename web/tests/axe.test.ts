import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import { views } from '../src/model/view_list';
import { PageRig } from './page_rig';
import { PlayedStation } from './played_station';

// Every view, checked by axe-core: contrast, names of controls, headings and roles.
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let rig: PageRig;
before(async () => (rig = await PageRig.open()));
after(() => rig.close());

for (const colorScheme of ['light', 'dark'] as const)
  test(`Axe.FindsNothingIn${colorScheme === 'light' ? 'Light' : 'Dark'}Colors`, { timeout: 120_000 }, async () => {
    const station = new PlayedStation();
    station.add('rover', { run_mode: 'RM2', behavior: 'explore' });
    station.add('bee', { stopped: true, battery: { level: 0.1, volts: 11, amperes: -1, on_charger: false }, faults: ['sensor_dead'] });
    const page = await rig.show(station, '#/fleet', { colorScheme, bypassCSP: true, reducedMotion: 'reduce' });
    await page.addScriptTag({ path: axe });
    const found: string[] = [];
    for (const { view, name } of [...views, { view: 'fleet', name: 'Table' } as const]) {
      await page.goto(`${rig.address}/#/${view}/rover`);
      if (name === 'Table') await page.getByRole('button', { name }).click();
      else await page.locator('nav [aria-current=page]', { hasText: name }).waitFor();
      await page.locator('main .card h2').first().waitFor();
      if (view === 'drive') await page.getByText(/ranges now/).waitFor();
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
      for (const { id, help, nodes } of violations) for (const { html } of nodes) found.push(`${name}: ${id}: ${help}: ${html.slice(0, 160)}`);
    }
    assert.deepEqual(found, []);
  });
