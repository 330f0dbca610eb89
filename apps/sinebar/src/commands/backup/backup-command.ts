import { commandText } from '@sinebar/contracts';
import { type Command, runAsProcess } from '../../command-line/command.ts';
import { progressOn } from '../../command-line/progress.ts';
import { sizeText } from '../../command-line/size-text.ts';
import { openStore } from '../../stores/open-store.ts';
import { writeBackup } from './write-backup.ts';

const HELP = `
${commandText('backup TARGET')}

Copies all data of an installation, in one snapshot, into the new folder TARGET: all rows, and the bytes of all files with their digests.
The product may run meanwhile. TARGET must be missing or empty.

Installation:
  SINEBAR_DATA_DIR=<folder>   the standalone product (default: sinebar-data); it may be stopped
  DATABASE_URL, S3_…          the distributed services; SINEBAR_FILE_DIR if files are in a folder

Settings, the access policy and the event stream are not copied; the stream starts anew after a restore. The rows are not encrypted: keep
TARGET as safe as the server. Exit code 0: complete; 1: not made, or made without files that were lost before (they are named).
`;

export const backupCommand = {
  name: 'backup',
  help: HELP,
  options: {},
  words: ['TARGET'],
  run: async ({ words: [target = ''] }, context) => {
    const store = await openStore(context);
    try {
      const { tables, files, missing } = await writeBackup(store, target, progressOn(context.stderr), context.signal);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      context.print(`${target}: ${rows} rows and ${files.count} files (${sizeText(files.bytes)}) of ${store.name}.`);
      for (const name of missing) context.stderr.write(`LOST: the bytes of a file were not there any more (object ${name})\n`);
      return missing.length === 0 ? 0 : 1;
    } finally {
      await store.close();
    }
  },
} satisfies Command<Record<string, never>>;

export const run = (words: readonly string[]): Promise<void> => runAsProcess(backupCommand, words);
