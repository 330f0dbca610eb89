export { composeRawData, type RawDataDependencies } from './compose.ts';
export { fileStoreSettings, type FileStoreSettings } from './blobs/file-store-settings.ts';
export { rawDataProcessSettings, rawDataSettings, type RawDataSettings } from './config.ts';
export { BlobMissingError, type BlobEntry, type BlobStore } from './blobs/blob-store.ts';
export { FileBlobStore } from './blobs/file-blob-store.ts';
export { blobStoreOf, openBlobStore, type OpenedBlobStore } from './blobs/open-blob-store.ts';
export type { S3BlobStore, S3Options } from './blobs/s3-blob-store.ts';
export { SweepService, type SweepReport } from './sweep/sweep-service.ts';
export { RAW_DATA_SCHEMA, rawDataMigrations } from './migrations/index.ts';
