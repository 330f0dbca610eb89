export { composeRawData, type RawDataParts } from './compose.js';
export { fileStoreSettings, rawDataProcessSettings, rawDataSettings, type FileStoreSettings, type RawDataSettings } from './config.js';
export type { BlobEntry, BlobStore } from './features/blobs/blob-store.js';
export { FileBlobStore } from './features/blobs/file-blob-store.js';
export { openBlobStore, type OpenedBlobStore } from './features/blobs/open-blob-store.js';
export { S3BlobStore, type S3Options } from './features/blobs/s3-blob-store.js';
export { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/migrations.js';
