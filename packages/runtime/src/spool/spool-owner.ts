import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '@sinebar/concurrency';

export interface SpoolOwner {
  /** Prefix of the names of the owner's files. */
  prefix: string;
  /** Whether a file with this name belonged to a process that has ended; false when unknown. */
  hasEnded(name: string): boolean;
}

export interface OwningProcess {
  /** Scope in which process ids are unique. */
  host: string;
  pid: number;
  /** Start time in milliseconds: another process may get the same id later. */
  startedAt: number;
}

const NAME = /^([0-9a-f]{12})\.(\d+)\.(\d+)\./;

/** @param isAlive whether a process of this host has the id */
export function spoolOwner({ host, pid, startedAt }: OwningProcess, isAlive: (pid: number) => boolean): SpoolOwner {
  const hostKey = createHash('sha256').update(host).digest('hex').slice(0, 12);
  return {
    prefix: `${hostKey}.${pid}.${startedAt}.`,
    hasEnded: (name) => {
      const [, otherHostKey, otherPid, otherStart] = NAME.exec(name) ?? [];
      if (otherHostKey !== hostKey) return false;
      return Number(otherPid) === pid ? Number(otherStart) !== startedAt : !isAlive(Number(otherPid));
    },
  };
}

export function thisProcess(): SpoolOwner {
  const owner = { host: `${hostname()} ${processNamespace()}`, pid: process.pid, startedAt: Math.floor(performance.timeOrigin) };
  return spoolOwner(owner, isAlive);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Containers may share a host name and a folder, but each numbers its own processes. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
