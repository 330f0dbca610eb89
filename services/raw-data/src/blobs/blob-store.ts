import { errorCode } from '@sinebar/concurrency';
import type { Readable } from 'node:stream';
import { ServiceError } from '@sinebar/contracts';

/** Bytes `first` to `last`, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** One stored object, as a listing shows it. */
export interface BlobEntry {
  /** Uuid in lower case. */
  name: string;
  sizeBytes: number;
  /** When it was stored. */
  modified: Date;
}

/**
 * Stores the bytes of files. Names are fresh uuids in lower case and never reused, so that no reader sees halves of two files.
 * Methods throw a `ServiceError` `Unavailable` when the store cannot be reached.
 */
export interface BlobStore {
  /**
   * Stores the file at `path` under a new name. When it resolves the bytes survive a crash; when it rejects nothing is left under the name,
   * unless the store cannot be reached any more.
   * @param sizeBytes expected size of the file; another size is refused
   * @param md5 of it, hexadecimal digits; a store that is reached over a network refuses another one
   * @throws ServiceError `OutOfStorage`
   */
  put(name: string, path: string, sizeBytes: number, md5?: string): Promise<void>;
  /**
   * Opens an object. The caller consumes or destroys the stream; an abort destroys it and whatever is behind it.
   * @throws BlobMissingError
   */
  get(name: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable>;
  /** Removes objects and the rest of unfinished `put`s; missing names are no error. */
  remove(names: readonly string[]): Promise<void>;
  /** All objects whose names are behind `after`, in the order of names. */
  list(after?: string): AsyncIterable<BlobEntry>;
  /** Checks whether the store can be used now. @returns `detail`: a sentence for operators */
  health(): Promise<{ healthy: boolean; detail: string }>;
}

export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
  readonly blobName: string;
  constructor(blobName: string, options?: ErrorOptions) {
    super(`the object store has no object ${blobName}`, options);
    this.blobName = blobName;
  }
}

const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Objects with other names do not belong to this service and are neither listed nor removed. */
export function isBlobName(name: string): boolean {
  return NAME.test(name);
}

export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError('Unavailable', 'the store for files cannot be reached', { retryAfterSeconds: 5, cause });
}

/** Retry after a full disk, seconds: an operator has to free space first. */
const FULL_RETRY_S = 60;

/** spec: decisions.md 10.7 */
export function storageFull(cause: unknown): ServiceError {
  return new ServiceError('OutOfStorage', 'there is no space left for files', { retryAfterSeconds: FULL_RETRY_S, cause });
}

/** Whether the file system has no room for the bytes, or grants this account no more. */
export function isDiskFull(error: unknown): boolean {
  return errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
}
