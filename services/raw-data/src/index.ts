export { composeRawData, type RawDataDependencies } from './compose.js';
export { fileStoreSettings, rawDataProcessSettings, rawDataSettings, type FileStoreSettings, type RawDataSettings } from './config.js';
export { BlobMissingError, type BlobEntry, type BlobStore } from './features/blobs/blob-store.js';
export { REMOVALS_LOCK } from './features/blobs/blob-removal-store.js';
export { FileBlobStore } from './features/blobs/file-blob-store.js';
export { blobStoreOf, openBlobStore, type OpenedBlobStore } from './features/blobs/open-blob-store.js';
export { S3BlobStore, type S3Options } from './features/blobs/s3-blob-store.js';
export { SweepService, type SweepReport } from './features/sweep/sweep-service.js';
export { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/migrations.js';
