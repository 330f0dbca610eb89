import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Parses state letter and start time (clock ticks since boot) from `/proc/<pid>/stat`; the command in it may hold blanks and brackets. */
export function parseProcessStat(text: string): { state: string; startTicks: string } | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  return state && startTicks ? { state, startTicks } : undefined;
}

/** Whether a process has this id. EPERM means alive; a zombie is not alive. */
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

/** Returns a text that distinguishes this process from others with the same id; `undefined` when unavailable. */
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

/** Returns the shortened command line of a process, or only its id. */
export async function describeProcess(pid: number): Promise<string> {
  try {
    const text =
      process.platform === 'linux'
        ? (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
        : (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
    const command = text.trim();
    if (command) return `process ${pid} (${command.length > 120 ? `${command.slice(0, 117)}…` : command})`;
  } catch {
    // The process has ended or belongs to another user: only its id is known.
  }
  return `process ${pid}`;
}

/** Returns the working folder of a process; `undefined` when unknown (other systems than Linux, processes of other users). */
export async function workingFolder(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Scope in which process ids are valid: `host`, its boot, and on Linux the container's id space. */
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
