import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { table } from '../figures.ts';
import { processorSeconds, residentMiB } from '../process-memory.ts';
import type { ReportOrder, ReportTime } from './report-work.ts';

const WORK = fileURLToPath(new URL('report-work.ts', import.meta.url));
const ORDERS: readonly (ReportOrder & { goal: string })[] = [
  { rows: 1000, format: 'pdf', goal: '3 s, 150 MiB' },
  { rows: 40_000, format: 'pdf', goal: '30 s, 150 MiB' },
  { rows: 40_000, format: 'xlsx', goal: '30 s, 150 MiB' },
];
/** Memory as the service gives it to the process of a report. */
const MEMORY = ['--max-old-space-size=96', '--max-semi-space-size=4'];
const SAMPLE_MS = 20;

/** Measures how long reports take to write and how much memory that adds, each in a process of its own. */
export async function measureReports(): Promise<string> {
  const rows: string[][] = [];
  for (const order of ORDERS) {
    const { seconds, processor, memoryMiB, megabytes } = await measure(order);
    const name = `${order.rows.toLocaleString('en')} characteristics, ${order.format}`;
    rows.push([name, seconds.toFixed(1), processor.toFixed(1), memoryMiB.toFixed(0), megabytes.toFixed(1), order.goal]);
  }
  return table(['report: capability list', 'seconds', 'processor, s', 'memory added, MiB', 'size, MB', 'goal'], rows);
}

async function measure(order: ReportOrder): Promise<ReportTime & { processor: number; memoryMiB: number }> {
  const child = fork(WORK, { execArgv: MEMORY, env: { ...process.env, MALLOC_ARENA_MAX: '1' } });
  await once(child, 'message');
  const pid = child.pid ?? 0;
  const before = residentMiB(pid);
  const processorBefore = processorSeconds(pid);
  let highest = before;
  const timer = setInterval(() => (highest = Math.max(highest, residentMiB(pid))), SAMPLE_MS);
  try {
    const done = once(child, 'message') as Promise<[ReportTime]>;
    child.send(order);
    const [time] = await done;
    return { ...time, processor: processorSeconds(pid) - processorBefore, memoryMiB: highest - before };
  } finally {
    clearInterval(timer);
    child.disconnect();
  }
}
