import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { programFile } from '@sinebar/runtime';
import { Piscina } from 'piscina';
import { calculate, type Results } from './calculate.ts';
import type { Task } from './tasks.ts';

/** Up to this many values are computed at once, in a few milliseconds; more would hold up other requests. */
const VALUES_ON_EVENT_LOOP: Readonly<Record<Task['kind'], number>> = {
  // Summaries, charts and figures of groups fit models.
  summary: 400,
  chart: 400,
  probability: 5000,
  correlation: 5000,
  // Tails of counts take a few microseconds each.
  countSummary: 1000,
  countChart: 1000,
  assignment: 5000,
  groups: 400,
  // Nobody waits for most of these.
  assessments: 100,
  judgements: 400,
};
/** The same where no limits are computed from the values. */
const JUDGED_BY_KNOWN_LIMITS = 10_000;

/** Idle threads end after this time. */
const IDLE_MS = 10_000;

const WORKER = fileURLToPath(programFile(import.meta.url, './calculation-worker.ts'));

/** Runs tasks, those on many values in threads of their own. */
export class Calculator {
  private readonly maxThreads: number;
  private threads: Piscina<Task, Results[Task['kind']]> | undefined;

  constructor(maxThreads = Math.max(1, availableParallelism() - 1)) {
    this.maxThreads = maxThreads;
  }

  /**
   * Takes over the values of the task.
   * @throws the reason of the signal once it is aborted
   */
  async run<K extends Task['kind']>(task: Extract<Task, { kind: K }>, signal: AbortSignal): Promise<Results[K]> {
    const arrays = arraysOf(task);
    if (countValues(task, arrays) <= valuesOnEventLoop(task)) return calculate<K>(task);
    this.threads ??= new Piscina({
      filename: WORKER,
      minThreads: 0,
      maxThreads: this.maxThreads,
      idleTimeout: IDLE_MS,
    });
    try {
      return (await this.threads.run(task, { signal, transferList: arrays.map(({ buffer }) => buffer as ArrayBuffer) })) as Results[K];
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.threads?.destroy();
  }
}

function valuesOnEventLoop(task: Task): number {
  const areLimitsKnown = task.kind === 'judgements' && task.items.every(({ chart, control }) => chart.given || control);
  return areLimitsKnown ? JUDGED_BY_KNOWN_LIMITS : VALUES_ON_EVENT_LOOP[task.kind];
}

/** The arrays that a task takes along instead of copies, that of the values first. */
function arraysOf(task: Task): Float64Array[] {
  if ('items' in task) return task.items.map(({ values }) => values);
  if (!('values' in task)) return [task.first, task.second];
  if ('sizes' in task) return [task.values, task.sizes];
  if (!('keys' in task)) return [task.values];
  return [task.values, 'times' in task.keys ? task.keys.times : task.keys.hashes];
}

/** Counts values, pairs once. */
function countValues(task: Task, arrays: readonly Float64Array[]): number {
  return 'items' in task ? arrays.reduce((sum, { length }) => sum + length, 0) : (arrays[0]?.length ?? 0);
}
