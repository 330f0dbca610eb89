import type { ArchiveDirectory } from './archive-directory.js';

interface Loading {
  directory: Promise<ArchiveDirectory>;
  waiting: number;
  stop: AbortController;
}

/** Caches the directories used last. Concurrent requests for a directory share one read. */
export class DirectoryCache {
  private readonly maxBytes: number;
  private readonly kept = new Map<string, { directory: ArchiveDirectory; weight: number }>();
  private readonly loading = new Map<string, Loading>();
  private usedBytes = 0;

  /** @param maxBytes approximate memory limit; a larger directory is not cached */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * @param key equal for equal bytes
   * @param load its signal is aborted when no caller waits any more
   * @throws the error of `load`; the signal's reason
   */
  async get(key: string, signal: AbortSignal, load: (signal: AbortSignal) => Promise<ArchiveDirectory>): Promise<ArchiveDirectory> {
    signal.throwIfAborted();
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.directory;
    }
    return this.wait(this.loading.get(key) ?? this.start(key, load), signal);
  }

  private start(key: string, load: (signal: AbortSignal) => Promise<ArchiveDirectory>): Loading {
    const stop = new AbortController();
    const directory = load(stop.signal).then((loaded) => {
      this.keep(key, loaded);
      return loaded;
    });
    const started = { directory, waiting: 0, stop };
    this.loading.set(key, started);
    const forget = () => {
      if (this.loading.get(key) === started) this.loading.delete(key);
    };
    stop.signal.addEventListener('abort', forget, { once: true });
    directory.then(forget, forget);
    return started;
  }

  private async wait(loading: Loading, signal: AbortSignal): Promise<ArchiveDirectory> {
    loading.waiting += 1;
    let onAbort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([loading.directory, aborted]);
    } finally {
      if (onAbort) signal.removeEventListener('abort', onAbort);
      loading.waiting -= 1;
      if (loading.waiting === 0) loading.stop.abort();
    }
  }

  private keep(key: string, directory: ArchiveDirectory): void {
    const { weight } = directory;
    if (weight > this.maxBytes) return;
    this.kept.set(key, { directory, weight });
    this.usedBytes += weight;
    for (const [oldest, { weight: freed }] of this.kept) {
      if (this.usedBytes <= this.maxBytes) return;
      this.kept.delete(oldest);
      this.usedBytes -= freed;
    }
  }
}
