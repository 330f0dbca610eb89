/** Lets a limited number of tasks run at the same time, the others wait in the order in which they came. */
export class Slots {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** @returns a function that gives the slot back; call it once. @throws the signal's reason on abort. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.turn(signal);
    return () => this.release();
  }

  private turn(signal: AbortSignal): Promise<void> {
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
    const next = this.queue.shift();
    if (next) next();
    else this.free += 1;
  }
}
