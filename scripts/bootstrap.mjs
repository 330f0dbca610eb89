import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runWithProgress, ScriptError } from './command.mjs';
import {
  buildHash,
  bundleHash,
  consoleHash,
  installHash,
  isInstalled,
  stampIsCurrent,
  unbuiltFolders,
  writeStamp,
} from './build/stamps.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const LEAST_NODE = [20, 19];
const CONSOLE = 'packages/console';
const BUILT_CONSOLE = 'services/inspection/dist/console';
const BUNDLE = 'scripts/build/bundle.mjs';
const BUNDLES = 'dist';

/**
 * Makes a checkout ready to run: checks Node, installs packages, builds and bundles.
 * Skips steps that are done for the current files, which then need no network.
 * @param {{ steps?: ('install' | 'build')[], root?: string, runStep?: typeof runWithProgress }} options
 * @throws {ScriptError} with a sentence that says what to do, or with the whole output of the failed step
 */
export async function ensureReady({ steps = ['install', 'build'], root = ROOT, runStep = runWithProgress } = {}) {
  checkNode(process.versions.node);
  if (steps.includes('install')) await install(root, runStep);
  if (steps.includes('build')) {
    await build(root, runStep);
    await bundle(root, runStep);
    await buildConsole(root, runStep);
  }
}

/** @throws {ScriptError} when this Node is too old. */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  throw new ScriptError(
    `Sinebar needs Node ${LEAST_NODE.join('.')} or newer; this is ${version} (${process.execPath}). Newer ones: https://nodejs.org`,
  );
}

async function install(root, runStep) {
  const hash = installHash(root);
  if (stampIsCurrent(root, 'install', hash) && isInstalled(root)) return;
  checkWritable(root, 'node_modules');
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const env = environmentWithHome(root);
  const command = [
    ...pnpmCommand(packageManager, env),
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    // No user can answer the question about folders of another pnpm version.
    '--config.confirm-modules-purge=false',
  ];
  await runStep('Installing packages', command, { cwd: root, env });
  writeStamp(root, 'install', hash);
}

async function build(root, runStep) {
  const hash = buildHash(root);
  const unbuilt = unbuiltFolders(root);
  if (stampIsCurrent(root, 'build', hash) && unbuilt.length === 0) return;
  checkWritable(root, 'node_modules/.cache');
  for (const folder of unbuilt) {
    checkWritable(root, `${folder}/dist`);
    // The compiler trusts its build info and would not notice missing files.
    rmSync(join(root, folder, 'tsconfig.tsbuildinfo'), { force: true });
  }
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  await runStep('Building', [process.execPath, compiler, '-b', 'tsconfig.build.json'], { cwd: root });
  writeStamp(root, 'build', hash);
}

/** Joins the built programs with their modules into the files that are started. */
async function bundle(root, runStep) {
  if (!existsSync(join(root, BUNDLE))) return;
  const hash = bundleHash(root);
  if (stampIsCurrent(root, 'bundle', hash) && existsSync(join(root, BUNDLES))) return;
  checkWritable(root, BUNDLES);
  await runStep('Bundling', [process.execPath, BUNDLE], { cwd: root });
  writeStamp(root, 'bundle', hash);
}

/** Builds the console into the folder from which the inspection service serves it. */
async function buildConsole(root, runStep) {
  const folder = join(root, CONSOLE);
  if (!existsSync(folder)) return;
  const hash = consoleHash(root);
  if (stampIsCurrent(root, 'console', hash) && existsSync(join(root, BUILT_CONSOLE, 'index.html'))) return;
  checkWritable(root, BUILT_CONSOLE);
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  await runStep('Building the console', [process.execPath, vite, 'build', '--logLevel', 'warn'], { cwd: folder });
  writeStamp(root, 'console', hash);
}

/** Returns the pnpm on the PATH if it has the required version, else the same version through npx. */
export function pnpmCommand(packageManager, env = process.env) {
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager ?? '')?.[1];
  if (version === undefined) throw new ScriptError(`package.json names no version of pnpm in "packageManager" (${packageManager})`);
  const windows = process.platform === 'win32';
  try {
    // Runs outside the repository, where corepack would download the version of package.json.
    const found = execFileSync(windows ? 'pnpm.cmd' : 'pnpm', ['--version'], {
      cwd: tmpdir(),
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
      shell: windows,
    });
    if (found.trim() === version) return [windows ? 'pnpm.cmd' : 'pnpm'];
  } catch {
    // pnpm is not installed.
  }
  return [windows ? 'npx.cmd' : 'npx', '-y', `pnpm@${version}`];
}

/**
 * Gives npm and pnpm a cache inside the repository when the home folder is not writable (a service account, a read-only container).
 * The user's own npm settings stay in force.
 */
function environmentWithHome(root) {
  const home = homedir();
  if (isWritable(home)) return process.env;
  const replacement = join(root, '.cache/home');
  checkWritable(root, '.cache/home');
  mkdirSync(replacement, { recursive: true });
  const settings = join(home, '.npmrc');
  return {
    ...process.env,
    HOME: replacement,
    ...(existsSync(settings) && process.env.npm_config_userconfig === undefined ? { npm_config_userconfig: settings } : {}),
    // npm sets it for its scripts, to the cache in the old home.
    npm_config_cache: join(replacement, '.npm'),
  };
}

/** @throws {ScriptError} when the folder, or its nearest existing ancestor, cannot be written. */
export function checkWritable(root, folder) {
  let path = join(root, folder);
  while (!existsSync(path)) path = dirname(path);
  if (isWritable(path)) return;
  const owner = statSync(path).uid;
  throw new ScriptError(
    `${path} cannot be written by ${userInfo().username}: it belongs to user id ${owner}. ` +
      'Run this as that user, or give the folder to yours (chown -R), or remove node_modules and the dist folders and start again.',
  );
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
