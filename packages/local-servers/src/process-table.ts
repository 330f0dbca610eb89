import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the command line of a running process, its arguments separated by blanks; `undefined` when there is none with this id.
 * A zombie has no command line and counts as ended.
 */
export function commandLineOf(pid: number): string | undefined {
  try {
    if (existsSync('/proc/self/cmdline')) {
      const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return text === '' ? undefined : text;
    }
    const text = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return text === '' ? undefined : text;
  } catch {
    // No such process: the file is missing, or ps exits with 1.
    return undefined;
  }
}

/** Sends a signal to a whole process group. @returns false when it has already ended */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
