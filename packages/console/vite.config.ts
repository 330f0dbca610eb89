import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Server that the development page asks; its own address with `SINEBAR_URL`. */
const server = process.env['SINEBAR_URL'] ?? 'http://127.0.0.1:8080';
const INTERFACES = [
  '/dataServiceRest',
  '/rawDataServiceRest',
  '/analysisServiceRest',
  '/eventServiceRest',
  '/healthServiceRest',
  '/events',
  '/socket.io',
];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // The built page finds everything relative to itself, so that it works below any path prefix.
  base: command === 'serve' ? '/console/' : './',
  plugins: [react()],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // Inlined assets and the polyfill of preloads would need exceptions in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  server: { proxy: Object.fromEntries(INTERFACES.map((path) => [path, { target: server, ws: path === '/socket.io' }])) },
}));
