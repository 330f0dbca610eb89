import { existsSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureReady, ROOT } from './bootstrap.mjs';
import { main, ScriptError } from './command.mjs';
import { endWithLauncher, isNewEnough, runOnFetchedNode } from './runtime/runtime.mjs';

/** Programs of the checkout that are no command of the product, by name. */
const PROGRAMS = {
  distributed: 'tests/distributed/src/distributed.ts',
  'docs-site': 'scripts/site/site.mjs',
  services: 'packages/local-servers/src/commands/services.ts',
};

/**
 * Runs `node scripts/launch.mjs [file or name [arguments]]`, also in a fresh clone and with an older Node (18 or newer).
 * Makes the checkout ready, then runs the file in this process, with its signals, exit code and terminal, as `exec` would.
 * An older Node fetches a newer one, which runs the same in a child process.
 */
await main(async () => {
  const [, , name, ...args] = process.argv;
  const file = PROGRAMS[name] ?? name;
  if (!isNewEnough()) return runOnFetchedNode(ROOT, [...process.execArgv, ...process.argv.slice(1)]);
  endWithLauncher();
  // Tools of packages need no build.
  await ensureReady({ steps: file?.startsWith('node_modules/') ? ['install'] : ['install', 'page'] });
  if (file === undefined) return 0;
  const path = resolve(ROOT, file);
  if (!existsSync(path)) throw new ScriptError(`${file} does not exist.`);
  // Not in the temporary folder, where other users could write; processes that this one starts use it too.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  process.argv = [process.argv[0], path, ...args];
  await import(pathToFileURL(path).href);
});
