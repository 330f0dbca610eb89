import { commandText } from '@sinebar/contracts';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, runAsProcess } from '../../command-line/command.ts';
import { progressOn } from '../../command-line/progress.ts';
import { dataDirOf, isDistributed, openEmptyStore } from '../../stores/open-store.ts';
import { readManifest } from './manifest.ts';
import { refuseUsedFolder, restoreBackup, stepsTo } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const HELP = `
${commandText('restore SOURCE [--replace-event-stream]')}

Fills an empty installation with the backup in the folder SOURCE, after comparing every file with its digest. The product must be stopped.

Installation:
  SINEBAR_DATA_DIR=<folder>   a data folder that is missing or empty (default: sinebar-data)
  DATABASE_URL, NATS_URL, S3_…   an empty database and an empty bucket, or SINEBAR_FILE_DIR an empty folder

  --replace-event-stream      remove the event stream that the broker of NATS_URL still holds

The event stream starts anew, and clients get a Gap. A backup of an older release is accepted; the next start migrates it.
Exit code 0: restored; 1: nothing was restored.
`;

const options = { 'replace-event-stream': { type: 'boolean' } } as const;

export const restoreCommand: Command<typeof options> = {
  name: 'restore',
  help: HELP,
  options,
  words: ['SOURCE'],
  run: async ({ values, words: [folder = ''] }, context) => {
    const { signal } = context;
    const progress = progressOn(context.stderr);
    const manifest = await readManifest(folder);
    for (const [schema, version] of Object.entries(manifest.schemas)) stepsTo(schema, version);
    const dataDir = isDistributed(context) ? undefined : dataDirOf(context);
    if (dataDir !== undefined) await refuseUsedFolder(dataDir);
    await verifyBackup(folder, manifest, progress, signal);
    // Checked again, since verification may have taken long.
    if (dataDir !== undefined) await refuseUsedFolder(dataDir);
    const store = await openEmptyStore(context);
    let done = false;
    try {
      await restoreBackup({ folder, manifest, store, replaceStream: values['replace-event-stream'] === true, progress, signal });
      done = true;
    } finally {
      await store.close();
      if (!done && dataDir !== undefined) await empty(dataDir);
    }
    const next =
      dataDir === undefined
        ? `Start the services; then ${commandText('doctor')} with the same variables.`
        : `Start it: SINEBAR_DATA_DIR=${dataDir} ${commandText('start')}; then ${commandText('doctor')} with the same variable.`;
    context.print(`Restored the state of ${manifest.created}. ${next}`);
    for (const name of manifest.missing) context.stderr.write(`LOST before the backup was made: the bytes of object ${name}\n`);
    return 0;
  },
};

/** Empties the folder, which was empty before. */
async function empty(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir).catch(() => []))
    await rm(join(dataDir, entry), { recursive: true, force: true, maxRetries: 3 });
}

export const run = (words: readonly string[]): Promise<void> => runAsProcess(restoreCommand, words);
