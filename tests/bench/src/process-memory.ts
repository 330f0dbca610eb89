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
