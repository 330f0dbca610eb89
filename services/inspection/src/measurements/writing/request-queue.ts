import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import type { SentMeasurement } from '../codec/sent-measurement.ts';
import type { MeasurementCreator } from './measurement-creation.ts';

/** The measurements of a request that waits for its transaction. */
interface QueuedRequest extends WorkOptions {
  sent: readonly SentMeasurement[];
  principal: Principal;
}

interface Waiting extends QueuedRequest {
  settle: (failure?: Error) => void;
}

/** Values of one transaction, about 8 MiB of bodies; a larger request gets a transaction of its own. */
const MAX_GROUP_VALUES = 140_000;
/** Cost of a measurement without its values, counted in values. */
const HEAD_VALUES = 10;
/** Transactions at the same time: one is prepared while another waits for the disk. Requests that arrive meanwhile form the next one. */
const MAX_RUNNING = 2;

/**
 * Lets concurrent requests share transactions. A mistake fails only the request that made it: when a transaction fails, each of its
 * requests is written again in a transaction of its own.
 */
export class RequestQueue {
  private readonly creator: Pick<MeasurementCreator, 'create'>;
  private waiting: Waiting[] = [];
  private running = 0;

  constructor(creator: Pick<MeasurementCreator, 'create'>) {
    this.creator = creator;
  }

  /** @throws ServiceError the failure of this request; the reason of its signal when that is aborted before its transaction begins */
  add(request: QueuedRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...request, settle: (failure) => (failure === undefined ? resolve() : reject(failure)) });
      this.runNext();
    });
  }

  private runNext(): void {
    if (this.running === MAX_RUNNING || this.waiting.length === 0) return;
    this.running += 1;
    void this.runGroup(this.takeGroup()).finally(() => {
      this.running -= 1;
      this.runNext();
    });
  }

  /**
   * Takes the requests that have waited longest. A request with a uuid of an earlier one stays for a later transaction, so that the later
   * request gets the conflict.
   */
  private takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    const uuids = new Set<string>();
    let size = 0;
    for (const request of this.waiting) {
      if (request.signal.aborted) {
        request.settle(request.signal.reason as Error);
        continue;
      }
      const own = sizeOf(request);
      const fits = group.length === 0 || size + own <= MAX_GROUP_VALUES;
      const isTaken = fits && !request.sent.some(({ uuid }) => uuids.has(uuid));
      for (const { uuid } of request.sent) uuids.add(uuid);
      (isTaken ? group : left).push(request);
      if (isTaken) size += own;
    }
    this.waiting = left;
    return group;
  }

  private async runGroup(group: readonly Waiting[]): Promise<void> {
    const [first, ...others] = group;
    if (!first) return;
    const abandoned = new AbortOfAll(group.map(({ signal }) => signal));
    try {
      const requests = group.map(({ sent, principal }) => ({ batches: [sent], principal }));
      const failures = await this.creator.create(requests, {
        signal: abandoned.signal,
        statementTimeoutMs: first.statementTimeoutMs,
        // A transaction can belong to one trace only.
        traceparent: group.find((request) => request.traceparent !== undefined)?.traceparent,
      });
      group.forEach(({ settle }, i) => settle(failures[i]));
    } catch (error) {
      if (others.length === 0 || isUnavailable(error)) for (const { settle } of group) settle(error as Error);
      else for (const request of group) await this.runAlone(request);
    } finally {
      abandoned.dispose();
    }
  }

  private async runAlone(request: Waiting): Promise<void> {
    if (request.signal.aborted) request.settle(request.signal.reason as Error);
    else await this.runGroup([request]);
  }
}

function sizeOf({ sent }: QueuedRequest): number {
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
