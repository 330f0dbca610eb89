import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { ScriptError } from '../command.mjs';

/**
 * Lists the folders that may hold fetched programs: the cache of the user, then that of the checkout.
 * The first is the same as in packages/local-servers/src/programs.ts.
 */
export function cacheFolders(root, env = process.env) {
  const user = env.SINEBAR_CACHE_DIR || join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'sinebar');
  return [user, join(root, '.cache')];
}

/**
 * Gives npm and pnpm a cache inside the repository when the home folder is not writable (a service account, a read-only container).
 * The user's own npm settings stay in force.
 */
export function environmentWithHome(root) {
  const home = homedir();
  if (isWritable(home)) return process.env;
  const replacement = join(root, '.cache/home');
  checkWritable(replacement);
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
export function checkWritable(folder) {
  if (isWritable(folder)) return;
  const path = nearestExisting(folder);
  throw new ScriptError(
    `${path} cannot be written by ${userInfo().username}: it belongs to user id ${statSync(path).uid}. ` +
      'Run this as that user, or give the folder to yours (chown -R), or remove node_modules and the dist folders and start again.',
  );
}

/** Whether the folder can be written, or made in its nearest existing ancestor. */
export function isWritable(folder) {
  try {
    accessSync(nearestExisting(folder), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function nearestExisting(folder) {
  let path = folder;
  while (!existsSync(path)) path = dirname(path);
  return path;
}
