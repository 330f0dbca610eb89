import { ensureReady } from '../bootstrap.mjs';
import { makeRelease } from '../release/release.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';

/** Makes the release once, which tests start as a program, and the folder for temporary files. */
export default async function prepare() {
  await ensureReady({ steps: ['page'] });
  await makeRelease();
  // Long runs write more than fits into memory.
  const folder = process.env.TMPDIR || process.env.LONG === '1' ? undefined : makeMemoryFolder();
  if (folder) {
    process.env.TMPDIR = folder;
    process.env.JEST_MEMORY_FOLDER = folder;
  }
}
