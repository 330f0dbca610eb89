import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { abortable, pause } from '@sinebar/concurrency';
import { killGroup, stopProcess, type StopSteps } from './processes.ts';

const LOG_LIMIT_BYTES = 16 * 2 ** 20;
const LOG_TAIL_BYTES = 8_192;
const LOG_TAIL_LINES = 15;

export interface ServerCommand {
  name: string;
  program: string;
  args: readonly string[];
  /** Working folder. */
  cwd: string;
  logFile: string;
  env: NodeJS.ProcessEnv;
  /** Account of the process; only root may set it. */
  account?: { uid?: number; gid?: number };
  stopSteps: StopSteps;
  /** Tells whether the server accepts clients; a rejection ends the start. */
  isReady: () => Promise<boolean>;
  readyTimeoutMs: number;
  onSpawned?: ((pid: number) => void) | undefined;
  /** Called every ten seconds while the server is not ready. */
  onSlow?: (seconds: number) => void;
}

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process has ended, with its exit code or signal. */
  readonly ended: Promise<string>;
  /** @throws when it does not end */
  stop(): Promise<void>;
}

export type FailureReason = 'port-taken' | 'still-in-use' | 'locked' | 'disk-full' | 'other';

/** The server ended before it was ready, or was not ready in time. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly reason: FailureReason;
  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Classifies the failure from the log that a server wrote before it ended. */
export function classifyFailure(log: string): FailureReason {
  if (/No space left on device|Disk quota exceeded/.test(log)) return 'disk-full';
  if (/pre-existing shared memory block/.test(log)) return 'still-in-use';
  if (/lock file "postmaster\.pid" already exists/.test(log)) return 'locked';
  if (/could not bind IPv4 address|could not create any TCP\/IP sockets|address already in use|port is already in use/i.test(log))
    return 'port-taken';
  return 'other';
}

/** Servers to stop when this process ends without having stopped them (an uncaught error, `process.exit`). After SIGKILL they remain. */
const running = new Map<number, () => void>();

/**
 * Starts a server in its own process group, so that Ctrl-C reaches only this process, which then stops everything in order.
 * @throws ServerStartError when it ends or is not ready in time (then it is stopped); the signal's reason when aborted
 */
export async function startServerProcess(command: ServerCommand, signal: AbortSignal): Promise<ServerProcess> {
  const { name, program, args, cwd, env, account, stopSteps } = command;
  const log = await openLog(command.logFile);
  const logFromBytes = (await log.stat()).size;
  // The log is a file, not a pipe: a server that outlives this process can still write to it.
  const stdio = ['ignore', log.fd, log.fd] as const;
  const child = spawn(program, args, { ...account, cwd, env, detached: true, windowsHide: true, stdio: [...stdio] });
  const how = () => child.signalCode ?? (child.exitCode === null ? undefined : `code ${child.exitCode}`);
  // Listens before anything is awaited: a server may end at once.
  const ended = new Promise<string>((resolve) => {
    child.once('exit', () => {
      running.delete(child.pid as number);
      resolve(how() as string);
    });
  });
  // Without a listener a failed spawn would end this process.
  child.on('error', () => undefined);
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new ServerStartError('other', `${program} cannot be started: ${(error as Error).message}`);
  } finally {
    await log.close();
  }
  const pid = child.pid as number;
  if (!process.listeners('exit').includes(stopAll)) process.once('exit', stopAll);
  // The signal goes to the server alone: PostgreSQL must end its children in the right order.
  if (how() === undefined) running.set(pid, () => child.kill(stopSteps[0]?.[0]));
  command.onSpawned?.(pid);
  const server: ServerProcess = {
    pid,
    ended,
    async stop() {
      if (how() === undefined) await stopProcess(pid, stopSteps);
      await ended;
      killGroup(pid);
    },
  };
  try {
    // An abandoned start stops the server, and this wait then fails without a listener.
    await abortable(untilReady(command, how, logFromBytes), signal);
    return server;
  } catch (error) {
    await server.stop();
    throw error instanceof ServerStartError ? new ServerStartError(error.reason, `${name} ${error.message}`) : error;
  }
}

function stopAll(): void {
  for (const stop of running.values()) stop();
}

/** Crash recovery of a database may take minutes. */
async function untilReady(command: ServerCommand, how: () => string | undefined, logFromBytes: number): Promise<void> {
  const { isReady, readyTimeoutMs, logFile, onSlow } = command;
  const started = Date.now();
  let nextReportMs = 10_000;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    // Another process may answer on the port while this server is about to end because of it.
    const isAnswered = how() === undefined && (await isReady());
    if (how() !== undefined) {
      const tail = await logTail(logFile, logFromBytes);
      const said = tail.match(/(?:FATAL|PANIC|ERROR): .*/g)?.at(-1) ?? tail;
      throw new ServerStartError(classifyFailure(tail), `ended with ${how()}: ${said} (log: ${logFile})`);
    }
    if (isAnswered) return;
    const waitedMs = Date.now() - started;
    if (waitedMs > readyTimeoutMs)
      throw new ServerStartError('other', `did not become ready within ${Math.round(readyTimeoutMs / 1000)} s (log: ${logFile})`);
    if (waitedMs > nextReportMs) {
      onSlow?.(Math.round(waitedMs / 1000));
      nextReportMs += 10_000;
    }
    await pause(pauseMs);
  }
}

async function openLog(path: string): Promise<FileHandle> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  await chmod(path, 0o600).catch(() => undefined);
  return file;
}

/** Returns the last lines of a log, those after byte `fromBytes`. */
export async function logTail(path: string, fromBytes = 0): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(size < fromBytes ? 0 : fromBytes, size - LOG_TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    await file.read(buffer, 0, buffer.length, start);
    return buffer.toString('utf8').trim().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  } finally {
    await file.close();
  }
}
