import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const PARENT = '/dev/shm';
/** Free memory that a run leaves to its databases, copies of the worlds and browsers, bytes. */
const MIN_FREE_BYTES = 12 * 2 ** 30;
const NAME = /^sinebar-tests-(\d+)$/;

/**
 * Makes a folder in memory for the temporary files of this run: databases are many small files, which a disk makes and removes slowly.
 * @returns undefined where there is no such file system, it runs no programs, or memory is short
 */
export function makeMemoryFolder({ parent = PARENT, mounts = readMounts(), freeBytes = freeBytesIn(parent) } = {}) {
  const mount = mounts.split('\n').find((line) => line.split(' ')[1] === parent);
  if (!mount?.includes(' tmpfs ') || mount.includes('noexec') || freeBytes < MIN_FREE_BYTES) return undefined;
  for (const name of readdirSync(parent)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `sinebar-tests-${process.pid}`);
  mkdirSync(folder);
  // The databases run as another user when this process is root.
  chmodSync(folder, 0o711);
  return folder;
}

function readMounts() {
  try {
    return readFileSync('/proc/mounts', 'utf8');
  } catch {
    return '';
  }
}

function freeBytesIn(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch ({ code }) {
    return code === 'EPERM';
  }
}
