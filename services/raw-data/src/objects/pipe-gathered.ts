import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StreamBatches } from '@sinebar/runtime';

/** Bytes to collect in one turn of the event loop: a system call for each 64 KiB costs more than the copy. */
const GATHERED_BYTES = 128 * 1024;

/**
 * Copies a source to a sink with back-pressure and leaves the sink open.
 * `stream.pipeline` creates an abort controller and an exception for each answer and writes each chunk on its own.
 * @throws the error of the source or the sink; the signal's reason. The source is destroyed then.
 */
export async function pipeGathered(source: Readable, sink: Writable, signal: AbortSignal): Promise<void> {
  const broken = (cause: Error | undefined) => cause ?? new Error('the source ended early');
  try {
    for await (const pieces of new StreamBatches(source, { fullBytes: GATHERED_BYTES, eachTurn: true, broken, signal })) {
      if (!writeTogether(sink, pieces)) await drained(sink, signal);
    }
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/** @returns whether the sink takes more */
function writeTogether(sink: Writable, pieces: readonly Buffer[]): boolean {
  let takesMore = true;
  sink.cork();
  for (const piece of pieces) takesMore = sink.write(piece);
  sink.uncork();
  return takesMore;
}

async function drained(sink: Writable, signal: AbortSignal): Promise<void> {
  try {
    await once(sink, 'drain', { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
