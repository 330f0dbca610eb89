import type { Writable } from 'node:stream';

/** Texts are gathered up to about this many characters before they are written: few writes, few TCP segments, little memory. */
const CHUNK_LENGTH = 128 * 1024;

/** Writes a JSON array of items that are JSON texts already, as fast as the reader takes them. @throws the signal's reason */
export async function jsonArray(sink: Writable, signal: AbortSignal, batches: AsyncIterable<readonly string[]>): Promise<void> {
  const writer = new PacedWriter(sink, signal);
  let chunk = '[';
  let separator = '';
  for await (const items of batches) {
    for (const item of items) {
      chunk += separator + item;
      separator = ',';
      if (chunk.length < CHUNK_LENGTH) continue;
      await writer.write(chunk);
      chunk = '';
    }
  }
  await writer.write(`${chunk}]`);
}

/**
 * Writes no faster than the sink takes it: while it takes one chunk, the caller makes the next. One listener for the whole answer: those added one by
 * one would stay on the compressing stream, since the middleware that puts it in front of an answer takes listeners over but does not give them back.
 */
export class PacedWriter {
  private readonly sink: Writable;
  private readonly signal: AbortSignal;
  private isFull = false;
  private resume: (() => void) | undefined;

  constructor(sink: Writable, signal: AbortSignal) {
    this.sink = sink;
    this.signal = signal;
    sink.on('drain', () => {
      this.isFull = false;
      this.resume?.();
    });
  }

  /** Returns when the chunk before has been taken and this one is on its way. @throws the signal's reason */
  async write(chunk: string | Uint8Array): Promise<void> {
    this.signal.throwIfAborted();
    if (this.isFull) await this.drained();
    this.isFull = !this.sink.write(chunk);
  }

  private async drained(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => reject(this.signal.reason as Error);
      this.signal.addEventListener('abort', onAbort, { once: true });
      this.resume = () => {
        this.signal.removeEventListener('abort', onAbort);
        resolve();
      };
    });
  }
}
