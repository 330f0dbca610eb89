import { join } from 'node:path';
import type { Authentication } from '@sinebar/authentication';
import type { Closing } from '@sinebar/concurrency';
import type { Tracer } from '@sinebar/contracts';
import { createInProcessBus } from '@sinebar/message-bus';
import { FileBlobStore } from '@sinebar/raw-data';
import { pickSettings, Spool, type Logger } from '@sinebar/runtime';
import type { StandaloneSettings } from '../settings.ts';
import { refuseOtherPlant } from './sole-plant.ts';
import { StoredMessageLog } from './stored-message-log.ts';
import type { Form } from './form.ts';

export interface OneProcessDependencies {
  database: { url: string; migrateAtStart: boolean };
  /** Folder with the files in its subfolder `files`, and incomplete uploads in `spool`. */
  dataDir: string;
  settings: StandaloneSettings;
  authentication: Authentication;
  log: Logger;
  tracer?: Tracer | undefined;
  signal: AbortSignal;
  closing: Closing;
}

/** Time limit in milliseconds for the database, which runs already. */
const DATABASE_START_MS = 60_000;

/** Opens the form of one process: one database, one folder and a bus of this process. */
export async function openOneProcessForm(deps: OneProcessDependencies): Promise<Form> {
  const { database, dataDir, settings, authentication, log, tracer, signal, closing } = deps;
  await refuseOtherPlant(database.url, settings.SINEBAR_PLANT);
  // The spool lies by default on the file system of the files, so a complete upload is renamed, not copied.
  const { SINEBAR_SPOOL_DIR: spoolFolder, SINEBAR_SPOOL_BYTES: quotaBytes } = settings;
  const spool = new Spool(spoolFolder ?? join(dataDir, 'spool'), { quotaBytes, isShared: spoolFolder !== undefined });
  return {
    settings: (definitions) => pickSettings(settings, definitions),
    authentication,
    files: async () => {
      const blobs = new FileBlobStore(join(dataDir, 'files'));
      await blobs.prepare(new Date(), false);
      return { blobs, soleOwner: true };
    },
    spool: () => Promise.resolve(spool),
    bus: async () => {
      const messages = await StoredMessageLog.open({
        url: database.url,
        maxMessages: settings.SINEBAR_EVENT_LOG_MESSAGES,
        maxBytes: settings.SINEBAR_EVENT_LOG_BYTES,
        onConnectionError: (error) => log.warn({ reason: error.message }, 'a database connection of the event log broke'),
      });
      closing.add('event log', () => messages.close());
      return createInProcessBus({ log: messages, report: log });
    },
    // The plant was checked, and the schema of a new one is created here.
    database: () => {
      signal.throwIfAborted();
      return { ...database, plant: '', startTimeoutMs: DATABASE_START_MS, signal };
    },
    closing,
    logOf: (service) => log.child({ service }),
    tracer,
  };
}
