import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { openRunFolder } from '../../packages/local-servers/src/run-folder.ts';

const PARENT = '/dev/shm';
/** Free memory that a run leaves to its databases, copies of the worlds and browsers, bytes. */
const MIN_FREE_BYTES = 12 * 2 ** 30;

/**
 * Makes a folder in memory for the temporary files of this run: databases are many small files, which a disk makes and removes slowly.
 * Folders of killed runs are removed.
 * @returns undefined where there is no such file system, it runs no programs, or memory is short
 */
export async function openMemoryFolder({ parent = PARENT, mounts = readMounts(), freeBytes = freeBytesIn(parent) } = {}) {
  const mount = mounts.split('\n').find((line) => line.split(' ')[1] === parent);
  if (!mount?.includes(' tmpfs ') || mount.includes('noexec') || freeBytes < MIN_FREE_BYTES) return undefined;
  return await openRunFolder(join(parent, `sinebar-tests-${process.getuid()}`));
}

function readMounts() {
  try {
    return readFileSync('/proc/mounts', 'utf8');
  } catch {
    // Other systems than Linux have none.
    return '';
  }
}

function freeBytesIn(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem());
  } catch {
    // It does not exist.
    return 0;
  }
}
