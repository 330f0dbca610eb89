import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PacedWriter } from '../json/json-stream.js';
import { writeGzipped } from './gzip-answer.js';

const KIB = 1024;
const never = new AbortController().signal;

/** Texts of which much comes again, near and far. */
const chunks = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 300 * KIB }), fc.constantFrom(1, 7, 1000, 20_000, 40_000), fc.nat(255))
    .map(([length, period, first]) =>
      Buffer.alloc(
        length,
        Uint8Array.from({ length: period }, (_, i) => (first + i * i) % 251),
      ),
    ),
  { maxLength: 12 },
);

/** Writes copies of chunks, and other bytes over each copy that is taken. */
async function writeCopies(sink: Writable, signal: AbortSignal, all: readonly Buffer[]): Promise<void> {
  const writer = new PacedWriter<Buffer>(sink, signal, (taken) => taken.fill(255));
  for (const chunk of all) await writer.write(Buffer.from(chunk));
}

describe('an answer with gzip', () => {
  it('unpacks to what was written, in whatever pieces, of several answers at once', () =>
    fc.assert(
      fc.asyncProperty(fc.array(chunks, { minLength: 1, maxLength: 3 }), async (answers) => {
        await Promise.all(
          answers.map(async (all) => {
            const answer = new PassThrough();
            const received = buffer(answer);
            await writeGzipped(answer, never, (sink, signal) => writeCopies(sink, signal, all));
            answer.end();
            expect(gunzipSync(await received).equals(Buffer.concat(all))).toBe(true);
          }),
        );
      }),
      { numRuns: 60 },
    ));

  it('unpacks as far as it was written, before it goes on', async () => {
    const answer = new PassThrough();
    const decompressed = answer.pipe(createGunzip());
    let length = 0;
    decompressed.on('data', (piece: Buffer) => (length += piece.length));
    let written = 0;
    await writeGzipped(answer, never, async (sink) => {
      for (const size of [1, 5, 200 * KIB, 3]) {
        sink.write(Buffer.alloc(size, 'x'));
        written += size;
        while (length < written) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    answer.end();
    await once(decompressed, 'end');
    expect(length).toBe(written);
  });

  it('makes no more than a few pieces for a reader that takes nothing', async () => {
    const abort = new AbortController();
    const answer = new Writable({ highWaterMark: 1, write: () => undefined });
    let taken = 0;
    const writing = writeGzipped(answer, abort.signal, async (sink, signal) => {
      const writer = new PacedWriter(sink, signal);
      for (;;) {
        await writer.write(Buffer.alloc(128 * KIB));
        await writer.taken();
        taken += 1;
      }
    });
    while (taken < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).toBeLessThan(4);
    abort.abort(new Error('the reader is gone'));
    await expect(writing).rejects.toThrow('the reader is gone');
  });

  it.each([0, 1, 500 * KIB])('writes nothing more when what writes it fails after %s bytes', async (bytes) => {
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
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(later).toBe(0);
    expect(answer.writableEnded).toBe(false);
  });
});
