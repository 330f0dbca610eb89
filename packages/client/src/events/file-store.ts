import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SequenceStore } from './sequence-store.js';

/** A file that holds the sequence and nothing else; its folder must exist. */
export function fileStore(path: string): SequenceStore {
  return {
    load: async () => {
      try {
        return (await readFile(path, 'utf8')).trim() || undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    // Written beside and renamed, so that a crash leaves the old text or the new one.
    save: async (sequence) => {
      await writeFile(`${path}.new`, `${sequence}\n`);
      await rename(`${path}.new`, path);
    },
  };
}
