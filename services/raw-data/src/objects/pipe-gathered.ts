import type { Readable, Writable } from 'node:stream';

/** Bytes to collect in one turn of the event loop: a system call for each 64 KiB costs more than the copy. */
const GATHERED_BYTES = 128 * 1024;

/**
 * Copies a source to a sink with back-pressure and leaves the sink open.
 * `stream.pipeline` creates an abort controller and an exception for each answer and writes each chunk on its own.
 * @throws the error of the source; the signal's reason. The source is destroyed then.
 */
export function pipeGathered(source: Readable, sink: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let gathered: Buffer[] = [];
    let bytes = 0;
    let scheduled: NodeJS.Immediate | undefined;
    const flush = () => {
      clearImmediate(scheduled);
      scheduled = undefined;
      let takesMore = true;
      sink.cork();
      for (const piece of gathered) takesMore = sink.write(piece);
      sink.uncork();
      gathered = [];
      bytes = 0;
      if (!takesMore) source.pause();
    };
    const resume = () => source.resume();
    const onData = (piece: Buffer) => {
      gathered.push(piece);
      bytes += piece.length;
      if (bytes >= GATHERED_BYTES) flush();
      else scheduled ??= setImmediate(flush);
    };
    const end = (settle: () => void) => {
      clearImmediate(scheduled);
      source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      sink.off('drain', resume);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const fail = (error: Error) =>
      end(() => {
        source.destroy();
        reject(error);
      });
    const onEnd = () => {
      flush();
      end(resolve);
    };
    const onClose = () => fail(new Error('the source ended early'));
    const onError = (error: Error) => fail(error);
    const onAbort = () => fail(signal.reason as Error);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    source.on('end', onEnd).on('close', onClose).on('error', onError).on('data', onData);
    sink.on('drain', resume);
  });
}
