import { abortable } from '@sinebar/concurrency';
import { LRUCache } from 'lru-cache';
import type { ArchiveDirectory } from './archive-directory.ts';

interface Loading {
  directory: Promise<ArchiveDirectory>;
  waiting: number;
  stop: AbortController;
}

/**
 * Caches the directories that were used last. Callers that ask for a directory while it is read share that read; `fetch` of the library
 * does not serve for it, since it aborts a read when the cache is full or when the first caller leaves.
 */
export class DirectoryCache {
  private readonly kept: LRUCache<string, ArchiveDirectory>;
  private readonly loading = new Map<string, Loading>();

  /** @param maxBytes approximate memory limit; a larger directory is not cached */
  constructor(maxBytes: number) {
    this.kept = new LRUCache({ maxSize: Math.max(maxBytes, 1), sizeCalculation: ({ weight }) => weight });
  }

  /**
   * @param key equal for equal bytes
   * @param load its signal is aborted when no caller waits any more
   * @throws the error of `load`; the signal's reason
   */
  async get(key: string, signal: AbortSignal, load: (signal: AbortSignal) => Promise<ArchiveDirectory>): Promise<ArchiveDirectory> {
    signal.throwIfAborted();
    const known = this.kept.get(key);
    if (known) return known;
    const loading = this.loading.get(key) ?? this.start(key, load);
    loading.waiting += 1;
    try {
      return await abortable(loading.directory, signal);
    } finally {
      loading.waiting -= 1;
      if (loading.waiting === 0) {
        loading.stop.abort();
        if (this.loading.get(key) === loading) this.loading.delete(key);
      }
    }
  }

  private start(key: string, load: (signal: AbortSignal) => Promise<ArchiveDirectory>): Loading {
    const stop = new AbortController();
    const directory = load(stop.signal).then((loaded) => {
      this.kept.set(key, loaded);
      return loaded;
    });
    const loading = { directory, waiting: 0, stop };
    this.loading.set(key, loading);
    return loading;
  }
}
