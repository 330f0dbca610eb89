import type { EventPosition } from '@sinebar/contracts';

/** Passes a text to the network and calls back when the network has accepted it. */
export type Writer = (text: string, done: () => void) => void;

interface QueuedText {
  text: string;
  /** Position of the first event in the text; `undefined` if it is not an event. */
  firstEvent: EventPosition | undefined;
}

/** Maximum characters per write: a client considers the server dead when one piece takes longer than its time-out. */
const MAX_PIECE_LENGTH = 64 * 1024;

/** Ordered send queue of one client. Only one piece is passed to the network at a time, so the rest can still be removed. */
export class SendQueue {
  private texts: QueuedText[] = [];
  private length = 0;
  private writer: Writer | undefined;
  private isWriting = false;
  private readonly waiting = new Set<() => void>();
  private readonly onWrite: () => void;

  /** @param onWrite called for each write to the network */
  constructor(onWrite: () => void) {
    this.onWrite = onWrite;
  }

  get waitingLength(): number {
    return this.length;
  }

  /** True if nothing waits and the network has accepted everything. */
  get isEmpty(): boolean {
    return this.texts.length === 0 && !this.isWriting;
  }

  push(text: string, firstEvent?: EventPosition): void {
    this.texts.push({ text, firstEvent });
    this.length += text.length;
    this.flush();
  }

  /** Sends waiting and later texts through this writer; `undefined` when there is none at the moment. */
  writeTo(writer: Writer | undefined): void {
    this.writer = writer;
    this.flush();
  }

  /** Removes the waiting events. @returns the position of the first of them */
  withdrawEvents(): EventPosition | undefined {
    const first = this.texts.find(({ firstEvent }) => firstEvent !== undefined)?.firstEvent;
    if (!first) return undefined;
    this.texts = this.texts.filter(({ firstEvent }) => firstEvent === undefined);
    this.length = this.texts.reduce((sum, { text }) => sum + text.length, 0);
    return first;
  }

  /** Discards all waiting texts. */
  clear(): void {
    this.texts = [];
    this.length = 0;
    this.isWriting = false;
    this.writer = undefined;
    this.wake();
  }

  /** Calls `wake` once, when the network accepts a text. @returns a function that cancels the wait */
  onceFlushed(wake: () => void): () => void {
    this.waiting.add(wake);
    return () => this.waiting.delete(wake);
  }

  private flush(): void {
    const { writer } = this;
    if (!writer || this.isWriting || this.texts.length === 0) return;
    this.isWriting = true;
    this.onWrite();
    writer(this.nextPiece(), () => {
      this.isWriting = false;
      this.wake();
      this.flush();
    });
  }

  private nextPiece(): string {
    let count = 1;
    let length = (this.texts[0] as QueuedText).text.length;
    while (count < this.texts.length && length + (this.texts[count] as QueuedText).text.length <= MAX_PIECE_LENGTH) {
      length += (this.texts[count] as QueuedText).text.length;
      count += 1;
    }
    this.length -= length;
    return this.texts
      .splice(0, count)
      .map(({ text }) => text)
      .join('');
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const wake of waiting) wake();
  }
}
