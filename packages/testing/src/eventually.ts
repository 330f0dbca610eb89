import { setTimeout as pause } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Default 60,000: a step that takes a second on an idle machine may take many when builds run beside it. */
  timeoutMs?: number;
  /** Pause between two checks; default 10. */
  intervalMs?: number;
  describe?: string;
}

/**
 * Repeats `check` until it neither throws nor returns `false`, and returns its result. A check that hangs counts as failed when the time is
 * over.
 * @param options a text is their `describe`
 * @throws an error with the message of the last failure, which is its `cause`.
 */
export async function eventually<T>(check: () => T | Promise<T>, options: EventuallyOptions | string = {}): Promise<Exclude<T, false>> {
  const { timeoutMs = 60_000, intervalMs = 10, describe } = typeof options === 'string' ? { describe: options } : options;
  const deadline = Date.now() + timeoutMs;
  let last: unknown = new Error('the check did not end');
  for (;;) {
    try {
      const result = await before(deadline, check);
      if (result !== false) return result as Exclude<T, false>;
      last = new Error('the check returned false');
    } catch (error) {
      // A check that the deadline interrupts has a less useful error than the failure before it.
      if (!(error instanceof CheckHangs)) last = error;
    }
    if (Date.now() + intervalMs >= deadline) break;
    await pause(intervalMs);
  }
  const reason = last instanceof Error ? last.message : String(last);
  throw new Error(`${describe === undefined ? '' : `${describe}: `}still failing after ${timeoutMs} ms: ${reason}`, { cause: last });
}

class CheckHangs extends Error {}

async function before<T>(deadline: number, check: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CheckHangs()), Math.max(1, deadline - Date.now()));
  });
  try {
    return await Promise.race([Promise.resolve(check()), overdue]);
  } finally {
    clearTimeout(timer);
  }
}
