import { parseArgs } from 'node:util';
import { schemaOfPlant } from '@sinebar/contracts';
import { removeUnusedThumbnails } from './thumbnails/thumbnail-store.ts';
import { openDatabase } from '@sinebar/database';
import { databaseSettings, databaseUrl, defineSettings, runCommand } from '@sinebar/runtime';
import { fileStoreSettings } from './blobs/file-store-settings.ts';
import { BlobRemovalWorker } from './blobs/blob-removal-worker.ts';
import { openBlobStore } from './blobs/open-blob-store.ts';
import { SweepService } from './sweep/sweep-service.ts';
import { RAW_DATA_SCHEMA } from './migrations/index.ts';

const HOUR_MS = 3_600_000;
const USAGE = 'usage: sweep [--delete] [--older-than-hours N]';

/**
 * Runs `node dist/sweep.js`: compares the file store with the database and reports objects without a row and rows without their object.
 * `--delete` removes the former. Skips objects younger than a day (`--older-than-hours`), which may belong to a running upload.
 */
await runCommand(process, 'raw-data sweep', defineSettings({ ...databaseSettings, ...fileStoreSettings }), async (settings, log) => {
  const { remove, olderThanMs } = options(process.argv.slice(2));
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
    const report = await sweep.sweep({ olderThanMs, delete: remove, signal: new AbortController().signal });
    if (remove) await removals.removeDue();
    console.log(JSON.stringify({ ...report, removed: remove }, null, 2));
    if (report.missing.count > 0 || (report.orphans.count > 0 && !remove)) process.exitCode = 2;
  } finally {
    await database.close();
    store.close();
  }
});

function options(args: readonly string[]): { remove: boolean; olderThanMs: number } {
  const { values } = parse(args);
  const hours = values['older-than-hours'];
  if (!/^\d+(\.\d+)?$/.test(hours)) throw new Error(USAGE);
  return { remove: values.delete, olderThanMs: Number(hours) * HOUR_MS };
}

function parse(args: readonly string[]) {
  try {
    const known = { delete: { type: 'boolean', default: false }, 'older-than-hours': { type: 'string', default: '24' } } as const;
    return parseArgs({ args: [...args], options: known });
  } catch (error) {
    throw new Error(USAGE, { cause: error });
  }
}
