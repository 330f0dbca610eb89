import { ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import type { CreationRequest } from './measurement-creation.js';

/** A request that waits for its transaction. */
export type BatchedRequest = CreationRequest & WorkOptions;

/**
 * Writes requests in one transaction.
 * @returns the failure of each request that was left out, `undefined` for each that was written
 * @throws when the transaction failed and nothing was written
 */
export type WriteBatch = (requests: readonly BatchedRequest[], options: WorkOptions) => Promise<readonly (ServiceError | undefined)[]>;

interface Waiting extends CreationRequest, WorkOptions {
  settle: (failure?: Error) => void;
}

/** Values of one transaction, about 8 MiB of bodies; a larger request gets a transaction of its own. */
const MAX_BATCH_VALUES = 140_000;
/** Cost of a measurement without its values, counted in values. */
const HEAD_VALUES = 10;
/** Transactions at the same time: one is prepared while another waits for the disk. Requests that arrive meanwhile form the next one. */
const MAX_RUNNING = 2;

/**
 * Lets concurrent requests share transactions. A mistake fails only the request that made it: when a transaction fails, each of its requests is
 * written again in a transaction of its own.
 */
export class MeasurementBatcher {
  private readonly write: WriteBatch;
  private waiting: Waiting[] = [];
  private running = 0;

  constructor(write: WriteBatch) {
    this.write = write;
  }

  /** @throws ServiceError the failure of this request; the reason of its signal when that is aborted before its transaction begins */
  add(request: BatchedRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...request, settle: (failure) => (failure === undefined ? resolve() : reject(failure)) });
      this.runNext();
    });
  }

  private runNext(): void {
    if (this.running === MAX_RUNNING || this.waiting.length === 0) return;
    this.running += 1;
    void this.runBatch(this.takeBatch()).finally(() => {
      this.running -= 1;
      this.runNext();
    });
  }

  /**
   * Takes the requests that have waited longest. A request with a uuid of an earlier one stays for a later transaction, so that the later request gets
   * the conflict.
   */
  private takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const uuids = new Set<string>();
    let size = 0;
    for (const request of this.waiting) {
      if (request.signal.aborted) {
        request.settle(request.signal.reason as Error);
        continue;
      }
      const own = sizeOf(request);
      const fits = batch.length === 0 || size + own <= MAX_BATCH_VALUES;
      const isTaken = fits && !request.sent.some(({ uuid }) => uuids.has(uuid));
      for (const { uuid } of request.sent) uuids.add(uuid);
      (isTaken ? batch : left).push(request);
      if (isTaken) size += own;
    }
    this.waiting = left;
    return batch;
  }

  private async runBatch(batch: readonly Waiting[]): Promise<void> {
    const [first, ...others] = batch;
    if (!first) return;
    const abandoned = new AbortOfAll(batch.map(({ signal }) => signal));
    try {
      const failures = await this.write(batch, {
        signal: abandoned.signal,
        statementTimeoutMs: first.statementTimeoutMs,
        // A transaction can belong to one trace only.
        traceparent: batch.find((request) => request.traceparent !== undefined)?.traceparent,
      });
      batch.forEach(({ settle }, i) => settle(failures[i]));
    } catch (error) {
      if (others.length === 0 || isUnavailable(error)) for (const { settle } of batch) settle(error as Error);
      else for (const request of batch) await this.runAlone(request);
    } finally {
      abandoned.dispose();
    }
  }

  private async runAlone(request: Waiting): Promise<void> {
    if (request.signal.aborted) request.settle(request.signal.reason as Error);
    else await this.runBatch([request]);
  }
}

function sizeOf({ sent }: CreationRequest): number {
  return sent.reduce((sum, { values }) => sum + HEAD_VALUES + (values?.characteristics.count ?? 0), 0);
}

/** Whether every request would fail again in the same way. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 503;
}

/** A signal that aborts when all of the given ones have: a shared transaction continues while at least one request waits for it. */
class AbortOfAll {
  private readonly controller = new AbortController();
  private readonly signals: readonly AbortSignal[];
  private readonly onAbort = (): void => {
    if (this.signals.every(({ aborted }) => aborted)) this.controller.abort(this.signals[0]?.reason);
  };

  constructor(signals: readonly AbortSignal[]) {
    this.signals = signals;
    for (const signal of signals) signal.addEventListener('abort', this.onAbort);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  dispose(): void {
    for (const signal of this.signals) signal.removeEventListener('abort', this.onAbort);
  }
}
