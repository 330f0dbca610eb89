import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '@sinebar/concurrency';

/** Paths in a package, which begin with `native/`. */
interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Makes the links between shared libraries that an npm package cannot contain, from the list in the package: its install script would do
 * it, which npm and pnpm block.
 * @param folder the package's `native`, or a copy of it
 * @returns false where the folder cannot be written and a link is missing
 */
export async function linkLibraries(folder: string): Promise<boolean> {
  let isComplete = true;
  for (const { source, target } of await readLinks(folder)) {
    try {
      await symlink(relative(dirname(target), source), join(folder, relative('native', target)));
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') isComplete = false;
    }
  }
  return isComplete;
}

/** Packages without such a list (Windows) need no links. */
async function readLinks(folder: string): Promise<readonly LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
