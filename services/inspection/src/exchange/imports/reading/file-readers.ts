import { totalmem } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { abortable, errorCode, Semaphore, withTimeout } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type { FileCatalogEntry, FileContent } from '@sinebar/exchange';
import { programFile, type Logger } from '@sinebar/runtime';
import { Piscina } from 'piscina';
import { MeasurementUnpacker } from './packed-measurements.ts';
import { PlanUnpacker } from './packed-plan.ts';
import type { PlanNode, ReadingMessage, ReadingTask, ReadMeasurement } from './reading-messages.ts';

/** Memory of one thread, MiB: enough for the plan of a large file. */
const THREAD_MEMORY_MIB = 384;
const YOUNG_MEMORY_MIB = 32;
/** Share of the memory of the machine or container for threads. */
const MEMORY_SHARE = 0.6;
/** Fewest and most threads: one user must not have all of them. */
const [MIN_THREADS, MAX_THREADS] = [3, 8];
const UNREADABLE = 'The server could not read the file back from its disk. Send it again.';
const RETRY_S = 10;
/** Idle threads end after this time: a watched folder sends its files one after the other. */
const IDLE_MS = 60_000;

const WORKER = fileURLToPath(programFile(import.meta.url, './reading-worker.ts'));

/** Time in which a thread must send something, milliseconds. */
const SILENCE_MS = 300_000;

/** What is read of a file. */
export type Reading = Omit<ReadingTask, 'port'> & {
  /** Called with bytes that were read. */
  onRead?: ((length: number) => void) | undefined;
};

/** Yields the measurements of a file, some at a time, and returns the rest of its content. */
export type ThreadReader = AsyncGenerator<readonly ReadMeasurement[], FileContent>;

/** Reads a file in the thread of an import. The thread ends with the signal, or when the reader is given up. */
export type ReadFunction = (reading: Reading) => ThreadReader;

/**
 * Reads files in worker threads with limited memory.
 * A file can exhaust its thread, by time or by memory, but neither the event loop nor the process.
 */
export class FileReaders {
  private readonly log: Pick<Logger, 'warn'>;
  private readonly memoryMiB: number;
  private readonly maxThreads: number;
  private readonly threads: Semaphore;
  private pool: Piscina<ReadingTask, void> | undefined;

  constructor(log: Pick<Logger, 'warn'>, { threads = threadsOf(memoryBytes()), memoryMiB = THREAD_MEMORY_MIB } = {}) {
    this.log = log;
    this.memoryMiB = memoryMiB;
    this.maxThreads = threads;
    this.threads = new Semaphore(threads);
  }

  /**
   * Keeps a thread for one import, so that an import in a transaction never waits for the thread of another.
   * @throws the signal's reason; what `work` throws
   */
  use<T>(signal: AbortSignal, work: (read: ReadFunction) => Promise<T>): Promise<T> {
    return this.threads.run(signal, () => work((reading) => this.read(reading, signal)));
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }

  private async *read({ onRead, ...task }: Reading, signal: AbortSignal): ThreadReader {
    const { port1, port2 } = new MessageChannel();
    const givenUp = new AbortController();
    const messages = new MessageQueue(port1);
    const ended = this.run({ ...task, port: port2 }, givenUp.signal);
    ended.catch((error: unknown) => messages.fail(error));
    const measurements = new MeasurementUnpacker();
    const plan = new PlanUnpacker();
    const catalogEntries: FileCatalogEntry[] = [];
    let readBytes = 0;
    const noteRead = (bytes: number) => {
      onRead?.(bytes - readBytes);
      readBytes = bytes;
    };
    let isComplete = false;
    try {
      for (;;) {
        const message = await abortable(withTimeout(messages.next(), SILENCE_MS, tooSlow), signal);
        if (message.kind === 'plan') plan.add(JSON.parse(message.nodes) as PlanNode[]);
        else if (message.kind === 'catalogs') catalogEntries.push(...(JSON.parse(message.entries) as FileCatalogEntry[]));
        else if (message.kind === 'unreadable') throw new ServiceError('Unavailable', UNREADABLE, { retryAfterSeconds: RETRY_S });
        else {
          noteRead(message.readBytes);
          if (message.kind === 'end') {
            await ended;
            isComplete = true;
            return { ...message.content, parts: plan.parts, catalogEntries };
          }
          yield measurements.unpack(message);
        }
        port1.postMessage(undefined);
        await nextTurn();
      }
    } catch (error) {
      throw this.failureOf(error, signal);
    } finally {
      port1.close();
      if (!isComplete) givenUp.abort();
    }
  }

  private run(task: ReadingTask, signal: AbortSignal): Promise<void> {
    if (!this.pool) {
      this.pool = new Piscina({
        filename: WORKER,
        minThreads: 0,
        maxThreads: this.maxThreads,
        idleTimeout: IDLE_MS,
        resourceLimits: { maxOldGenerationSizeMb: this.memoryMiB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MIB },
      });
      this.pool.on('error', (error: Error) => this.log.warn({ err: error }, 'an idle thread that reads files has failed'));
    }
    return this.pool.run(task, { signal, transferList: [task.port] });
  }

  /** The file decides what its reader does, so a failure of the reader is one of the file. */
  private failureOf(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof ServiceError) return error;
    if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
      const message = `The file needs more than the ${this.memoryMiB} MiB of memory that the server has to read one. Split it into several files.`;
      return new ServiceError('BodyTooLarge', message);
    }
    this.log.warn({ err: error }, 'a file could not be read');
    return new ServiceError(
      'InvalidRequest',
      'The file cannot be read: its reader has failed. Check that the format is right and that the file is not damaged.',
      { cause: error },
    );
  }
}

/** Memory of the machine, or of its container. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Number of files that are read at the same time; further ones wait. */
function threadsOf(memory: number): number {
  return Math.min(MAX_THREADS, Math.max(MIN_THREADS, Math.floor((MEMORY_SHARE * memory) / (THREAD_MEMORY_MIB * 2 ** 20))));
}

function tooSlow(): ServiceError {
  const message = `The reader of the file found nothing within ${SILENCE_MS / 60_000} minutes. Split the file into several ones.`;
  return new ServiceError('InvalidRequest', message);
}

/** Messages of a port, to be taken one by one. */
class MessageQueue {
  private readonly waiting: ReadingMessage[] = [];
  private failure: { error: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(port: MessagePort) {
    port.on('message', (message: ReadingMessage) => {
      this.waiting.push(message);
      this.wake?.();
    });
  }

  /** Messages that arrived before are still taken. */
  fail(error: unknown): void {
    this.failure = { error };
    this.wake?.();
  }

  /** @throws the failure of the worker */
  async next(): Promise<ReadingMessage> {
    for (;;) {
      const message = this.waiting.shift();
      if (message) return message;
      if (this.failure) throw this.failure.error;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
