import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { JsonBuffer } from './json-buffer.js';

/** Items are gathered up to about this many bytes before they are written: few writes, few TCP segments, little memory. The first are written at once. */
const CHUNK_BYTES = 96 * 1024;
/** Short texts are made one before they become bytes: a thousand small copies take longer than a large one. */
const PIECE_LENGTH = 16 * 1024;

/**
 * Writes a JSON array as fast as the reader takes it.
 * @param fill adds items, each after `separate()`, and yields between them as often as they may be sent
 * @throws the signal's reason
 */
export async function jsonArray(sink: Writable, signal: AbortSignal, fill: (out: JsonBuffer) => AsyncIterable<void>): Promise<void> {
  const out = new JsonBuffer();
  const writer = new PacedWriter<Buffer>(sink, signal, (taken) => out.giveBack(taken));
  out.text('[');
  let chunkBytes = 1;
  for await (const _ of fill(out)) {
    if (out.length < chunkBytes) continue;
    await writer.write(out.take());
    // They are packed and sent in turns of the event loop, which making the next ones would hold up.
    if (chunkBytes === 1) {
      await writer.taken();
      await setImmediate();
    }
    chunkBytes = CHUNK_BYTES;
  }
  out.text(']');
  await writer.write(out.take());
}

/** As {@link jsonArray}, of items that are JSON texts already. */
export function jsonArrayOfTexts(sink: Writable, signal: AbortSignal, batches: AsyncIterable<readonly string[]>): Promise<void> {
  return jsonArray(sink, signal, async function* (out) {
    let piece = '';
    for await (const items of batches) {
      for (const item of items) {
        piece += piece === '' ? item : `,${item}`;
        if (piece.length < PIECE_LENGTH) continue;
        out.separate();
        out.text(piece);
        piece = '';
        yield;
      }
    }
    if (piece === '') return;
    out.separate();
    out.text(piece);
  });
}

/**
 * Writes no faster than the sink takes it: while it takes one chunk, the caller makes the next. One listener for the whole answer: those added one by
 * one would stay on the compressing stream, since the middleware that puts it in front of an answer takes listeners over but does not give them back.
 */
export class PacedWriter<C extends string | Uint8Array = string | Uint8Array> {
  private readonly sink: Writable;
  private readonly signal: AbortSignal;
  /** Fills the sink. */
  private underWay: C | undefined;
  private resume: (() => void) | undefined;

  /** @param onTaken told of chunks that the sink does not hold any more; not of each, since it does not say so of small ones */
  constructor(sink: Writable, signal: AbortSignal, onTaken?: (chunk: C) => void) {
    this.sink = sink;
    this.signal = signal;
    sink.on('drain', () => {
      const taken = this.underWay;
      this.underWay = undefined;
      // Node tells of a drain, too, when another answer on the connection was asked for while this one is under way.
      if (taken !== undefined && sink.writableLength === 0) onTaken?.(taken);
      this.resume?.();
    });
  }

  /** Returns when the chunk before has been taken and this one is on its way. @throws the signal's reason */
  async write(chunk: C): Promise<void> {
    await this.taken();
    this.signal.throwIfAborted();
    if (!this.sink.write(chunk)) this.underWay = chunk;
  }

  /** Returns when the sink has taken what was written. @throws the signal's reason */
  async taken(): Promise<void> {
    if (this.underWay !== undefined) await this.drained();
  }

  private async drained(): Promise<void> {
    this.signal.throwIfAborted();
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
