import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureReady, ROOT } from './bootstrap.mjs';
import { ScriptError } from './command.mjs';

/**
 * Makes the checkout ready, then runs a built file in this process, with its signals, exit code and terminal, as `exec` would.
 * @param {string} file relative to the root
 * @param {readonly string[]} args arguments of the file
 */
export async function runBuilt(file, args) {
  await ensureReady();
  const path = resolve(ROOT, file);
  if (!existsSync(path)) throw new ScriptError(`${file} is not there, although the build went well: is the name right?`);
  process.argv = [process.argv[0], path, ...args];
  await import(pathToFileURL(path).href);
}
