import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import { abortable, Semaphore } from '@sinebar/concurrency';
import { LRUCache } from 'lru-cache';
import { BlobRemovalStore } from '../blobs/blob-removal-store.ts';
import { BlobMissingError, type BlobStore } from '../blobs/blob-store.ts';
import type { Caller } from '../objects/object-service.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import type { Spool } from '@sinebar/runtime';
import { renderImage } from './render-image.ts';
import { NoThumbnailError, type ThumbnailMaker } from './thumbnail-maker.ts';
import { ThumbnailStore, type Thumbnail } from './thumbnail-store.ts';

export interface ThumbnailServiceDependencies {
  database: Database;
  blobs: BlobStore;
  spool: Spool;
  maker: Pick<ThumbnailMaker, 'make' | 'stop'>;
  onRemovalOrdered: () => void;
}

type Content = Pick<RawDataObject, 'md5' | 'objectName' | 'sizeBytes'>;

/** Most contents that are decoded at a time, and most that wait. */
const AT_A_TIME = 2;
const MAX_WAITING = 200;
/** Time limit for reading the file, making the thumbnail and storing it, milliseconds. */
const TIMEOUT_MS = 120_000;
const MAX_FAILED = 10_000;
const KEEP_FAILED_MS = 10 * 60_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Delay in milliseconds for the removal of bytes without a row. */
const REMOVE_AFTER_MS = 3600 * 1000;

/** Finds thumbnails of files, or makes them on the first request and stores them once per content. spec: decisions.md 6.6 */
export class ThumbnailService {
  private readonly deps: ThumbnailServiceDependencies;
  private readonly semaphore = new Semaphore(AT_A_TIME);
  /** Why contents have no thumbnail, by MD5, so that a list of files does not read them again and again. */
  private readonly failed = new LRUCache<string, string>({ max: MAX_FAILED, ttl: KEEP_FAILED_MS });
  /** Thumbnails in progress, by MD5. */
  private readonly running = new Map<string, Promise<Thumbnail | undefined>>();
  private readonly stopping = new AbortController();

  constructor(deps: ThumbnailServiceDependencies) {
    this.deps = deps;
  }

  /**
   * Returns the thumbnail of a file that the caller may read.
   * @returns `undefined` when the file was replaced or deleted meanwhile: look it up again
   * @throws NoThumbnailError; ServiceError 503
   */
  async find(object: Content, caller: Caller): Promise<Thumbnail | undefined> {
    const stored = await this.deps.database.read(caller, (session) => new ThumbnailStore(session).find(object.md5));
    if (stored) return stored;
    const reason = this.failed.get(object.md5);
    if (reason !== undefined) throw new NoThumbnailError(reason);
    return abortable(this.generation(object), caller.signal);
  }

  /** @returns `undefined` when the bytes are missing: the next look-up makes the thumbnail again */
  async open(thumbnail: Thumbnail, caller: Caller): Promise<Readable | undefined> {
    try {
      return await this.deps.blobs.get(thumbnail.objectName, undefined, caller.signal);
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
      await this.deps.database.write(caller, (session) => new ThumbnailStore(session).forget(thumbnail.objectName));
      return undefined;
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(
      new ServiceError('Unavailable', 'The server is being stopped. Try again in a few seconds.', { retryAfterSeconds: 5 }),
    );
    await Promise.allSettled(this.running.values());
    this.deps.maker.stop();
  }

  /** Continues when its first caller disconnects: others may wait for it, and the next one finds the result. */
  private generation(object: Content): Promise<Thumbnail | undefined> {
    const known = this.running.get(object.md5);
    if (known) return known;
    if (this.running.size >= AT_A_TIME + MAX_WAITING) {
      throw new ServiceError('Overloaded', 'Too many thumbnails are being made. Try again in a few seconds.', { retryAfterSeconds: 5 });
    }
    const { signal } = this.stopping;
    const generation = this.semaphore
      .run(signal, () => this.generate(object, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])))
      .catch((error: unknown): never => {
        if ((error as Error).name !== 'TimeoutError') throw error;
        throw new ServiceError('Unavailable', 'The thumbnail could not be made in time. Try again in a few seconds.', {
          retryAfterSeconds: 10,
          cause: error,
        });
      })
      .finally(() => this.running.delete(object.md5));
    // Avoids an unhandled rejection when all callers have left.
    generation.catch(() => undefined);
    this.running.set(object.md5, generation);
    return generation;
  }

  private async generate(object: Content, signal: AbortSignal): Promise<Thumbnail | undefined> {
    try {
      const { bytes, mimeType } = await renderImage(this.deps, object, { signal });
      return await this.store(object.md5, Buffer.from(bytes), mimeType, signal);
    } catch (error) {
      if (error instanceof BlobMissingError) return undefined;
      if (error instanceof NoThumbnailError) this.failed.set(object.md5, error.message);
      throw error;
    }
  }

  private async store(md5: string, bytes: Buffer, mimeType: string, signal: AbortSignal): Promise<Thumbnail | undefined> {
    const { database, blobs, spool } = this.deps;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const thumbnail: Thumbnail = { objectName: randomUUID(), mimeType, sizeBytes: bytes.length };
    const name = [thumbnail.objectName];
    await database.write(work, (session) => new BlobRemovalStore(session).order(name, REMOVE_AFTER_MS));
    const spooled = await spool.receive(Readable.from([bytes]), { limitBytes: bytes.length, signal });
    try {
      await blobs.put(thumbnail.objectName, spooled.path, bytes.length, spooled.md5);
    } finally {
      await spooled.discard();
    }
    const kept = await database.write(work, async (session) => {
      const removals = new BlobRemovalStore(session);
      const isAdded = await new ThumbnailStore(session).add(md5, thumbnail);
      if (isAdded) await removals.cancel(name);
      else await removals.order(name);
      return isAdded;
    });
    if (kept) return thumbnail;
    this.deps.onRemovalOrdered();
    // Another replica has stored it, or the file was deleted.
    return database.read(work, (session) => new ThumbnailStore(session).find(md5));
  }
}
