import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, runWithProgress, ScriptError } from './command.mjs';
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
import { checkWritable, environmentWithHome } from './runtime/folders.mjs';
import { fetchPnpm, isNewEnough, runOnFetchedNode } from './runtime/runtime.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const LAUNCHER = 'scripts/launch.mjs';
const CONSOLE = 'packages/console';
const BUILT_CONSOLE = 'services/inspection/dist/console';
const BUNDLE = 'scripts/build/bundle.mjs';
const BUNDLES = 'dist';

/**
 * Makes a checkout ready to run: installs packages, builds and bundles. With an older Node, the fetched one does it.
 * Skips steps that are done for the current files, which then need no network.
 * @param {{ steps?: ('install' | 'build')[], root?: string, runStep?: typeof runWithProgress, findPnpm?:
 * typeof pnpmCommand }} options
 * @throws {ScriptError} with a sentence that says what to do, or with the whole output of the failed step
 */
export async function ensureReady({ steps = ['install', 'build'], root = ROOT, runStep = runWithProgress, findPnpm = pnpmCommand } = {}) {
  if (!isNewEnough()) {
    const code = await runOnFetchedNode(root, [join(root, LAUNCHER)]);
    if (code !== 0) throw new ScriptError(`The checkout is not ready: ${LAUNCHER} ended with code ${code}.`);
    return;
  }
  if (steps.includes('install')) await install(root, runStep, findPnpm);
  if (steps.includes('build')) {
    await build(root, runStep);
    await bundle(root, runStep);
    await buildConsole(root, runStep);
  }
}

async function install(root, runStep, findPnpm) {
  const hash = installHash(root);
  if (stampIsCurrent(root, 'install', hash) && isInstalled(root)) return;
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
  writeStamp(root, 'install', hash);
}

async function build(root, runStep) {
  const hash = buildHash(root);
  const unbuilt = unbuiltFolders(root);
  if (stampIsCurrent(root, 'build', hash) && unbuilt.length === 0) return;
  checkWritable(join(root, 'node_modules/.cache'));
  for (const folder of unbuilt) {
    checkWritable(join(root, `${folder}/dist`));
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
  checkWritable(join(root, BUNDLES));
  await runStep('Bundling', [process.execPath, BUNDLE], { cwd: root });
  writeStamp(root, 'bundle', hash);
}

/** Builds the console into the folder from which the inspection service serves it. */
async function buildConsole(root, runStep) {
  const folder = join(root, CONSOLE);
  if (!existsSync(folder)) return;
  const hash = consoleHash(root);
  if (stampIsCurrent(root, 'console', hash) && existsSync(join(root, BUILT_CONSOLE, 'index.html'))) return;
  checkWritable(join(root, BUILT_CONSOLE));
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  await runStep('Building the console', [process.execPath, vite, 'build', '--logLevel', 'warn'], { cwd: folder });
  writeStamp(root, 'console', hash);
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
