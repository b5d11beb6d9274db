import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// `npm run dev` shows the sources as they are edited, with the data of a station that runs at this address.
const station = process.env.CARIBOU_STATION ?? 'http://127.0.0.1:9680';

export default defineConfig({
  plugins: [svelte()],
  // The content policy of the station allows nothing inline.
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': { target: station, ws: true, changeOrigin: true } } },
});
