import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../requests/rest-client.ts';

export interface Strain {
  /** Growth of the memory at its peak in megabytes; `undefined` where the system does not report it. */
  grownMb: number | undefined;
  slowestMs: number;
  /** Statuses other than 200 of small requests. */
  refused: number[];
}

const LOOK_EVERY_MS = 10;
const ASK_EVERY_MS = 50;
const SMALL_REQUEST = '/dataServiceRest/measurements?limitResult=1';

/** Runs the work while it observes the memory of the process and sends small requests. */
export async function underWatch<T>(url: string, pid: number, work: () => Promise<T>): Promise<{ result: T; strain: Strain }> {
  const before = residentMb(pid);
  let peak = before;
  let isOver = false;
  const strain: Strain = { grownMb: undefined, slowestMs: 0, refused: [] };
  const looking = setInterval(() => (peak = Math.max(peak ?? 0, residentMb(pid) ?? 0)), LOOK_EVERY_MS);
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      const { status } = await send(url, { path: SMALL_REQUEST, timeoutMs: 120_000 });
      strain.slowestMs = Math.max(strain.slowestMs, performance.now() - begun);
      if (status !== 200) strain.refused.push(status);
      await pause(ASK_EVERY_MS);
    }
  })();
  try {
    const result = await work();
    isOver = true;
    await asking;
    if (before !== undefined && peak !== undefined) strain.grownMb = peak - before;
    return { result, strain };
  } finally {
    isOver = true;
    clearInterval(looking);
  }
}

/** Resident memory of a process in megabytes; `undefined` where the system does not report it. */
export function residentMb(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? NaN) / 1024;
}
