import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Transform, type TransformCallback, type Writable } from 'node:stream';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { PacedWriter } from '../json/json-stream.ts';

const PIECE_BYTES = 128 * 1024;
/** Bytes before a piece in which zlib looks for matches; a larger dictionary does not compress lists better. */
const DICTIONARY_BYTES = 16 * 1024;
/** Maximum pieces of one answer that are compressed or wait for earlier ones; at most the default number of zlib's threads. */
const MAX_PIECES = Math.min(availableParallelism() + 1, 4);
/** A first piece of at most this size is compressed on the main thread: it takes less than waking another one. */
const MAX_SYNC_BYTES = 32 * 1024;
/** The flush ends a piece at a whole byte without a last block, so that pieces can be joined. The output of a piece fits in one chunk. */
const PIECE_OPTIONS = { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 32 * 1024 };

/** RFC 1952: method deflate, no flags, no time, fastest algorithm, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** RFC 1951: an empty last block. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);
const PIECES_PUSHED = Symbol('pieces pushed');

/**
 * Compresses an answer with gzip on several threads at once and writes it.
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
  const gzip = new PiecewiseGzip();
  const fill = async () => {
    await write(gzip, either);
    gzip.end();
  };
  try {
    await Promise.all([fill(), send(gzip, new PacedWriter(answer, either))]);
  } catch (error) {
    failed.abort(error);
    gzip.destroy();
    throw error;
  }
}

async function send(compressed: AsyncIterable<Buffer>, answer: PacedWriter<Buffer>): Promise<void> {
  for await (const bytes of compressed) await answer.write(bytes);
}

/** The output of a piece that has been started; it is pushed after those of the pieces before it. */
interface Piece {
  output?: Buffer;
}

/**
 * Compresses several pieces at once, the way of pigz, and joins them to one member of gzip.
 * (`zlib.createGzip` compresses one chunk at a time, and starts the next only when the main thread has taken the output of the last.)
 * A piece that is not full is compressed when nothing else is: a slow writer's bytes do not wait for more.
 */
class PiecewiseGzip extends Transform {
  /** A copy, because the writer may use a chunk again once it is taken. */
  private input = newInput();
  /** The piece that is filled now; the bytes before it are its dictionary. */
  private startOffset = 0;
  private endOffset = 0;
  private readonly spareInputs: Buffer[] = [];
  /** Pieces that have not been pushed yet, in the order of the answer. */
  private readonly pieces: Piece[] = [];
  private isBegun = false;
  private crc = 0;
  private totalLength = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.add(chunk).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.finish().then(() => done(), done);
  }

  private async add(chunk: Buffer): Promise<void> {
    this.crc = crc32(chunk, this.crc);
    this.totalLength += chunk.length;
    for (let offset = 0; offset < chunk.length;) {
      const copied = chunk.copy(this.input, this.endOffset, offset, offset + this.startOffset + PIECE_BYTES - this.endOffset);
      offset += copied;
      this.endOffset += copied;
      if (this.endOffset === this.startOffset + PIECE_BYTES || this.pieces.length === 0) this.startPiece();
      // The first piece leaves before the writer makes more.
      while (this.pieces.length >= (this.isBegun ? MAX_PIECES : 1)) await once(this, PIECES_PUSHED);
    }
  }

  private async finish(): Promise<void> {
    this.startPiece();
    while (this.pieces.length > 0) await once(this, PIECES_PUSHED);
    const checks = Buffer.alloc(8);
    checks.writeUInt32LE(this.crc, 0);
    checks.writeUInt32LE(this.totalLength >>> 0, 4);
    this.pushOutput(LAST_BLOCK);
    this.pushOutput(checks);
  }

  private startPiece(): void {
    if (this.startOffset === this.endOffset) return;
    const input = this.input;
    const bytes = input.subarray(this.startOffset, this.endOffset);
    const options = this.startOffset === 0 ? PIECE_OPTIONS : { ...PIECE_OPTIONS, dictionary: input.subarray(0, this.startOffset) };
    if (this.totalLength <= MAX_SYNC_BYTES) {
      this.pushOutput(deflateRawSync(bytes, options));
      this.continueIn(input);
      return;
    }
    const piece: Piece = {};
    this.pieces.push(piece);
    this.continueIn(this.spareInputs.pop() ?? newInput());
    deflateRaw(bytes, options, (error, output) => {
      if (this.destroyed) return;
      if (error) {
        this.destroy(error);
        return;
      }
      this.spareInputs.push(input);
      piece.output = output;
      this.pushPieces();
    });
  }

  /** The next piece begins behind its dictionary. */
  private continueIn(next: Buffer): void {
    this.startOffset = this.input.copy(next, 0, Math.max(0, this.endOffset - DICTIONARY_BYTES), this.endOffset);
    this.endOffset = this.startOffset;
    this.input = next;
  }

  private pushPieces(): void {
    for (let output = this.pieces[0]?.output; output; output = this.pieces[0]?.output) {
      this.pieces.shift();
      this.pushOutput(output);
    }
    if (this.pieces.length === 0) this.startPiece();
    this.emit(PIECES_PUSHED);
  }

  private pushOutput(output: Buffer): void {
    if (!this.isBegun) this.push(HEADER);
    this.isBegun = true;
    this.push(output);
  }
}

function newInput(): Buffer {
  return Buffer.allocUnsafeSlow(DICTIONARY_BYTES + PIECE_BYTES);
}
