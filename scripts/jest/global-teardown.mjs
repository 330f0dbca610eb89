import { rmSync } from 'node:fs';

/** Removes the folder for temporary files, also what tests have left in it. */
export default function end() {
  const { JEST_MEMORY_FOLDER } = process.env;
  if (JEST_MEMORY_FOLDER) rmSync(JEST_MEMORY_FOLDER, { recursive: true, force: true });
}
