interface Waiting {
  enter: () => void;
}

/**
 * Lets a limited number of pieces of work in at a time, in the order of their arrival. Work that would wait for one lock anyway waits here instead,
 * where it holds no database connection that others could use.
 */
export class Turnstile {
  private readonly limit: number;
  private inside = 0;
  private readonly queue: Waiting[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** @throws the signal's reason when it is aborted before the work begins */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.inside >= this.limit) await this.wait(signal);
    else this.inside += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next in the queue; `inside` counts it on.
      const next = this.queue.shift();
      if (next) next.enter();
      else this.inside -= 1;
    }
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        this.queue.splice(this.queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.queue.push(waiting);
    });
  }
}
