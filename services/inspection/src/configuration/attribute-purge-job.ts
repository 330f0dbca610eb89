import type { StepOutcome } from '@sinebar/concurrency';
import type { Database, WorkOptions } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BackgroundJob, BUSY } from '../shared/background-job.ts';
import { AttributePurgeStore, type AttributeKeys } from './attribute-purge-store.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Removes the stored values of deleted attributes in the background, in short transactions that run one at a time over all replicas.
 * spec: decisions.md 3.2
 */
export class AttributePurgeJob extends BackgroundJob {
  private readonly database: Database;

  constructor(database: Database, log: Logger) {
    super(log, 'values of deleted attributes could not be removed; trying again');
    this.database = database;
  }

  /** Removes all values of these attributes at once, even if the job is stopped. @throws the abort reason of the signal */
  async finish(attributes: AttributeKeys, options: WorkOptions): Promise<void> {
    let left = true;
    while (left) {
      left = await this.database.write(options, async (session) => {
        const store = new AttributePurgeStore(session);
        await store.lock(true);
        return store.removeBatch(attributes);
      });
    }
  }

  step(signal: AbortSignal): Promise<StepOutcome> {
    return this.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      const store = new AttributePurgeStore(session);
      if (!(await store.lock(false))) return BUSY;
      return (await store.removeBatch()) ? 'more' : 'nothing';
    });
  }
}
