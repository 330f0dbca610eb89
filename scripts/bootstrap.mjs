import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, runWithProgress, ScriptError } from './command.mjs';
import { checkWritable, environmentWithHome } from './runtime/folders.mjs';
import { fetchPnpm, isNewEnough, runOnFetchedNode } from './runtime/runtime.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const LAUNCHER = 'scripts/launch.mjs';
const PAGE = 'apps/console';
/** What the page is built of. */
const PAGE_SOURCES = [
  ...['apps/console', 'packages/charts', 'packages/client', 'packages/contracts', 'packages/query-language'].map(
    (folder) => `${folder}/src`,
  ),
  `${PAGE}/index.html`,
  `${PAGE}/vite.config.ts`,
  'pnpm-lock.yaml',
];

/**
 * Makes a checkout ready to run: installs packages and builds the page. With an older Node, the fetched one does it.
 * Skips what is done for the current files, which then needs no network.
 * @param {{ steps?: ('install' | 'page')[], root?: string, runStep?: typeof runWithProgress, findPnpm?:
 * typeof pnpmCommand }} options
 * @throws {ScriptError} with a sentence that says what to do, or with the whole output of the failed step
 */
export async function ensureReady({ steps = ['install', 'page'], root = ROOT, runStep = runWithProgress, findPnpm = pnpmCommand } = {}) {
  if (!isNewEnough()) {
    const code = await runOnFetchedNode(root, [join(root, LAUNCHER)]);
    if (code !== 0) throw new ScriptError(`The checkout is not ready: ${LAUNCHER} ended with code ${code}.`);
    return;
  }
  if (steps.includes('install')) await install(root, runStep, findPnpm);
  if (steps.includes('page')) await buildPage(root, runStep);
}

async function install(root, runStep, findPnpm) {
  if (isInstalled(root)) return;
  checkWritable(join(root, 'node_modules'));
  const env = environmentWithHome(root);
  const command = [
    ...(await findPnpm(root, env)),
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    // No user can answer the question about folders of another pnpm version.
    '--config.confirm-modules-purge=false',
  ];
  await runStep('Installing packages', command, { cwd: root, env });
}

/** Whether pnpm has installed the packages of the lock file, of which it keeps a copy. */
function isInstalled(root) {
  const [wanted, installed] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((file) => join(root, file));
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted));
}

/** Builds the page unless it is newer than all its sources. */
async function buildPage(root, runStep) {
  const built = join(root, PAGE, 'dist/index.html');
  if (existsSync(built) && PAGE_SOURCES.every((path) => newest(join(root, path)) < statSync(built).mtimeMs)) return;
  checkWritable(join(root, PAGE, 'dist'));
  const vite = join(root, PAGE, 'node_modules/vite/bin/vite.js');
  await runStep('Building the page', [process.execPath, vite, 'build', '--logLevel', 'warn'], { cwd: join(root, PAGE) });
}

/** Time of the newest of a file or a folder with all below it, ms. */
function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path, { recursive: true }).map((name) => statSync(join(path, name)).mtimeMs));
}

/** Returns the command of the pnpm on the PATH if it has the required version, else of the fetched one. */
export async function pnpmCommand(root, env = process.env, fetch = fetchPnpm) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const program = process.platform === 'win32' ? 'pnpm.cmd' : 'pnpm';
  try {
    // Runs outside the repository, where corepack would download the version of package.json.
    const { output } = await run([program, '--version'], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'ignore'], timeoutMs: 20_000 });
    if (`pnpm@${output.trim()}` === packageManager) return [program];
  } catch {
    // pnpm is not installed.
  }
  return [process.execPath, await fetch({ root })];
}
