import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { PacedWriter } from './json-stream.js';

const PIECE_BYTES = 128 * 1024;
/** How far back deflate looks for what is the same; twice as far takes longer and gains nothing with lists. */
const WINDOW_BITS = 14;
const WINDOW_BYTES = 2 ** WINDOW_BITS;
/** Pieces of one answer that are packed, or are packed and wait for those before them. */
const MOST_UNDER_WAY = 3;
/** The first bytes of an answer, up to so many, are packed before another thread would be awake. */
const MOST_AT_ONCE = 32 * 1024;
/** Bytes are kept for the next answers: many large ones that die young make the collector go through everything. */
const MOST_SPARE = 8;
const PACKING = {
  level: constants.Z_BEST_SPEED,
  windowBits: WINDOW_BITS,
  memLevel: constants.Z_MAX_MEMLEVEL,
  flush: constants.Z_SYNC_FLUSH,
  finishFlush: constants.Z_SYNC_FLUSH,
  // What a piece of a list packs to, most times.
  chunkSize: 24 * 1024,
};

/** RFC 1952: deflate, no name, no time, fastest, made on no system in particular. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** RFC 1951: a last block with nothing in it. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * Writes an answer with gzip. Its pieces are packed beside each other and beside the making of the next, and each can be unpacked as soon as it arrives.
 * (A gzip stream packs one chunk at a time, and begins the next only when the main thread has taken what came out.)
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

/** Keeps copies of the bytes that it takes: who wrote them may use theirs again. */
class GzipSink extends Writable {
  readonly #answer: PacedWriter<Buffer>;
  #bytes = newBytes();
  /** Where the piece begins that is filled now; before it lies what deflate may point to. */
  #begin = 0;
  #end = 0;
  /** Pieces that are not sent yet, oldest first. */
  readonly #underWay: Promise<void>[] = [];
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
    const isFirst = this.#length === 0;
    this.#crc = crc32(chunk, this.#crc);
    this.#length += chunk.length;
    for (let at = 0; at < chunk.length;) {
      const pieceEnd = this.#begin + PIECE_BYTES;
      const copied = chunk.copy(this.#bytes, this.#end, at, at + pieceEnd - this.#end);
      at += copied;
      this.#end += copied;
      if (this.#end < pieceEnd) continue;
      while (this.#underWay.length >= MOST_UNDER_WAY) await this.#underWay[0];
      this.#pack();
    }
    // The rest waits for more only while there is something to do meanwhile.
    if (this.#underWay.length === 0) this.#pack();
    // The first bytes are to leave before others are made, which could hold them up.
    if (isFirst) await this.#underWay.at(-1);
  }

  #pack(): void {
    const [bytes, begin, end] = [this.#bytes, this.#begin, this.#end];
    if (begin === end) return;
    const packing = packed(bytes.subarray(begin, end), bytes.subarray(0, begin));
    this.#bytes = newBytes();
    this.#begin = bytes.copy(this.#bytes, 0, Math.max(0, end - WINDOW_BYTES), end);
    this.#end = this.#begin;
    const sending = this.#send(packing, bytes, this.#underWay.at(-1));
    // Who waits for it is told; nobody may.
    sending.catch(() => undefined);
    this.#underWay.push(sending);
  }

  async #send(packing: Promise<Buffer>, bytes: Buffer, before: Promise<void> | undefined): Promise<void> {
    const piece = await packing;
    giveBack(bytes);
    await before;
    await this.#write(piece);
    void this.#underWay.shift();
    if (this.#underWay.length === 0) this.#pack();
  }

  async #write(piece: Buffer): Promise<void> {
    const bytes = this.#isBegun ? piece : Buffer.concat([HEADER, piece]);
    this.#isBegun = true;
    await this.#answer.write(bytes);
  }

  async #finish(): Promise<void> {
    this.#pack();
    while (this.#underWay.length > 0) await this.#underWay[0];
    const checks = Buffer.alloc(8);
    checks.writeUInt32LE(this.#crc, 0);
    checks.writeUInt32LE(this.#length >>> 0, 4);
    await this.#write(Buffer.concat([LAST_BLOCK, checks]));
    giveBack(this.#bytes);
  }
}

/** The piece as blocks of deflate that end with a byte. In one turn of a thread; with an end it would take two. */
function packed(piece: Buffer, dictionary: Buffer): Promise<Buffer> {
  if (dictionary.length === 0 && piece.length <= MOST_AT_ONCE) return Promise.resolve(deflateRawSync(piece, PACKING));
  return new Promise((resolve, reject) => {
    const deflate = createDeflateRaw(dictionary.length === 0 ? PACKING : { ...PACKING, dictionary });
    const parts: Buffer[] = [];
    deflate.on('data', (part: Buffer) => parts.push(part));
    deflate.once('error', reject);
    deflate.write(piece, () => {
      deflate.close();
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
    });
  });
}

const spare: Buffer[] = [];

function newBytes(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(WINDOW_BYTES + PIECE_BYTES);
}

function giveBack(bytes: Buffer): void {
  if (spare.length < MOST_SPARE) spare.push(bytes);
}
