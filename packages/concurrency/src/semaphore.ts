/** Lets a limited number of tasks run at the same time; the others wait in the order of their arrival. */
export class Semaphore {
  private free: number;
  private readonly queue: (() => void)[] = [];

  /** @param limit most tasks at the same time */
  constructor(limit: number) {
    this.free = limit;
  }

  /** @throws the signal's reason when it is aborted before the work begins */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** @returns a function that ends the task; call it once. @throws the signal's reason when it is aborted before the task may begin */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.wait(signal);
    return () => this.release();
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.queue.splice(this.queue.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.queue.push(enter);
    });
  }

  private release(): void {
    // The permit of an ended task goes to the next one in the queue.
    const next = this.queue.shift();
    if (next) next();
    else this.free += 1;
  }
}
