/** Wakes all waiters. A caller that reads `version` before the state and passes it to `waitFor` misses no notification. */
export class Notifier {
  private notifications = 0;
  private waiting: (() => void)[] = [];

  get version(): number {
    return this.notifications;
  }

  notify(): void {
    this.notifications += 1;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when `notify` has been called since `version` was read, when the signal is aborted, or after `timeoutMs`. */
  async waitFor(version: number, signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (this.notifications !== version || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        this.waiting = this.waiting.filter((wake) => wake !== finish);
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(finish, timeoutMs);
      this.waiting.push(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}
