import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** State letter and start time (clock ticks since boot) from the text of `/proc/<pid>/stat`; the command in it may hold blanks and brackets. */
export function parseProcessStat(text: string): { state: string; startTicks: string } | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  return state && startTicks ? { state, startTicks } : undefined;
}

/** Whether a process has this id. One that may not be signalled (EPERM) is alive; one that only waits to be reaped (zombie) is not. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.state !== 'Z';
  } catch {
    return true;
  }
}

/** A text that tells this process from another one that had or will have the same id; `undefined` when the system does not say. */
export async function processStart(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return parseProcessStat(await readFile(`/proc/${pid}/stat`, 'utf8'))?.startTicks;
    if (process.platform === 'win32') return undefined;
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The command line of a process, shortened, or its id alone. */
export async function describeProcess(pid: number): Promise<string> {
  try {
    const text =
      process.platform === 'linux'
        ? (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
        : (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
    const command = text.trim();
    if (command) return `process ${pid} (${command.length > 120 ? `${command.slice(0, 117)}…` : command})`;
  } catch {
    // The process ended meanwhile, or belongs to someone else: its id has to do.
  }
  return `process ${pid}`;
}

/** The folder a process works in; `undefined` when it cannot be told (other systems than Linux, processes of other users). */
export async function workingFolder(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Where process ids mean the same processes: `host`, its boot, and on Linux the container's id space. */
export interface ProcessSpace {
  host: string;
  boot: string;
  ids: string;
}

export async function ownProcessSpace(): Promise<ProcessSpace> {
  const [boot, ids] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { host: hostname(), boot: boot.trim(), ids };
}
