import { commandText } from '@sinebar/contracts';
import { type Command, runAsProcess } from '../../command-line/command.ts';
import { progressOn } from '../../command-line/progress.ts';
import { openStore } from '../../stores/open-store.ts';
import { readManifest } from './manifest.ts';
import { stepsTo } from './restore-backup.ts';
import { testRestore } from './test-restore.ts';

const HELP = `
${commandText('test-restore SOURCE')}

Proves that the backup in the folder SOURCE can be restored: compares every file with its digest, restores all rows into a scratch database
on the same server, compares each table, and removes the scratch database. The product may run meanwhile; its data is not touched.

Installation:
  SINEBAR_DATA_DIR=<folder>   the database server of this data folder (default: sinebar-data)
  DATABASE_URL, S3_…          a PostgreSQL server whose user may create databases, such as another one than that of the services

The disk of the database needs room for a second copy of the rows. Exit code 0: equal; 1: not restored, or different.
`;

export const testRestoreCommand = {
  name: 'test-restore',
  help: HELP,
  options: {},
  words: ['SOURCE'],
  run: async ({ words: [folder = ''] }, context) => {
    const { signal } = context;
    const manifest = await readManifest(folder);
    for (const [schema, version] of Object.entries(manifest.schemas)) stepsTo(schema, version);
    const store = await openStore(context);
    try {
      await testRestore({ folder, manifest, databaseUrl: store.databaseUrl, progress: progressOn(context.stderr), signal });
    } finally {
      await store.close();
    }
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const content = `${rows} rows in ${manifest.tables.length} tables and ${manifest.files.count} files`;
    context.print(`${folder} can be restored: ${content} of ${manifest.created} are equal.`);
    for (const name of manifest.missing) context.stderr.write(`LOST before the backup was made: the bytes of object ${name}\n`);
    return 0;
  },
} satisfies Command<Record<string, never>>;

export const run = (words: readonly string[]): Promise<void> => runAsProcess(testRestoreCommand, words);
