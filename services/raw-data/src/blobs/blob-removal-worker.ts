import { BackgroundLoop } from '@sinebar/concurrency';
import type { Database, WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BlobRemovalStore } from './blob-removal-store.ts';
import type { BlobStore } from './blob-store.ts';

const BATCH = 200;
const LEASE_MS = 30_000;
const POLL_MS = 5000;
const STATEMENT_TIMEOUT_MS = 30_000;

interface BlobRemovalDependencies {
  database: Database;
  blobs: BlobStore;
  log: Logger;
  /** Called in the transaction that ends a removal. @param contents MD5 of the removed contents */
  onRemoved: (session: WriteSession, contents: readonly Buffer[]) => Promise<void>;
}

/** Removes the bytes of deleted files after the commit that deleted their rows; replicas share the work. */
export class BlobRemovalWorker {
  private readonly deps: BlobRemovalDependencies;
  private readonly loop: BackgroundLoop;
  private removed = 0;

  constructor(deps: BlobRemovalDependencies) {
    this.deps = deps;
    this.loop = new BackgroundLoop({
      step: async (signal) => ((await this.removeBatch(signal)) ? 'more' : 'nothing'),
      intervalMs: POLL_MS,
      onFailure: (error) => deps.log.warn({ err: error }, 'objects could not be removed; they are tried again'),
    });
  }

  get removedCount(): number {
    return this.removed;
  }

  get failureCount(): number {
    return this.loop.failureCount;
  }

  start(): void {
    this.loop.start();
  }

  /** Call it after a commit that ordered removals. */
  wake(): void {
    this.loop.wake();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Removes every object whose removal is due. */
  async removeDue(): Promise<void> {
    while (await this.removeBatch(this.loop.signal));
  }

  /** Removes some objects whose removal is due, and orders the removal of thumbnails without a file. @returns whether there were any */
  private async removeBatch(signal: AbortSignal): Promise<boolean> {
    const { database, blobs, onRemoved } = this.deps;
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const names = await database.write(options, (session) => new BlobRemovalStore(session).take(BATCH, LEASE_MS));
    if (names.length === 0) return false;
    await blobs.remove(names);
    this.removed += names.length;
    await database.write(options, async (session) => {
      const contents = await new BlobRemovalStore(session).complete(names);
      if (contents.length > 0) await onRemoved(session, contents);
    });
    return true;
  }
}
