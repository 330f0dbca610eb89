import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { writeMaterials } from './bill-of-materials.mjs';
import { ROOT } from '../bootstrap.mjs';
import { main } from '../command.mjs';
import { packClient, packProgram } from './npm-packages.mjs';
import { packChart } from './chart.mjs';
import { writeReleaseCompose } from './compose-file.mjs';

const PROGRAM = join(ROOT, 'apps/sinebar');
const FOLDER = join(PROGRAM, 'dist');
const API_PAGE = join(PROGRAM, 'node_modules/swagger-ui-dist');
const API_PAGE_FILES = [
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];
const FONTS = join(ROOT, 'packages/report/node_modules/dejavu-fonts-ttf');
const FONT_FILES = ['DejaVuSansCondensed.ttf', 'DejaVuSansCondensed-Bold.ttf'];
const TEMPLATES = join(ROOT, 'packages/report/templates');
const PAGE = join(ROOT, 'apps/console/dist');
const PROGRAMS = {
  sinebar: 'apps/sinebar/src/main.ts',
  'calculation-worker': 'services/inspection/src/analysis/calculations/calculation-worker.ts',
  'report-process': 'services/inspection/src/reports/writing/report-process.ts',
  'reading-worker': 'services/inspection/src/exchange/imports/reading/reading-worker.ts',
  stdlib: 'packages/statistics/src/stdlib.ts',
  'image-process': 'services/raw-data/src/thumbnails/image-process.ts',
  'pdf-process': 'services/raw-data/src/thumbnails/pdf-process.ts',
};
/** Packages with files that are not JavaScript, with threads of their own, or loaded by `createRequire`: dependencies of apps/sinebar. */
const NOT_BUNDLED = ['@node-rs/argon2', 'piscina', 'sharp'];
/** Packages that others use when they are installed. */
const OPTIONAL = ['bufferutil', 'pg-native', 'utf-8-validate'];
/** Drivers of databases that knex loads when it is to connect to one. */
const OTHER_DRIVERS = ['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg-query-stream', 'sqlite3', 'tedious'];

/**
 * Makes the release: joins the program and all modules that it uses into a few files of `apps/sinebar/dist`.
 * The page, the bill of materials, and the modules that run in threads and processes of their own lie beside them (`programFile` of
 * packages/runtime).
 * @param {string} installed folder of the program as it is delivered: the bill names the packages that are installed there
 */
export async function makeRelease(installed = PROGRAM) {
  const build = await rolldown({ cwd: ROOT, input: PROGRAMS, platform: 'node', external: [...NOT_BUNDLED, ...OPTIONAL, ...OTHER_DRIVERS] });
  const { output } = await build.write({ dir: FOLDER, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await build.close();
  // A product that runs still loads parts of the same release, so only files that are no part of it go.
  const made = new Set(output.map(({ fileName }) => fileName));
  for (const name of readdirSync(FOLDER)) if (!made.has(name)) rmSync(join(FOLDER, name), { recursive: true });
  cpSync(PAGE, join(FOLDER, 'console'), { recursive: true });
  for (const name of API_PAGE_FILES) cpSync(join(API_PAGE, name), join(FOLDER, 'swagger-ui', name));
  for (const name of FONT_FILES) cpSync(join(FONTS, 'ttf', name), join(FOLDER, 'report-fonts', name));
  cpSync(TEMPLATES, join(FOLDER, 'report-templates'), { recursive: true });
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeMaterials(FOLDER, { modules, page: PAGE, copied: [API_PAGE, FONTS], program: installed });
}

/** Runs `npm run release [-- --pack | --dry-run | --installed FOLDER]`. */
async function run() {
  const { values } = parseArgs({ options: { pack: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, installed: { type: 'string' } } });
  if (values['dry-run']) {
    // It needs packages that the image does not have while it is built.
    const { tryRelease } = await import('./dry-run.mjs');
    return (await tryRelease(makeRelease)) === 0 ? 0 : 1;
  }
  await makeRelease(values.installed && resolve(values.installed));
  const folder = join(ROOT, 'release');
  const pack = async () => [await packProgram(folder), await packClient(folder), writeReleaseCompose(folder), ...(await packChart(folder))];
  if (values.pack) console.log((await pack()).join('\n'));
  return 0;
}

if (process.argv[1] === import.meta.filename) await main(run);
