import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { PacedWriter } from '../json/json-stream.js';
import { ListDeflate } from './list-deflate.js';
import { MOST_PIECE_BYTES } from './match-finder.js';

/** RFC 1952: deflate, no name, no time, fastest, made on no system in particular. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** Up to so many bytes zlib is as fast: codes that fit need not be made for so few. */
const MOST_OF_SHORT = 32 * 1024;
const SHORT = { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH };
/** RFC 1951: a last block with nothing in it. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** Kept for the next answers: memory that is large and used for a short time makes the collector go through everything. */
const MOST_SPARE = 4;
const spare: ListDeflate[] = [];

/**
 * Writes an answer with gzip; what is written can be unpacked as soon as it arrives. Its beginning, which often is all, is packed by zlib, the rest by
 * {@link ListDeflate}.
 * @param write as in `Reply`: writes to the sink that it is given, and awaits `drain`
 * @throws the signal's reason, and what `write` throws; the answer is not ended then, and nothing more is written to it
 */
export async function writeGzipped(
  answer: Writable,
  signal: AbortSignal,
  write: (sink: Writable, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const gzip = new GzipSink(new PacedWriter(answer, either));
  try {
    await Promise.all([finished(gzip), write(gzip, either).then(() => void gzip.end())]);
  } catch (error) {
    failed.abort(error);
    gzip.destroy();
    throw error;
  }
}

class GzipSink extends Writable {
  readonly #answer: PacedWriter<Buffer>;
  #rest: ListDeflate | undefined;
  #crc = 0;
  #length = 0;
  #isBegun = false;

  constructor(answer: PacedWriter<Buffer>) {
    super();
    this.#answer = answer;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: (error?: Error | null) => void): void {
    this.#take(chunk).then(() => taken(), taken);
  }

  override _final(ended: (error?: Error | null) => void): void {
    this.#finish().then(() => ended(), ended);
  }

  async #take(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += MOST_PIECE_BYTES) {
      const piece = chunk.subarray(at, at + MOST_PIECE_BYTES);
      const compressed = this.#pack(piece);
      this.#crc = crc32(piece, this.#crc);
      this.#length += piece.length;
      await this.#write(compressed);
    }
  }

  #pack(piece: Buffer): Buffer {
    if (this.#length === 0 && piece.length <= MOST_OF_SHORT) return deflateRawSync(piece, SHORT);
    this.#rest ??= spare.pop() ?? new ListDeflate();
    return this.#rest.pack(piece);
  }

  async #finish(): Promise<void> {
    const checks = Buffer.alloc(8);
    checks.writeUInt32LE(this.#crc, 0);
    checks.writeUInt32LE(this.#length >>> 0, 4);
    await this.#write(Buffer.concat([LAST_BLOCK, checks]));
    if (this.#rest && spare.length < MOST_SPARE) spare.push(this.#rest.again());
    this.#rest = undefined;
  }

  async #write(compressed: Buffer): Promise<void> {
    const bytes = this.#isBegun ? compressed : Buffer.concat([HEADER, compressed]);
    this.#isBegun = true;
    await this.#answer.write(bytes);
  }
}
