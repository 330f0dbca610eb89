import { LRUCache } from 'lru-cache';

export interface AttemptLimitOptions {
  /** Consecutive failures before a wait. */
  burst: number;
  /** Time in milliseconds after which one failure is forgotten. */
  forgetMs: number;
  /** Monotonic clock in milliseconds. */
  nowMs: () => number;
}

interface Failures {
  count: number;
  atMs: number;
}

/** Most remembered addresses and users; each takes about 200 bytes. */
const MAX_KEYS = 20_000;

/**
 * Counts failures by a key and returns the wait before the next attempt.
 * Concurrent attempts all count when they fail, so in the long run there is one failure per `forgetMs`.
 */
export class AttemptLimit {
  private readonly options: AttemptLimitOptions;
  private readonly failures = new LRUCache<string, Failures>({ max: MAX_KEYS });

  constructor(options: AttemptLimitOptions) {
    this.options = options;
  }

  /** Time in milliseconds until the next attempt is allowed. */
  waitMs(key: string): number {
    const { burst, forgetMs } = this.options;
    return Math.max(0, (this.countOf(key) - burst + 1) * forgetMs);
  }

  failed(key: string): void {
    this.failures.set(key, { count: this.countOf(key) + 1, atMs: this.options.nowMs() });
  }

  private countOf(key: string): number {
    const known = this.failures.get(key);
    if (!known) return 0;
    const count = known.count - (this.options.nowMs() - known.atMs) / this.options.forgetMs;
    if (count <= 0) this.failures.delete(key);
    return Math.max(0, count);
  }
}
