import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeGathered } from './pipe-gathered.ts';

const NEVER = new AbortController().signal;

/** A sink that takes one piece at a time, and its pieces. */
function slowSink(): { sink: Writable; taken: Buffer[] } {
  const taken: Buffer[] = [];
  const sink = new Writable({
    highWaterMark: 64 * 1024,
    write: (piece: Buffer, _encoding, done) => {
      taken.push(piece);
      setImmediate(done);
    },
  });
  return { sink, taken };
}

describe('pipeGathered', () => {
  it.each([0, 1, 64 * 1024, 5_000_000])('passes on %d bytes unchanged and leaves the sink open', async (size) => {
    const bytes = randomBytes(size);
    const { sink, taken } = slowSink();
    await pipeGathered(Readable.from(pieces(bytes)), sink, NEVER);
    expect(sink.writableEnded).toBe(false);
    await new Promise<void>((resolve) => sink.end(resolve));
    expect(Buffer.concat(taken).equals(bytes)).toBe(true);
  });

  it('reads no faster than the sink accepts', async () => {
    const source = new PassThrough({ highWaterMark: 64 * 1024 });
    const stuck = new Writable({ highWaterMark: 1, write: () => undefined });
    const controller = new AbortController();
    const piped = pipeGathered(source, stuck, controller.signal);
    let written = 0;
    while (source.write(Buffer.alloc(64 * 1024)) && written < 1000) written += 1;
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (source.write(Buffer.alloc(64 * 1024))) written += 1;
    }
    expect(stuck.writableLength).toBeLessThan(2 * 2 ** 20);
    controller.abort(new Error('gone'));
    await expect(piped).rejects.toThrow('gone');
    expect(source.destroyed).toBe(true);
  });

  it.each([
    ['fails', (source: PassThrough) => source.destroy(new Error('the store broke')), 'the store broke'],
    ['ends early', (source: PassThrough) => source.destroy(), 'the source ended early'],
  ])('fails when the source %s', async (_what, act, message) => {
    const source = new PassThrough();
    const { sink } = slowSink();
    const piped = pipeGathered(source, sink, NEVER);
    source.write('begun');
    act(source);
    await expect(piped).rejects.toThrow(message);
  });

  it('does not start when the signal is already aborted', async () => {
    const source = new PassThrough();
    await expect(pipeGathered(source, slowSink().sink, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(source.destroyed).toBe(true);
  });
});

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}
