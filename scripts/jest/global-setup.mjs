import { ensureReady } from '../bootstrap.mjs';
import { makeRelease } from '../release/release.mjs';
import { openMemoryFolder } from './memory-folder.mjs';

/** Of this process: a run that a test starts uses the folder of the outer one, and leaves it. */
let memoryFolder;

/** Makes the release once, which tests start as a program, and the folder for temporary files. */
export default async function prepare() {
  await ensureReady({ steps: ['page'] });
  await makeRelease();
  // Long runs write more than fits into memory.
  if (process.env.TMPDIR || process.env.LONG === '1') return;
  memoryFolder = await openMemoryFolder();
  if (memoryFolder) process.env.TMPDIR = memoryFolder.path;
}

/** Removes the folder for temporary files, also what tests have left in it. */
export function end() {
  memoryFolder?.remove();
}
