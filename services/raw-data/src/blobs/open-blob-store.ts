import { join } from 'node:path';
import { pause } from '@sinebar/concurrency';
import { filePrefixOfPlant, ServiceError } from '@sinebar/contracts';
import { SettingsError, type Logger } from '@sinebar/runtime';
import type { FileStoreSettings } from './file-store-settings.ts';
import { FileBlobStore } from './file-blob-store.ts';
import type { S3BlobStore } from './s3-blob-store.ts';

export interface OpenedBlobStore {
  blobs: FileBlobStore | S3BlobStore;
  close(): void;
}

const RETRY_MS = 1000;

/** Opens the store that the settings name, without creating or checking anything. @throws SettingsError */
export async function blobStoreOf(settings: FileStoreSettings): Promise<OpenedBlobStore> {
  const { S3_ENDPOINT: endpoint, SINEBAR_FILE_DIR: folder } = settings;
  // There is no default: it would store files in an unexpected folder.
  if (endpoint !== undefined && folder !== undefined) throw new SettingsError(['give either S3_ENDPOINT or SINEBAR_FILE_DIR, not both']);
  if (folder !== undefined) {
    return { blobs: new FileBlobStore(join(folder, filePrefixOfPlant(settings.SINEBAR_PLANT))), close: () => undefined };
  }
  const blobs = await openS3(settings);
  return { blobs, close: () => blobs.close() };
}

/**
 * Opens and prepares the store that the settings name; waits for an S3 store that does not answer yet.
 * @throws SettingsError; ServiceError `Unavailable` after the time limit
 */
export async function openBlobStore(settings: FileStoreSettings, log: Logger, startTimeoutMs: number): Promise<OpenedBlobStore> {
  const opened = await blobStoreOf(settings);
  const { blobs } = opened;
  if (blobs instanceof FileBlobStore) await blobs.prepare(new Date(), true);
  else await waitFor(blobs, settings.S3_ENDPOINT, log, startTimeoutMs);
  return opened;
}

async function waitFor(blobs: S3BlobStore, endpoint: string | undefined, log: Logger, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      await blobs.prepare();
      return;
    } catch (error) {
      if (!(error instanceof ServiceError) || performance.now() > giveUpAt) throw error;
      log.warn({ err: error.cause, endpoint }, 'waiting for the store for files');
      await pause(RETRY_MS);
    }
  }
}

async function openS3(settings: FileStoreSettings): Promise<S3BlobStore> {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = settings;
  if (endpoint === undefined) throw new SettingsError(['S3_ENDPOINT: is required, or SINEBAR_FILE_DIR for a folder']);
  if (accessKey === undefined || secretKey === undefined) {
    const missing = (['S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const).filter((name) => settings[name] === undefined);
    throw new SettingsError(missing.map((name) => `${name}: is required with S3_ENDPOINT`));
  }
  // The client of S3 has more than a hundred modules, which a product with a folder does not load.
  const { S3BlobStore } = await import('./s3-blob-store.ts');
  return new S3BlobStore({
    endpoint,
    accessKey,
    secretKey,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    plant: settings.SINEBAR_PLANT,
  });
}
