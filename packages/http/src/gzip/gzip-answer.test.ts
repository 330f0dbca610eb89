import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { PacedWriter } from '../json/json-stream.ts';
import { writeGzipped } from './gzip-answer.ts';

const RUNS = size({ short: 20, long: 1000 });
const KIB = 1024;
const never = new AbortController().signal;

/** Result of zlib with the option `info`, which its types leave out. */
interface GunzipWithInfo {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/** Chunks of bytes that repeat near, far or hardly. */
const chunks = fc.array(
  fc.record({
    bytes: fc.integer({ min: 0, max: 300 * KIB }),
    period: fc.constantFrom(1, 7, 1000, 20_000, 40_000, 400 * KIB),
    first: fc.nat(255),
  }),
  { maxLength: 12 },
);

function filled({ bytes, period, first }: { bytes: number; period: number; first: number }): Buffer {
  return Buffer.alloc(
    bytes,
    Uint8Array.from({ length: Math.min(period, bytes) }, (_, i) => (first + i * i + (i >> 8)) % 251),
  );
}

/** Writes copies of chunks, and overwrites each copy after it was accepted. */
async function writeCopies(sink: Writable, signal: AbortSignal, all: readonly Buffer[]): Promise<void> {
  const writer = new PacedWriter<Buffer>(sink, signal, (taken) => taken.fill(255));
  for (const chunk of all) await writer.write(Buffer.from(chunk));
}

/** Compresses another answer, which is read, in the same threads: an answer whose writer can continue has continued when it ends. */
async function compressedElsewhere(bytes: number): Promise<void> {
  const answer = new PassThrough();
  answer.resume();
  await writeGzipped(answer, never, (sink, signal) => writeCopies(sink, signal, [randomBytes(bytes)]));
}

describe('gzip answer', () => {
  it('decompresses to what was written, in any pieces and with concurrent answers [D10.5]', () =>
    fc.assert(
      fc.asyncProperty(fc.array(chunks, { minLength: 1, maxLength: 3 }), async (answers) => {
        await Promise.all(
          answers.map(async (descriptions) => {
            const all = descriptions.map(filled);
            const answer = new PassThrough();
            const received = buffer(answer);
            await writeGzipped(answer, never, (sink, signal) => writeCopies(sink, signal, all));
            answer.end();
            expect(Buffer.compare(gunzipSync(await received), Buffer.concat(all))).toBe(0);
          }),
        );
      }),
      { numRuns: RUNS },
    ));

  it('decompresses to what was written before each flush [D10.5]', async () => {
    const answer = new PassThrough();
    const decompressed = answer.pipe(createGunzip());
    let length = 0;
    decompressed.on('data', (piece: Buffer) => (length += piece.length));
    let written = 0;
    await writeGzipped(answer, never, async (sink) => {
      for (const size of [1, 5, 200 * KIB, 3]) {
        sink.write(Buffer.alloc(size, 'x'));
        written += size;
        while (length < written) await once(decompressed, 'data');
      }
    });
    answer.end();
    await once(decompressed, 'end');
    expect(length).toBe(written);
  });

  it.each([0, 1, 2, 32 * KIB, 32 * KIB + 1, 128 * KIB, 8 * 1024 * KIB])('is one gzip member when %s bytes are written', async (bytes) => {
    const written = randomBytes(bytes);
    const answer = new PassThrough();
    const received = buffer(answer);
    await writeGzipped(answer, never, (sink, signal) => writeCopies(sink, signal, bytes === 0 ? [] : [written]));
    answer.end();
    const { buffer: decompressed, engine } = gunzipSync(await received, { info: true }) as unknown as GunzipWithInfo;
    expect(Buffer.compare(decompressed, written)).toBe(0);
    expect(engine.bytesWritten).toBe((await received).length);
  });

  it('is not larger than with zlib', async () => {
    const uuids = Array.from({ length: 200 }, () => randomUUID());
    const item = () => JSON.stringify(Object.fromEntries(uuids.map((uuid) => [uuid, { 1: (10 + Math.random()).toFixed(6) }])));
    const list = Buffer.from(Array.from({ length: 100 }, item).join(','));
    const answer = new PassThrough();
    const received = buffer(answer);
    await writeGzipped(answer, never, (sink, signal) => writeCopies(sink, signal, [list]));
    answer.end();
    expect((await received).length).toBeLessThan(1.05 * gzipSync(list, { level: 1 }).length);
  });

  it('buffers only a few pieces for a reader that reads nothing, and ends with its signal', async () => {
    const abort = new AbortController();
    const answer = new Writable({ highWaterMark: 1, write: () => undefined });
    const chunk = randomBytes(128 * KIB);
    let taken = 0;
    const writing = writeGzipped(answer, abort.signal, async (sink, signal) => {
      const writer = new PacedWriter(sink, signal);
      for (;;) {
        await writer.write(chunk);
        await writer.taken();
        taken += 1;
      }
    });
    await compressedElsewhere(64 * 128 * KIB);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(12);
    abort.abort(new Error('the reader is gone'));
    await expect(writing).rejects.toThrow('the reader is gone');
  });

  it('ends with its signal while pieces are compressed', async () => {
    const abort = new AbortController();
    const answer = new PassThrough();
    answer.resume();
    const writing = writeGzipped(answer, abort.signal, async (sink, signal) => {
      sink.write(randomBytes(1024 * KIB));
      setImmediate(() => abort.abort(new Error('the client is gone')));
      await once(signal, 'abort');
      throw signal.reason as Error;
    });
    await expect(writing).rejects.toThrow('the client is gone');
  });

  it('does not block the event loop while several answers are compressed', async () => {
    const chunk = randomBytes(96 * KIB);
    const compressOne = () => {
      const answer = new PassThrough();
      answer.resume();
      return writeGzipped(answer, never, async (sink, signal) => {
        const writer = new PacedWriter(sink, signal);
        for (let i = 0; i < 10; i += 1) await writer.write(chunk);
      });
    };
    let longestMs = Infinity;
    // Other load delays any process, so the best of several rounds counts.
    for (let round = 0; round < 10 && longestMs >= 100; round += 1) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      await Promise.all(Array.from({ length: 4 }, compressOne));
      delay.disable();
      longestMs = Math.min(longestMs, delay.max / 1e6);
    }
    expect(longestMs).toBeLessThan(100);
  });

  it.each([0, 1, 500 * KIB])('writes nothing after its source fails at %s bytes', async (bytes) => {
    const answer = new PassThrough();
    answer.resume();
    let signalOfWriter: AbortSignal | undefined;
    const writing = writeGzipped(answer, never, async (sink, signal) => {
      signalOfWriter = signal;
      if (bytes > 0) sink.write(Buffer.alloc(bytes));
      await Promise.resolve();
      throw new Error('the database is gone');
    });
    await expect(writing).rejects.toThrow('the database is gone');
    expect(signalOfWriter?.aborted).toBe(true);
    let later = 0;
    answer.write = () => (later += 1) > 0;
    await compressedElsewhere(8 * 128 * KIB);
    expect(later).toBe(0);
    expect(answer.writableEnded).toBe(false);
  });
});
