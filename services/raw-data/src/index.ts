export { composeRawData, type RawDataDependencies } from './compose.js';
export { fileStoreSettings, type FileStoreSettings } from './blobs/file-store-settings.js';
export { rawDataProcessSettings, rawDataSettings, type RawDataSettings } from './config.js';
export { BlobMissingError, type BlobEntry, type BlobStore } from './blobs/blob-store.js';
export { FileBlobStore } from './blobs/file-blob-store.js';
export { blobStoreOf, openBlobStore, type OpenedBlobStore } from './blobs/open-blob-store.js';
export type { S3BlobStore, S3Options } from './blobs/s3-blob-store.js';
export { SweepService, type SweepReport } from './sweep/sweep-service.js';
export { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/index.js';
