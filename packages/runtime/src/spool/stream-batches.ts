import type { Readable } from 'node:stream';
import { Notifier } from '@sinebar/concurrency';

export interface StreamBatchOptions {
  /** Size in bytes from which a batch is full. */
  fullBytes: number;
  /** Yields what has arrived in a turn of the event loop, even if the batch is not full. */
  eachTurn?: boolean;
  /** Receives each chunk as it arrives; what it throws ends the iteration. */
  accept?: (chunk: Buffer) => void;
  /** Makes the error for a source that fails, or that closes before its end. */
  broken: (cause: Error | undefined) => Error;
  signal: AbortSignal;
}

/**
 * Iterates over a stream of bytes in batches; while one batch is processed the next one fills.
 * The source waits while a full batch is not taken. It is not destroyed.
 * It listens for `data`: the iterator of a stream would copy the chunks that wait, and a Transform in between halves the throughput.
 */
export class StreamBatches implements AsyncIterable<Buffer[]> {
  private readonly source: Readable;
  private readonly options: StreamBatchOptions;
  private readonly changed = new Notifier();
  private batch: Buffer[] = [];
  private bytes = 0;
  /** The batch is full, or its turn of the event loop is over. */
  private isDue = false;
  private isComplete = false;
  private failure: Error | undefined;
  private endOfTurn: NodeJS.Immediate | undefined;

  constructor(source: Readable, options: StreamBatchOptions) {
    this.source = source;
    this.options = options;
    // The error listener stays: a broken connection emits two errors, and an unhandled one would end the process.
    source.on('error', (error) => this.fail(options.broken(error)));
    source.on('data', this.onData).on('end', this.onEnd).on('close', this.onClose);
    if (source.destroyed) this.onClose();
  }

  /** @throws the error of `broken` or `accept`; the signal's reason */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer[], void, undefined> {
    try {
      while (await this.hasNext()) yield this.take();
    } finally {
      this.detach();
    }
  }

  private async hasNext(): Promise<boolean> {
    for (;;) {
      this.options.signal.throwIfAborted();
      if (this.failure) throw this.failure;
      if (this.isDue) return true;
      if (this.isComplete) return this.batch.length > 0;
      await this.changed.waitFor(this.changed.version, this.options.signal);
    }
  }

  private take(): Buffer[] {
    const { batch } = this;
    this.batch = [];
    this.bytes = 0;
    this.isDue = false;
    clearImmediate(this.endOfTurn);
    this.endOfTurn = undefined;
    if (this.source.isPaused()) this.source.resume();
    return batch;
  }

  private readonly onData = (chunk: Buffer): void => {
    try {
      this.options.accept?.(chunk);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    this.batch.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes >= this.options.fullBytes) {
      this.source.pause();
      this.yieldBatch();
    } else if (this.options.eachTurn) this.endOfTurn ??= setImmediate(() => this.yieldBatch());
  };

  private yieldBatch(): void {
    this.isDue = true;
    this.changed.notify();
  }

  private readonly onEnd = (): void => {
    this.isComplete = true;
    this.changed.notify();
  };

  private readonly onClose = (): void => {
    if (!this.isComplete) this.fail(this.options.broken(undefined));
  };

  private fail(failure: Error): void {
    this.failure ??= failure;
    this.detach();
    this.changed.notify();
  }

  private detach(): void {
    clearImmediate(this.endOfTurn);
    this.source.off('data', this.onData).off('end', this.onEnd).off('close', this.onClose);
  }
}
