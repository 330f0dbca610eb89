import { Notifier } from '@sinebar/concurrency';
import type { EventPosition } from '@sinebar/contracts';

interface Queued<T> {
  content: T;
  length: number;
  /** Position of the first event in the content; `undefined` if it is not an event. */
  firstEvent: EventPosition | undefined;
}

/** Ordered send queue of one client. What is not handed to the network yet can still be removed. */
export abstract class SendQueue<T> {
  private items: Queued<T>[] = [];
  private length = 0;
  protected readonly progress = new Notifier();

  /** Characters that the network has not accepted. */
  get waitingLength(): number {
    return this.length;
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  push(content: T, length: number, firstEvent?: EventPosition): void {
    this.items.push({ content, length, firstEvent });
    this.length += length;
    this.flush();
  }

  /** Hands over as much as the network accepts now. */
  abstract flush(): void;

  /** Removes the waiting events. @returns the position of the first of them */
  withdrawEvents(): EventPosition | undefined {
    const first = this.items.find(({ firstEvent }) => firstEvent !== undefined)?.firstEvent;
    if (!first) return undefined;
    this.items = this.items.filter(({ firstEvent }) => firstEvent === undefined);
    this.length = this.items.reduce((sum, { length }) => sum + length, 0);
    this.progress.notify();
    return first;
  }

  /** Discards everything that waits. */
  clear(): void {
    this.items = [];
    this.length = 0;
    this.progress.notify();
  }

  /** Resolves when at most this many characters wait; rejects on abort. */
  async drainedTo(length: number, signal: AbortSignal): Promise<void> {
    while (this.waitingLength > length && !signal.aborted) await this.progress.waitFor(this.progress.version, signal);
    signal.throwIfAborted();
  }

  /** Removes the first item, and following ones up to this length together. */
  protected take(maxLength: number): T[] {
    let count = 0;
    let length = 0;
    while (count < this.items.length) {
      const next = (this.items[count] as Queued<T>).length;
      if (count > 0 && length + next > maxLength) break;
      length += next;
      count += 1;
    }
    this.length -= length;
    return this.items.splice(0, count).map(({ content }) => content);
  }
}
