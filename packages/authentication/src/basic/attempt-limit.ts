import { LRUCache } from 'lru-cache';

export interface AttemptLimitOptions {
  /** Failures in a row before there is a wait. */
  burst: number;
  /** Milliseconds after which one failure is forgotten. */
  forgetMs: number;
  /** Milliseconds of a clock that never goes back. */
  nowMs: () => number;
}

interface Failures {
  count: number;
  atMs: number;
}

/** Senders and users that are remembered; each takes about 200 bytes. */
const MAX_KEYS = 20_000;

/**
 * Counts failures by a key and says how long to wait before the next attempt. Attempts that run at the same time all count when they fail, so the wait grows
 * with them: in the long run there is one failure per `forgetMs`, however many are tried at once.
 */
export class AttemptLimit {
  private readonly options: AttemptLimitOptions;
  private readonly failures = new LRUCache<string, Failures>({ max: MAX_KEYS });

  constructor(options: AttemptLimitOptions) {
    this.options = options;
  }

  /** Milliseconds until the next attempt may be made; 0: now. */
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
