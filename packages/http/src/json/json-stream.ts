import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { JsonBuffer } from './json-buffer.ts';
import { TurnLimit } from '@sinebar/concurrency';

/** Bytes that are collected before a write: few writes and TCP segments, little memory. The first items are written at once. */
const CHUNK_BYTES = 96 * 1024;
/** Length up to which short texts are joined before encoding: a thousand small copies take longer than a large one. */
const PIECE_LENGTH = 16 * 1024;
/** Time that all answers together may take from one turn of the event loop, but for one chunk more. */
const turn = new TurnLimit(5);

/**
 * Writes a JSON array as fast as the reader takes it.
 * @param fill adds items, each after `separate()`, and yields at points where a write is allowed
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
    // Compressing and sending need turns of the event loop, which making the next items would delay.
    if (chunkBytes === 1) {
      await writer.taken();
      await setImmediate();
    }
    chunkBytes = CHUNK_BYTES;
    await turn.wait();
  }
  out.text(']');
  await writer.write(out.take());
}

/** Writes a JSON array of items that are JSON texts already. */
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
 * Writes at the rate of the sink: the caller makes the next chunk while the sink takes one.
 * One listener serves the whole answer: the compression middleware moves listeners to its own stream and never removes them.
 */
export class PacedWriter<C extends string | Uint8Array = string | Uint8Array> {
  private readonly sink: Writable;
  private readonly signal: AbortSignal;
  /** Chunk that fills the sink. */
  private underWay: C | undefined;
  private resume: (() => void) | undefined;

  /** @param onTaken called with chunks that the sink has released; not with each one, since the sink does not report small ones */
  constructor(sink: Writable, signal: AbortSignal, onTaken?: (chunk: C) => void) {
    this.sink = sink;
    this.signal = signal;
    sink.on('drain', () => {
      const taken = this.underWay;
      this.underWay = undefined;
      // Node also emits `drain` when another answer on the connection was requested while this one is being sent.
      if (taken !== undefined && sink.writableLength === 0) onTaken?.(taken);
      this.resume?.();
    });
  }

  /** Resolves when the previous chunk is taken and this one is being sent. @throws the signal's reason */
  async write(chunk: C): Promise<void> {
    await this.taken();
    this.signal.throwIfAborted();
    if (!this.sink.write(chunk)) this.underWay = chunk;
  }

  /** Resolves when the sink has taken everything. @throws the signal's reason */
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
