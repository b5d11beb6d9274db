import { readdirSync, readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// `npm run dev` shows the sources as they are edited, with the data of a station that runs at this address.
const station = process.env.CARIBOU_STATION ?? 'http://127.0.0.1:9680';
// The token that `caribou page` prints; without it the page may observe and stop.
const token = process.env.CARIBOU_TOKEN;

// Adds licenses.txt to the built page: the license of every package that is bundled into it.
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle(_options, bundle) {
      const packages = new Set<string>();
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        for (const id of Object.keys(file.modules)) {
          const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id);
          if (found?.[1]) packages.add(found[1]);
        }
      }
      const texts = [...packages].sort().map((name) => {
        const folder = `node_modules/${name}`;
        const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
        if (!license) throw new Error(`${name} is bundled, but has no license file`);
        return `${name}\n\n${readFileSync(`${folder}/${license}`, 'utf8').trim()}\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: texts.join('\n\n') });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), licenses()],
  // The content policy of the station allows nothing inline.
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The page of a station, and the marine view of a broker.
    rollupOptions: { input: ['index.html', 'marine.html'] },
  },
  server: { proxy: { '/api': { target: station, ws: true, changeOrigin: true, headers: token ? { Authorization: `Bearer ${token}` } : {} } } },
});
