import type { Logger } from '@sinebar/runtime';

/** Closes opened resources in reverse order; one that fails or hangs does not block the rest. */
export class Closing {
  private readonly parts: { name: string; close: () => Promise<void>; limitMs: number }[] = [];
  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log;
  }

  add(name: string, close: () => Promise<void>, limitMs = 8_000): void {
    this.parts.push({ name, close, limitMs });
  }

  /** Closes everything. @throws afterwards when something failed to close */
  async run(): Promise<void> {
    const failed: string[] = [];
    for (let part = this.parts.pop(); part; part = this.parts.pop()) {
      let timer: NodeJS.Timeout | undefined;
      const { name, close, limitMs } = part;
      try {
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error(`not closed after ${limitMs} ms`)), limitMs);
        });
        await Promise.race([close(), late]);
      } catch (error) {
        failed.push(name);
        this.log.error({ err: error, name }, 'could not be closed in order');
      } finally {
        clearTimeout(timer);
      }
    }
    if (failed.length > 0) throw new Error(`not closed in order: ${failed.join(', ')}`);
  }
}
