import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { errorCode, pause } from '@sinebar/concurrency';

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
    if (errorCode(error) !== 'EPERM') return false;
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

/**
 * The command line of a running process, its arguments separated by blanks; `undefined` when there is none with this id.
 * A zombie has no command line and counts as ended.
 */
export function commandLineOf(pid: number): string | undefined {
  try {
    const text = existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return text.trim() || undefined;
  } catch {
    // No such process: the file is missing, or ps exits with 1.
    return undefined;
  }
}

/** Returns the shortened command line of a process, or only its id. */
export function describeProcess(pid: number): string {
  const command = commandLineOf(pid);
  if (command === undefined) return `process ${pid}`;
  return `process ${pid} (${command.length > 120 ? `${command.slice(0, 117)}…` : command})`;
}

/** Signals that ask a process to end, in their order, each with the time it then gets, ms. */
export type StopSteps = readonly (readonly [NodeJS.Signals, number])[];

/** @throws when the process is still alive after the last step, or may not be signalled */
export async function stopProcess(pid: number, steps: StopSteps): Promise<void> {
  for (const [signal, waitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw error;
    }
    for (const deadline = Date.now() + waitMs; Date.now() < deadline; await pause(20)) if (!isAlive(pid)) return;
  }
  throw new Error(`process ${pid} did not stop`);
}

/** Kills what is left of a process group. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
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
