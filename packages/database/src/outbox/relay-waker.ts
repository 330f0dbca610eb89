import type { OutboxRelay } from './outbox-relay.ts';

export interface RelayWakerOptions {
  relay: Pick<OutboxRelay, 'status' | 'wake'>;
  /** Wakes the replica with the active relay. */
  signal: () => void;
}

/** Least interval in milliseconds between signals to other replicas. */
const SIGNAL_INTERVAL_MS = 5;

/** Wakes the relay of this process, or that of another replica: the first time at once, then at most once in 5 ms. */
export class RelayWaker {
  private readonly options: RelayWakerOptions;
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  constructor(options: RelayWakerOptions) {
    this.options = options;
  }

  wake(): void {
    const { relay, signal } = this.options;
    if (relay.status().active) {
      relay.wake();
      return;
    }
    if (this.timer) {
      this.isDue = true;
      return;
    }
    signal();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.isDue) return;
      this.isDue = false;
      this.wake();
    }, SIGNAL_INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
