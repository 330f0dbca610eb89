import { withTimeout } from '@sinebar/concurrency';
import type { Logger } from '@sinebar/runtime';

/**
 * Closes opened resources in reverse order; one that fails or hangs does not block the rest.
 * `Shutdown` closes resources of a phase at the same time; here each resource needs those opened before it.
 */
export class Closing {
  private readonly parts: { name: string; close: () => Promise<void>; limitMs: number }[] = [];
  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log;
  }

  add(name: string, close: () => Promise<void>, limitMs = 8_000): void {
    this.parts.push({ name, close, limitMs });
  }

  /** Closes everything. @throws afterwards when a resource failed to close */
  async run(): Promise<void> {
    const failed: string[] = [];
    for (let part = this.parts.pop(); part; part = this.parts.pop()) {
      const { name, close, limitMs } = part;
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
