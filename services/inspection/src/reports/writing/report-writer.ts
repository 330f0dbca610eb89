import { fork, type ChildProcess } from 'node:child_process';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { ServiceError, type ReportFormat } from '@sinebar/contracts';
import type { ReportRequest } from '@sinebar/report';
import { programFile } from '@sinebar/runtime';
import type { FromProcess, ReportHead, ReportRows, RowsName, ToProcess } from './report-messages.ts';

const SCRIPT = programFile(import.meta.url, './report-process.ts');
const HEAP_MIB = 96;
const YOUNG_MIB = 4;
/** Memory that the C library keeps for itself grows with its arenas. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

/** The lists of a report, in batches. */
export type RowSources = { readonly [Name in RowsName]: () => AsyncIterator<readonly ReportRows[Name][]> };

/** Settings of a report that is made. */
export interface ReportInput {
  readonly request: ReportRequest;
  readonly head: ReportHead;
  readonly format: ReportFormat;
  readonly sources: RowSources;
  /** Zone of the times in it. */
  readonly zone: string;
}

/** Writes a report in a process of its own. */
export class ReportWriter {
  private readonly script: URL;

  constructor(script = SCRIPT) {
    this.script = script;
  }

  /**
   * Streams the PDF of a report.
   * @returns its pages
   * @throws ServiceError 503 when the process cannot be started or ends early; the signal's reason; errors of the sources
   */
  async write({ request, head, format, sources, zone }: ReportInput, output: Writable, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const child = fork(this.script, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${HEAP_MIB}`, `--max-semi-space-size=${YOUNG_MIB}`],
      env: { ...ENVIRONMENT, TZ: zone, ...compileCache() },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    const ended = new AbortController();
    const abort = () => ended.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const [pages] = await Promise.all([
        answerRequests(child, sources, { request, head, format }, ended).catch((error: unknown) => {
          ended.abort(error);
          throw error;
        }),
        copy(child.stdout!, output, ended.signal),
      ]);
      return pages;
    } catch (error) {
      // The first reason counts, not what follows from it.
      throw ended.signal.aborted ? ended.signal.reason : error;
    } finally {
      signal.removeEventListener('abort', abort);
      child.kill('SIGKILL');
    }
  }
}

/** The process loads the modules that this one has compiled. */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** Copies what the process writes. The output stays open: an error before its first byte still becomes an answer. */
async function copy(from: Readable, output: Writable, signal: AbortSignal): Promise<void> {
  for await (const chunk of addAbortSignal(signal, from) as AsyncIterable<Buffer>) {
    if (!output.write(chunk)) await once(output, 'drain', { signal });
  }
}

/** Gives the process what it asks for, until it says how many pages it has written. */
function answerRequests(child: ChildProcess, sources: RowSources, job: ToProcess, { signal }: AbortController): Promise<number> {
  const iterators = new Map<RowsName, AsyncIterator<readonly unknown[]>>();
  return new Promise<number>((resolve, reject) => {
    const answer = async (name: RowsName): Promise<void> => {
      const iterator = iterators.get(name) ?? sources[name]();
      iterators.set(name, iterator);
      const { value, done } = (await iterator.next()) as IteratorResult<readonly unknown[], undefined>;
      // A further section begins the list anew.
      if (done === true) iterators.delete(name);
      child.send({ rows: value ?? [], isLast: done === true } satisfies ToProcess);
    };
    const end = (settle: () => void) => {
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
      for (const iterator of iterators.values()) void iterator.return?.(undefined)?.catch(() => undefined);
      settle();
    };
    const onMessage = (message: FromProcess) => {
      if ('next' in message) answer(message.next).catch((error: Error) => end(() => reject(error)));
      else if ('pages' in message) end(() => resolve(message.pages));
      else end(() => reject(new Error(message.failed)));
    };
    const onError = (cause: Error) =>
      end(() =>
        reject(
          new ServiceError('Unavailable', 'No process for reports can be started. Try again in a few seconds.', {
            retryAfterSeconds: 10,
            cause,
          }),
        ),
      );
    const onExit = () =>
      end(() =>
        reject(new ServiceError('Unavailable', 'The process that wrote the report has ended. Try again.', { retryAfterSeconds: 10 })),
      );
    child.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)), { once: true });
    child.send(job, (error) => error && onExit());
  });
}
