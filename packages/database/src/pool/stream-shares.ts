import { ServiceError } from '@sinebar/contracts';
import type { TransactionOptions } from '../database.ts';

export interface StreamLimits {
  /** Most streaming connections of one client; 0, the default, means all but one. */
  perClient?: number;
  /** Time limit of one stream in milliseconds; 0, the default, means no limit. */
  totalMs?: number;
}

/** Limits the streaming connections of one client, and the time of each stream. */
export class StreamShares {
  private readonly held = new Map<string, number>();
  private readonly perClient: number;
  private readonly totalMs: number;

  constructor(poolSize: number, { perClient = 0, totalMs = 0 }: StreamLimits = {}) {
    this.perClient = perClient === 0 ? Math.max(poolSize - 1, 1) : perClient;
    this.totalMs = totalMs;
  }

  hasRoomFor(client: string | undefined): boolean {
    return client === undefined || (this.held.get(client) ?? 0) < this.perClient;
  }

  /** @throws ServiceError 503 when the client has its share; the signal of `work` ends with 503 after the total limit */
  async use<T>(options: TransactionOptions, work: (limited: TransactionOptions) => Promise<T>): Promise<T> {
    const { client } = options;
    if (!this.hasRoomFor(client)) {
      throw new ServiceError(
        'Overloaded',
        `You have ${this.perClient} large answers under way, which is as many as one client may have. ` +
          'Read one of them to its end, then try again.',
        { retryAfterSeconds: 5 },
      );
    }
    this.add(client, 1);
    try {
      return await this.limited(options, work);
    } finally {
      this.add(client, -1);
    }
  }

  private async limited<T>(options: TransactionOptions, work: (limited: TransactionOptions) => Promise<T>): Promise<T> {
    if (this.totalMs === 0) return await work(options);
    // One controller for both causes costs less than AbortSignal.any on every list.
    const limit = new AbortController();
    const { signal } = options;
    const abort = () => limit.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const seconds = this.totalMs / 1000;
    const timer = setTimeout(() => {
      limit.abort(new ServiceError('DeadlineExceeded', `The answer was not complete after ${seconds} s. Ask for it in smaller parts.`));
    }, this.totalMs);
    try {
      return await work({ ...options, signal: limit.signal });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  private add(client: string | undefined, count: 1 | -1): void {
    if (client === undefined) return;
    const held = (this.held.get(client) ?? 0) + count;
    if (held === 0) this.held.delete(client);
    else this.held.set(client, held);
  }
}
