/** Resolves after `delayMs`, or at once when `signal` aborts: callers look at the signal themselves. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** Doubles from `firstMs` with every failure up to `longestMs`; `failures` counts from 1. */
export function growingDelayMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

export interface Limits {
  /** The first that aborts rejects with its reason. */
  signals: readonly AbortSignal[];
  timeoutMs?: number;
  /** Makes the error for the end of `timeoutMs`. */
  timedOut?: () => Error;
}

/** Waits for `work` no longer than the limits allow. The work itself goes on; its late result or failure is dropped. */
export async function within<T>(work: Promise<T>, { signals, timeoutMs, timedOut }: Limits): Promise<T> {
  work.catch(() => undefined);
  for (const signal of signals) signal.throwIfAborted();
  let giveUp: (() => void)[] = [];
  const limit = new Promise<never>((_resolve, reject) => {
    giveUp = signals.map((signal) => {
      const onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      return () => signal.removeEventListener('abort', onAbort);
    });
    if (timeoutMs === undefined) return;
    const timer = setTimeout(() => reject(timedOut?.() ?? new Error(`no result within ${timeoutMs} ms`)), timeoutMs);
    giveUp.push(() => clearTimeout(timer));
  });
  limit.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    for (const release of giveUp) release();
  }
}

/** Wakes everybody who waits. Reading `rings` before looking at the state and passing it to `waitFor` misses no ring in between. */
export class Notifier {
  #version = 0;
  #waiting: (() => void)[] = [];

  get version(): number {
    return this.#version;
  }

  notify(): void {
    this.#version += 1;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when the bell has rung since `rings` was read, or when `signal` aborts. */
  async waitFor(version: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== version || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        signal.removeEventListener('abort', finish);
        this.#waiting = this.#waiting.filter((wake) => wake !== finish);
        resolve();
      };
      this.#waiting.push(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}
