import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB; Linux only. */
export function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;
}

/** Highest resident memory that a process reaches while `work` runs, above what it had before, MiB. */
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
