import { randomUUID } from 'node:crypto';
import { userKeyOf } from '@sinebar/access-control';
import { Notifier } from '@sinebar/concurrency';
import { ServiceError, type OperationState } from '@sinebar/contracts';
import type { Database, WorkOptions } from '@sinebar/database';
import { errorReply } from '@sinebar/http';
import type { Logger, SpooledFile } from '@sinebar/runtime';
import { PENDING_OPERATIONS, type OperationReader } from '../../measurements/deletion/pending-operations-routes.ts';
import { ImportOperationStore } from './import-operation-store.ts';
import { refusal } from './import-refusal.ts';
import type { ImportRequest } from './import-request.ts';
import type { ImportService } from './import-service.ts';

export interface ImportOperationsDependencies {
  database: Database;
  imports: ImportService;
  now: () => Date;
  log: Logger;
}

/** Interval between two notes about the progress of an import, milliseconds. */
const NOTE_INTERVAL_MS = 5000;
/** Long enough for the largest file. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** The file is read for its plan and errors, and then for its measurements. */
const READINGS = 2;

/** Imports files after their requests were answered. The process that has the file runs the import; another one cannot continue it. */
export class ImportOperations implements OperationReader {
  readonly ended = new Notifier();
  private readonly deps: ImportOperationsDependencies;
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(deps: ImportOperationsDependencies) {
    this.deps = deps;
  }

  /**
   * Receives the file, and imports it in the background.
   * @param onEnd called when the import has ended, or could not begin
   * @returns path of the operation
   * @throws ServiceError 413, 503
   */
  async start({ body, ...job }: ImportRequest, requestId: string, onEnd: () => void): Promise<string> {
    const { database, imports, now } = this.deps;
    const uuid = randomUUID();
    let spooled: SpooledFile | undefined;
    try {
      spooled = await imports.receive(body, job.signal);
      const { sizeBytes } = spooled;
      this.stopping.signal.throwIfAborted();
      await database.write(job, (session) =>
        new ImportOperationStore(session).add(uuid, userKeyOf(job.principal), READINGS * sizeBytes, now()),
      );
    } catch (error) {
      await spooled?.discard();
      onEnd();
      throw error;
    }
    const task = this.run(uuid, spooled, { ...job, signal: this.stopping.signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, requestId);
    this.running.add(task);
    void task.finally(() => {
      this.running.delete(task);
      onEnd();
    });
    return `${PENDING_OPERATIONS}/${uuid}`;
  }

  findRequester(uuid: string, options: WorkOptions): Promise<string | null | undefined> {
    return this.deps.database.read(options, (session) => new ImportOperationStore(session).findRequester(uuid));
  }

  state(uuid: string, options: WorkOptions): Promise<OperationState | undefined> {
    return this.deps.database.read(options, (session) => new ImportOperationStore(session).state(uuid, this.deps.now()));
  }

  /** Breaks imports off; their operations end with an error. */
  async stop(): Promise<void> {
    this.stopping.abort(new ServiceError('Unavailable', 'The server was stopped before the import ended. Send the file again.'));
    await Promise.all(this.running);
  }

  /** Never rejects. */
  private async run(uuid: string, spooled: SpooledFile, job: Omit<ImportRequest, 'body'>, requestId: string): Promise<void> {
    const { database, imports, now, log } = this.deps;
    // The end of an import is noted also while the server stops.
    const noting = { signal: AbortSignal.timeout(STATEMENT_TIMEOUT_MS), statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const note = (work: (store: ImportOperationStore) => Promise<void>) =>
      database
        .write(noting, (session) => work(new ImportOperationStore(session)))
        .catch((error: unknown) => log.warn({ err: error, operation: uuid }, 'the state of an import could not be noted'));
    let done = 0;
    const notes = setInterval(() => void note((store) => store.noteProgress(uuid, done, now())), NOTE_INTERVAL_MS);
    try {
      const outcome = await imports.importSpooled(spooled, job, (length) => (done += length));
      clearInterval(notes);
      if (outcome.kind === 'refused') throw refusal(outcome);
      await note((store) => store.finish(uuid, now(), { answer: outcome.answer }));
    } catch (error) {
      clearInterval(notes);
      const { status, body } = errorReply(error, requestId, false);
      if (status >= 500) log.warn({ err: error, operation: uuid }, 'an import in the background failed');
      await note((store) => store.finish(uuid, now(), { failure: body }));
    } finally {
      await spooled.discard();
      this.ended.notify();
    }
  }
}
