import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureReady, ROOT } from './bootstrap.mjs';
import { main, ScriptError } from './command.mjs';
import { endWithLauncher, isNewEnough, runOnFetchedNode } from './runtime/runtime.mjs';

/**
 * Runs `node scripts/launch.mjs [file [arguments]]`, also in a fresh clone and with an older Node (18 or newer).
 * Makes the checkout ready, then runs the file in this process, with its signals, exit code and terminal, as `exec` would.
 * With an older Node a newer one is fetched, which runs the same in a child process.
 */
await main(async () => {
  const [, , file, ...args] = process.argv;
  if (!isNewEnough()) return runOnFetchedNode(ROOT, [...process.execArgv, ...process.argv.slice(1)]);
  endWithLauncher();
  // Tools of packages need no build.
  await ensureReady({ steps: file?.startsWith('node_modules/') ? ['install'] : ['install', 'build'] });
  if (file === undefined) return 0;
  const path = resolve(ROOT, file);
  if (!existsSync(path)) throw new ScriptError(`${file} does not exist.`);
  process.argv = [process.argv[0], path, ...args];
  await import(pathToFileURL(path).href);
});
