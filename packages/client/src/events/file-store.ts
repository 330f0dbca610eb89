import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SequenceStore } from './sequence-store.ts';

/** Stores the sequence in a file of its own; its folder must exist. */
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
    // The text is written to a temporary file and renamed, so a crash leaves the old or the new text.
    save: async (sequence) => {
      await writeFile(`${path}.new`, `${sequence}\n`);
      await rename(`${path}.new`, path);
    },
  };
}
