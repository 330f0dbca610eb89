import type { Readable } from 'node:stream';
import { ServiceError } from '@sinebar/contracts';

/** A range of bytes, `first` and `last` included. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface BlobEntry {
  /** Uuid in lower case. */
  name: string;
  sizeBytes: number;
  modified: Date;
}

/**
 * Stores the bytes of files. Names are fresh uuids in lower case and never reused, so that no reader mixes the bytes of two files.
 * Methods throw a `ServiceError` `Unavailable` when the store cannot be reached.
 */
export interface BlobStore {
  /**
   * Stores the file at `path` under a new name. After success the bytes survive a crash.
   * After a failure nothing remains under the name, unless the store cannot be reached any more.
   * @param sizeBytes expected size; a file of another size is refused
   * @param md5 hexadecimal digits; a store in the network refuses a file with another one
   * @throws ServiceError `OutOfStorage`
   */
  put(name: string, path: string, sizeBytes: number, md5?: string): Promise<void>;
  /** Opens an object. The caller consumes or destroys the stream; an abort destroys it and its connection. @throws BlobMissingError */
  get(name: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable>;
  /** Removes objects and the parts of unfinished `put`s; ignores missing names. */
  remove(names: readonly string[]): Promise<void>;
  /** Lists the objects whose names sort after `after`, in the order of names. */
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
  return new ServiceError('Unavailable', 'The store for files cannot be reached. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });
}
