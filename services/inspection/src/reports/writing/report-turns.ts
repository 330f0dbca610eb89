import { availableParallelism } from 'node:os';
import { Semaphore } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';

/** Fewest and most reports at the same time: a report has a process, which needs a processor and up to 150 MiB. */
const LIMITS = { min: 2, max: 8 };
/** Longest wait of a request, ms: with that for the turn of its user it is shorter than the deadline of a request. */
const WAIT_MS = 50_000;
const RETRY_AFTER_SECONDS = 10;

export interface ReportTurnsOptions {
  limit?: number;
  waitMs?: number;
}

/** Lets this server write a limited number of reports at the same time, whoever wants them; the others wait. */
export class ReportTurns {
  readonly limit: number;
  private readonly waitMs: number;
  private readonly semaphore: Semaphore;

  constructor({ limit = Math.min(Math.max(availableParallelism(), LIMITS.min), LIMITS.max), waitMs = WAIT_MS }: ReportTurnsOptions = {}) {
    this.limit = limit;
    this.waitMs = waitMs;
    this.semaphore = new Semaphore(limit);
  }

  /** Waits for a turn, however long. @returns a function that ends it; call it once. @throws the signal's reason */
  enter(signal: AbortSignal): Promise<() => void> {
    return this.semaphore.acquire(signal);
  }

  /** Waits for the turn of a request. @returns as {@link enter}. @throws ServiceError 503 after a while; the signal's reason */
  async enterSoon(signal: AbortSignal): Promise<() => void> {
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(), this.waitMs);
    try {
      return await this.enter(AbortSignal.any([signal, wait.signal]));
    } catch (error) {
      signal.throwIfAborted();
      throw new ServiceError(
        'Unavailable',
        `The server is making ${this.limit} reports, which is its limit, and none of them ended in time. Try again in a few seconds.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
  }
}
