import type { Database, WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BlobRemovalStore } from './blob-removal-store.js';
import type { BlobStore } from './blob-store.js';

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
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private readonly counts = { removed: 0, failed: 0 };

  constructor(deps: BlobRemovalDependencies) {
    this.deps = deps;
  }

  get removedCount(): number {
    return this.counts.removed;
  }

  get failureCount(): number {
    return this.counts.failed;
  }

  start(): void {
    this.timer = setInterval(() => this.wake(), POLL_MS);
    this.timer.unref();
    this.wake();
  }

  /** Starts a removal run; call it after a commit that ordered removals. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.removeDue()
      .catch((error: unknown) => {
        if (this.stopping.signal.aborted) return;
        this.counts.failed += 1;
        this.deps.log.warn({ err: error }, 'objects could not be removed; the removal is retried');
      })
      .finally(() => {
        this.running = undefined;
        if (this.again) {
          this.again = false;
          this.wake();
        }
      });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Removes every object whose removal is due, and orders the removal of thumbnails without a file. */
  async removeDue(): Promise<void> {
    const options = { signal: this.stopping.signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    for (;;) {
      const names = await this.deps.database.write(options, (session) => new BlobRemovalStore(session).take(BATCH, LEASE_MS));
      if (names.length === 0) return;
      await this.deps.blobs.remove(names);
      this.counts.removed += names.length;
      await this.deps.database.write(options, async (session) => {
        const contents = await new BlobRemovalStore(session).complete(names);
        if (contents.length > 0) await this.deps.onRemoved(session, contents);
      });
    }
  }
}
