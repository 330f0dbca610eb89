import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** Server that the development page asks; its own address with `SINEBAR_URL`. */
const server = process.env['SINEBAR_URL'] ?? 'http://127.0.0.1:8080';
/** Addresses that go to the server; a test compares them with the routing table of the product. */
const INTERFACES = [
  '/dataServiceRest',
  '/rawDataServiceRest',
  '/analysisServiceRest',
  '/alarmServiceRest',
  '/reportServiceRest',
  '/exchangeServiceRest',
  '/oAuthServiceRest',
  '/eventServiceRest',
  '/healthServiceRest',
  '/events',
  '/socket.io',
  '/docs',
  '/.well-known/ServerConfiguration',
];

export default defineConfig(({ command }) => {
  // Jest builds the page when it is old, and its `test` would put the development build of React into it.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return config(command);
});

const config = (command: 'build' | 'serve'): UserConfig => ({
  root: import.meta.dirname,
  // The built page finds everything relative to itself, so that it works below any path prefix.
  base: command === 'serve' ? '/console/' : './',
  plugins: [react(), compressed()],
  worker: { format: 'es' },
  build: {
    target: 'baseline-widely-available',
    // Inlined assets and the polyfill of preloads would need exceptions in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // The largest are the libraries that draw models and documents, which come with the first of these files.
    chunkSizeWarningLimit: 750,
    // One file has what every page needs, one the table of attributes, which the start page does not need, and one what most pages share:
    // divided further, a page would load 35 to 50 files.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'attributes', test: /attributes|stamps/, minShareCount: 9, priority: 1 },
            { name: 'shared', minShareCount: 9 },
          ],
        },
      },
    },
    // The release takes its bill of materials from it.
    license: { fileName: 'licences.json' },
  },
  server: { proxy: Object.fromEntries(INTERFACES.map((path) => [path, { target: server, ws: true }])) },
});

/** Assets that are seldom asked for, and hardly become smaller: encodings, fonts and decoders of documents. */
const UNCOMPRESSED = /\.(bcmap|pfb|ttf|wasm)$/;

/** Writes `.br` and `.gz` beside every other asset that becomes smaller by it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }) {
      const folder = join(dir ?? '', 'assets');
      for (const name of readdirSync(folder).filter((each) => !UNCOMPRESSED.test(each))) {
        const bytes = readFileSync(join(folder, name));
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
        const codings = { br: brotliCompressSync(bytes, quality), gz: gzipSync(bytes, { level: 9 }) };
        for (const [ending, smaller] of Object.entries(codings)) {
          if (smaller.length < bytes.length) writeFileSync(join(folder, `${name}.${ending}`), smaller);
        }
      }
    },
  };
}
