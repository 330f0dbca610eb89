import type { IncomingMessage } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import { Semaphore } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { ClientDisconnected } from '../client-disconnected.ts';
import { sharerOf } from './per-user-limit.ts';

export interface PerUserQueueOptions {
  /** Maximum concurrent tasks of one user, or of one address without sign-in; 0: no limit. */
  limit: number;
  /** Plural noun of the limited tasks, and what to do about the limit; both stand in the refusal. */
  what: string;
  advice: string;
  /** Address of the client that sent a request. */
  addressOf: (request: IncomingMessage) => string;
  /** Longest wait, milliseconds: shorter than the deadline of a request. */
  waitMs?: number;
}

const WAIT_MS = 50_000;
const RETRY_AFTER_SECONDS = 5;

/** Lets each user run a limited number of tasks of one kind at the same time in this process; the others wait. */
export class PerUserQueue {
  private readonly options: PerUserQueueOptions;
  private readonly sharers = new Map<string, { semaphore: Semaphore; tasks: number }>();

  constructor(options: PerUserQueueOptions) {
    this.options = options;
  }

  /**
   * Waits for the turn of a task.
   * @returns a function that ends the task; call it once
   * @throws ServiceError 429 when the turn does not come in time; the signal's reason when the client is gone
   */
  async enter(principal: Principal, request: IncomingMessage, signal: AbortSignal): Promise<() => void> {
    const { limit, what, advice, addressOf, waitMs = WAIT_MS } = this.options;
    if (limit === 0) return () => undefined;
    const { key, whose } = sharerOf(principal, addressOf(request));
    const sharer = this.sharers.get(key) ?? { semaphore: new Semaphore(limit), tasks: 0 };
    this.sharers.set(key, sharer);
    sharer.tasks += 1;
    const leave = () => {
      sharer.tasks -= 1;
      if (sharer.tasks === 0) this.sharers.delete(key);
    };
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(), waitMs);
    try {
      const release = await sharer.semaphore.acquire(AbortSignal.any([signal, wait.signal]));
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      if (signal.reason instanceof ClientDisconnected) throw signal.reason;
      const message = `${whose} has ${limit} ${what} at the same time, which is the limit, and none of them ended in time. ${advice}`;
      throw new ServiceError('TooManyRequests', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a task when its turn comes. @throws as {@link enter} does; what the task throws */
  async run<T>(principal: Principal, request: IncomingMessage, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const leave = await this.enter(principal, request, signal);
    try {
      return await task();
    } finally {
      leave();
    }
  }
}
