import { Notifier, type StepOutcome } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { sql, type Database, type WriteSession } from '@sinebar/database';
import { errorReply } from '@sinebar/http';
import { type Logger } from '@sinebar/runtime';
import { BackgroundJob, BUSY } from '../../shared/background-job.ts';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { deleteSelected } from './measurement-deletion.ts';
import { mayNotDeleteMeasurements } from '../../plan/measurement-cascade.ts';
import { selectionStatement } from '../selection/measurement-selection.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { deletionOf, type OpenOperation } from './pending-operation.ts';
import { PendingOperationStore } from './pending-operation-store.ts';

export interface PendingOperationDependencies {
  database: Database;
  configurations: ConfigurationReader;
  now: () => Date;
  log: Logger;
}

/** Measurements of one transaction, during which the plan cannot change. */
const MEASUREMENTS_PER_BATCH = { least: 50, most: 2000 } as const;
/** A transaction that locks the plan for longer is followed by a smaller one, so that changes of the plan wait 2 seconds at most. */
const LONG_BATCH_MS = 700;
/** Long enough for one scan of all measurements. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** Consecutive server-side failures after which an operation is aborted. */
const MAX_FAILURES = 5;
/** Interval between two log lines about the progress of an operation, milliseconds. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Runs operations in the order of their requests, one transaction at a time over all replicas.
 * Each transaction stores the progress, so that any replica can continue after a restart.
 * spec: decisions.md 5.7
 */
export class PendingOperationJob extends BackgroundJob {
  /** Notified after an operation has ended in this process. */
  readonly ended = new Notifier();
  private readonly deps: PendingOperationDependencies;
  private loggedAt = 0;
  private readonly batch = { limit: MEASUREMENTS_PER_BATCH.most as number, lockedAt: 0 };

  constructor(deps: PendingOperationDependencies) {
    super(deps.log, 'a pending operation could not be continued; trying again');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    let current: OpenOperation | undefined;
    let isEnded = false;
    this.batch.lockedAt = 0;
    try {
      const outcome = await this.deps.database.write(
        { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
        async (session): Promise<StepOutcome> => {
          const store = new PendingOperationStore(session);
          if (!(await store.lock())) return BUSY;
          current = await store.next();
          if (current) {
            isEnded = await this.advance(session, store, current);
            return 'more';
          }
          await store.deleteExpired(this.deps.now());
          return 'nothing';
        },
      );
      this.fitBatch();
      if (isEnded) this.ended.notify();
      return outcome;
    } catch (error) {
      if (signal.aborted || !current) throw error;
      return this.recordFailure(current, error, signal);
    }
  }

  /** @returns whether it is the end of the operation */
  private async advance(session: WriteSession, store: PendingOperationStore, operation: OpenOperation): Promise<boolean> {
    const { uuid, total, done } = operation;
    const deletion = deletionOf(operation.request);
    const { configurations, now } = this.deps;
    if (total === null) {
      // Runs without the plan lock, because it may take minutes. The statement sees one state of the plan, and each batch checks its parts
      // again.
      const configuration = await configurations.read(session);
      const count = await store.collect(operation, selectionStatement(deletion.selection, deletion.readable, configuration, 'm.id AS id'));
      const isRefused =
        !deletion.writable.includes('') && (await store.readParts(uuid)).some(({ path }) => !deletion.writable.includes(path));
      if (isRefused) throw mayNotDeleteMeasurements();
      this.log.info({ operation: uuid, total: count }, 'a pending deletion of measurements begins');
      return false;
    }
    const { limit } = this.batch;
    const ids = await store.takeBatch(uuid, limit);
    const finished = ids.length < limit;
    if (finished) await store.finish(uuid, now(), null);
    // Locks the plan only for the deletion itself: the list of the operation does not belong to the plan.
    await sharePlan(session);
    this.batch.lockedAt = performance.now();
    await deleteSelected(session, sql`SELECT unnest(${ids}::bigint[]) AS id`, deletion.writable);
    if (!finished && performance.now() - this.loggedAt < LOG_INTERVAL_MS) return false;
    this.loggedAt = performance.now();
    this.log.info(
      { operation: uuid, total, done: done + ids.length },
      finished ? 'a pending operation is finished' : 'a pending operation makes progress',
    );
    return finished;
  }

  /** Adapts the size of the next batch to the time for which the plan was locked. */
  private fitBatch(): void {
    const { limit, lockedAt } = this.batch;
    if (lockedAt === 0) return;
    const isLong = performance.now() - lockedAt > LONG_BATCH_MS;
    this.batch.limit = isLong
      ? Math.max(Math.floor(limit / 2), MEASUREMENTS_PER_BATCH.least)
      : Math.min(limit * 2, MEASUREMENTS_PER_BATCH.most);
  }

  /** Ends the operation for a mistake of the caller or after too many failures; otherwise the step is retried. */
  private async recordFailure(operation: OpenOperation, error: unknown, signal: AbortSignal): Promise<StepOutcome> {
    const { database, now } = this.deps;
    const final = (error instanceof ServiceError && error.status < 500) || operation.failures + 1 >= MAX_FAILURES;
    await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      const store = new PendingOperationStore(session);
      if (final) await store.finish(operation.uuid, now(), errorReply(error, operation.requestId, false).body);
      else await store.recordFailure(operation.uuid);
    });
    if (!final) throw error;
    this.ended.notify();
    this.log.warn({ err: error, operation: operation.uuid }, 'a pending operation failed');
    return 'more';
  }
}
