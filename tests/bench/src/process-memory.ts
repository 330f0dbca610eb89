import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MiB; Linux only. */
export function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;
}

/** Returns the growth of resident memory at its peak while `work` runs, in MiB. */
export async function memoryGrowthMiB(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentMiB(pid);
  let highest = before;
  const timer = setInterval(() => (highest = Math.max(highest, residentMiB(pid))), 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(highest, residentMiB(pid)) - before;
}

/** Hertz of the times in `/proc`, fixed for programs. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used, in seconds; Linux only. */
export function processorSeconds(pid: number): number {
  // The name in parentheses may contain spaces; user and system time are the 14th and 15th field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
