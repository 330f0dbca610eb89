import { commandText, schemaOfPlant } from '@sinebar/contracts';
import { openDatabase } from '@sinebar/database';
import {
  BlobRemovalWorker,
  fileStoreSettings,
  openBlobStore,
  RAW_DATA_SCHEMA,
  removeUnusedThumbnails,
  SweepService,
} from '@sinebar/raw-data';
import { createLogger, databaseSettings, databaseUrl, defineSettings, loadSettings } from '@sinebar/runtime';
import { runAsProcess, UsageError, type Command } from '../command-line/command.ts';

const HOUR_MS = 3_600_000;
const HELP = `
${commandText('sweep [--delete] [--older-than-hours N]')}

Compares the store for files with the database, and prints as JSON the objects without a row and the rows without their object.

  --delete               removes the objects without a row
  --older-than-hours N   younger objects may belong to a running upload (default: 24)

Installation: DATABASE_URL, S3_…; SINEBAR_FILE_DIR if files are in a folder

Exit code 0: they agree, or the objects without a row were removed; 1: not compared; 2: they do not agree.
`;

const options = { delete: { type: 'boolean' }, 'older-than-hours': { type: 'string', default: '24' } } as const;

const sweepCommand: Command<typeof options> = {
  name: 'sweep',
  help: HELP,
  options,
  words: [],
  run: async ({ values }, { env, signal, print, stderr }) => {
    const hours = values['older-than-hours'] ?? '';
    if (!/^\d+(\.\d+)?$/.test(hours)) throw new UsageError(`--older-than-hours takes a number of hours, not "${hours}".`);
    const remove = values.delete === true;
    const { values: settings } = loadSettings(defineSettings({ ...databaseSettings, ...fileStoreSettings }), env);
    const log = createLogger({ service: 'raw-data sweep', level: 'info', destination: stderr });
    const startTimeoutMs = settings.SINEBAR_START_TIMEOUT_S * 1000;
    const store = await openBlobStore(settings, log, startTimeoutMs);
    const database = await openDatabase({
      url: databaseUrl(settings),
      schema: schemaOfPlant(RAW_DATA_SCHEMA, settings.SINEBAR_PLANT),
      applicationName: 'sinebar raw-data sweep',
      startTimeoutMs,
      log,
    });
    try {
      const removals = new BlobRemovalWorker({ database, blobs: store.blobs, log, onRemoved: removeUnusedThumbnails });
      const sweep = new SweepService({ database, blobs: store.blobs, now: () => new Date(), onRemovalOrdered: () => undefined });
      const report = await sweep.sweep({ olderThanMs: Number(hours) * HOUR_MS, delete: remove, signal });
      if (remove) await removals.removeDue();
      print(JSON.stringify({ ...report, removed: remove }, null, 2));
      return report.missing.count > 0 || (report.orphans.count > 0 && !remove) ? 2 : 0;
    } finally {
      await database.close();
      store.close();
    }
  },
};

export const run = (words: readonly string[]): Promise<void> => runAsProcess(sweepCommand, words);
