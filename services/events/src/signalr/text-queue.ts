import type { EventPosition } from '@sinebar/contracts';
import { SendQueue } from '../connections/send-queue.ts';

/** Passes a text to the network and calls back when the network has accepted it. */
export type Writer = (text: string, done: () => void) => void;

/** Maximum characters per write: a client considers the server dead when one piece takes longer than its time-out. */
const MAX_PIECE_LENGTH = 64 * 1024;

/** Send queue of a SignalR connection. Only one piece is passed to the network at a time. */
export class TextQueue extends SendQueue<string> {
  private writer: Writer | undefined;
  private isWriting = false;
  private readonly onWrite: () => void;

  /** @param onWrite called for each write to the network */
  constructor(onWrite: () => void) {
    super();
    this.onWrite = onWrite;
  }

  /** True if nothing waits and the network has accepted everything. */
  override get isEmpty(): boolean {
    return super.isEmpty && !this.isWriting;
  }

  send(text: string, firstEvent?: EventPosition): void {
    this.push(text, text.length, firstEvent);
  }

  /** Sends waiting and later texts through this writer; `undefined` when there is none at the moment. */
  writeTo(writer: Writer | undefined): void {
    this.writer = writer;
    this.flush();
  }

  override clear(): void {
    this.isWriting = false;
    this.writer = undefined;
    super.clear();
  }

  override flush(): void {
    const { writer } = this;
    if (!writer || this.isWriting || super.isEmpty) return;
    this.isWriting = true;
    this.onWrite();
    writer(this.take(MAX_PIECE_LENGTH).join(''), () => {
      this.isWriting = false;
      this.progress.notify();
      this.flush();
    });
  }
}
