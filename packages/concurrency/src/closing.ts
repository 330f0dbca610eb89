import type { ShutdownLog } from './shutdown.ts';
import { withTimeout } from './waiting.ts';

/**
 * Closes opened resources in reverse order; one that fails or hangs does not block the rest.
 * `Shutdown` closes resources of a phase at the same time; here each resource needs those opened before it.
 */
export class Closing {
  private readonly opened: { name: string; close: () => Promise<void>; limitMs: number }[] = [];
  private readonly log: Pick<ShutdownLog, 'error'>;

  constructor(log: Pick<ShutdownLog, 'error'>) {
    this.log = log;
  }

  add(name: string, close: () => Promise<void>, limitMs = 8_000): void {
    this.opened.push({ name, close, limitMs });
  }

  /** Closes everything. @throws afterwards when a resource failed to close */
  async run(): Promise<void> {
    const failed: string[] = [];
    for (let last = this.opened.pop(); last; last = this.opened.pop()) {
      const { name, close, limitMs } = last;
      try {
        await withTimeout(close(), limitMs, () => new Error(`not closed after ${limitMs} ms`));
      } catch (error) {
        failed.push(name);
        this.log.error({ err: error, name }, 'a resource could not be closed in order');
      }
    }
    if (failed.length > 0) throw new Error(`not closed in order: ${failed.join(', ')}`);
  }
}
