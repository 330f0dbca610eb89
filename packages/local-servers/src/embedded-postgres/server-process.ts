import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, open, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@sinebar/concurrency';
import pg from 'pg';
import { isAlive } from './processes.js';
import { messageOf } from './refusal.js';
import { asUser, type OsUser } from './os-user.js';

/** Environment of PostgreSQL: no secrets of Sinebar, and no `PG…` variable that would redirect it. */
export const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

const LOG_LIMIT_BYTES = 16 * 2 ** 20;
const LOG_TAIL_BYTES = 8_192;

export interface ServerCommand {
  postgres: string;
  /** Database folder, and its name for PostgreSQL. */
  folder: string;
  folderArgument: string;
  port: number;
  user: OsUser | undefined;
  logFile: string;
}

export type FailureReason = 'port-taken' | 'still-in-use' | 'locked' | 'disk-full' | 'other';

/** PostgreSQL ended before it was ready. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly reason: FailureReason;
  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Classifies the failure from the log that PostgreSQL wrote before it ended. */
export function classifyFailure(log: string): FailureReason {
  if (/No space left on device|Disk quota exceeded/.test(log)) return 'disk-full';
  if (/pre-existing shared memory block/.test(log)) return 'still-in-use';
  if (/lock file "postmaster\.pid" already exists/.test(log)) return 'locked';
  if (/could not bind IPv4 address|could not create any TCP\/IP sockets/.test(log)) return 'port-taken';
  return 'other';
}

/** Starts the server in its own process group, so that Ctrl-C reaches only Sinebar, which then stops everything in order. */
export async function spawnServer(command: ServerCommand): Promise<ChildProcess> {
  const log = await openLog(command.logFile);
  try {
    const child = spawn(
      command.postgres,
      ['-D', command.folderArgument, '-c', 'listen_addresses=127.0.0.1', '-c', `port=${command.port}`, '-c', 'unix_socket_directories='],
      // The log is a file, not a pipe: a server that outlives a killed Sinebar can still write to it.
      {
        ...asUser(command.user),
        cwd: command.folder,
        env: CHILD_ENVIRONMENT,
        detached: true,
        windowsHide: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    );
    // Without a listener a failed spawn would end the process; `once(child, 'spawn')` below rejects with it.
    child.on('error', () => undefined);
    await once(child, 'spawn');
    return child;
  } finally {
    await log.close();
  }
}

async function openLog(path: string): Promise<{ fd: number; close(): Promise<void> }> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  await chmod(path, 0o600).catch(() => undefined);
  return file;
}

async function logTail(path: string, fromBytes: number): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(size < fromBytes ? 0 : fromBytes, size - LOG_TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    await file.read(buffer, 0, buffer.length, start);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

/**
 * Probes the server.
 * `refused`: nothing listens; `starting`: it accepts no sessions yet (crash recovery), or is shutting down.
 * @throws when it answers with anything else, such as a wrong password
 */
export async function probeServer(url: string, statement = 'SELECT 1'): Promise<'ready' | 'starting' | 'refused'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
    return 'ready';
  } catch (error) {
    if (errorCode(error) === 'ECONNREFUSED') return 'refused';
    if (errorCode(error) === '57P03' || errorCode(error) === 'ECONNRESET' || /terminated|timeout/.test(messageOf(error))) return 'starting';
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Waits until the server accepts sessions.
 * Crash recovery may take minutes; `onSlow` is called every ten seconds.
 * @throws ServerStartError when it ends before, or is not ready within `timeoutMs`
 */
export async function waitUntilReady(
  child: ChildProcess,
  url: string,
  options: { timeoutMs: number; logFile: string; logFromBytes: number; onSlow: (seconds: number) => void },
): Promise<void> {
  const started = Date.now();
  let nextReportMs = 10_000;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const tail = await logTail(options.logFile, options.logFromBytes);
      const said = tail.match(/(?:FATAL|PANIC|ERROR): .*/g)?.at(-1) ?? tail.trim().split('\n').at(-1) ?? '';
      throw new ServerStartError(
        classifyFailure(tail),
        `PostgreSQL ended with ${child.signalCode ?? `code ${child.exitCode}`}: ${said} (log: ${options.logFile})`,
      );
    }
    if ((await probeServer(url)) === 'ready') return;
    const waitedMs = Date.now() - started;
    if (waitedMs > options.timeoutMs) {
      throw new ServerStartError(
        'other',
        `PostgreSQL did not become ready within ${Math.round(options.timeoutMs / 1000)} s (log: ${options.logFile})`,
      );
    }
    if (waitedMs > nextReportMs) {
      options.onSlow(Math.round(waitedMs / 1000));
      nextReportMs += 10_000;
    }
    await sleep(pause);
  }
}

/**
 * Stops a server: fast shutdown, then immediate shutdown, then SIGKILL.
 * @param graceMs time for the fast shutdown
 * @throws when it is still alive, or may not be signalled
 */
export async function stopServer(pid: number, graceMs: number): Promise<void> {
  const steps: { signal: NodeJS.Signals; waitMs: number }[] = [
    { signal: 'SIGINT', waitMs: graceMs },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ];
  for (const { signal, waitMs } of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw error;
    }
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!isAlive(pid)) return;
      await sleep(20);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) did not stop`);
}
