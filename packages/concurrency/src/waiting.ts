import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms`, or at once when the signal is aborted; never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** Returns the wait before the next attempt: `firstMs`, doubled with every failure up to `longestMs`. @param failures counts from 1 */
export function backoffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

/**
 * Waits for `work` until the signal is aborted. The work itself continues; its late result or failure is ignored.
 * @throws the error of `work`; the signal's reason
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Waits for `work` at most `timeoutMs`. The work itself continues; its late result or failure is ignored.
 * @param timedOut makes the error that ends the wait
 */
export function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  timedOut: () => Error = () => new Error(`no result within ${timeoutMs} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), timeoutMs);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** @returns whether `work` settles within `ms` */
export function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settled = () => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(settled, settled);
  });
}
