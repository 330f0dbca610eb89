import { isReadable } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import { errorReply, type Logger } from '@sinebar/service-kit';
import { BackgroundJob, type StepOutcome } from '../background/background-job.js';
import type { ConfigurationReader } from '../configuration/configuration.js';
import { deleteSelected, notWritable } from '../measurements/measurement-deletion.js';
import { selectionStatement } from '../measurements/measurement-selection.js';
import { PlanStore } from '../plan/plan-store.js';
import type { OpenOperation } from './pending-operation.js';
import { PendingOperationStore } from './pending-operation-store.js';

export interface PendingOperationParts {
  database: Database;
  configurations: ConfigurationReader;
  now: () => Date;
  log: Logger;
}

/** Measurements of one transaction: the plan cannot change meanwhile. */
const MEASUREMENTS_PER_BATCH = 2000;
/** For looking through all measurements once. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** A step that failed this often, one after another and for no reason of the caller's, is given up. */
const MAX_FAILURES = 5;
/** Between two lines of the log about the progress of an operation, milliseconds. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Carries out operations in the order in which they were asked for, one transaction after another, one at a time over all replicas. How far it has come is
 * stored with each transaction, so that any replica goes on after a restart.
 * spec: decisions.md 5.7
 */
export class PendingOperationJob extends BackgroundJob {
  private readonly parts: PendingOperationParts;
  private loggedAt = 0;

  constructor(parts: PendingOperationParts) {
    super(parts.log, 'a pending operation could not be carried on; trying again');
    this.parts = parts;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    let current: OpenOperation | undefined;
    try {
      return await this.parts.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
        const store = new PendingOperationStore(session);
        if (!(await store.lock())) return 'busy';
        current = await store.next();
        if (current) {
          await this.advance(session, store, current);
          return 'more';
        }
        await store.forgetFinished(this.parts.now());
        return 'nothing';
      });
    } catch (error) {
      if (signal.aborted || !current) throw error;
      return this.noteFailure(current, error, signal);
    }
  }

  private async advance(session: WriteSession, store: PendingOperationStore, operation: OpenOperation): Promise<void> {
    const { uuid, deletion, total, done } = operation;
    const { configurations, now } = this.parts;
    await new PlanStore(session).lockShared();
    if (total === null) {
      const configuration = await configurations.read(session);
      const count = await store.collect(operation, selectionStatement(deletion.selection, deletion.readable, configuration, 'm.id AS id'));
      const isRefused =
        !isReadable(deletion.writable, '') && (await store.partsOf(uuid)).some(({ path }) => !isReadable(deletion.writable, path));
      if (isRefused) throw notWritable();
      this.log.info({ operation: uuid, total: count }, 'a pending deletion of measurements begins');
      return;
    }
    const ids = await store.takeBatch(uuid, MEASUREMENTS_PER_BATCH);
    await deleteSelected(session, { text: 'SELECT unnest($1::bigint[]) AS id', values: [ids] }, deletion.writable);
    const finished = ids.length < MEASUREMENTS_PER_BATCH;
    if (finished) await store.finish(uuid, now(), null);
    if (!finished && performance.now() - this.loggedAt < LOG_INTERVAL_MS) return;
    this.loggedAt = performance.now();
    this.log.info(
      { operation: uuid, total, done: done + ids.length },
      finished ? 'a pending operation is done' : 'a pending operation goes on',
    );
  }

  /** What the caller is to blame for is final; anything else may pass. */
  private async noteFailure(operation: OpenOperation, error: unknown, signal: AbortSignal): Promise<StepOutcome> {
    const { database, now } = this.parts;
    const final = (error instanceof ServiceError && error.status < 500) || operation.failures + 1 >= MAX_FAILURES;
    await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      const store = new PendingOperationStore(session);
      if (final) await store.finish(operation.uuid, now(), errorReply(error, operation.requestId, false).body);
      else await store.noteFailure(operation.uuid);
    });
    if (!final) throw error;
    this.log.warn({ err: error, operation: operation.uuid }, 'a pending operation was given up');
    return 'more';
  }
}
