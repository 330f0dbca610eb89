import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from './process-table.js';
import type { RunFolder } from './run-folder.js';

export interface ServerCommand {
  /** Name of the log file and the record in the run folder. */
  name: string;
  program: string;
  /** One of them must contain the path of the run folder. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** User id of the process; only root may set it. */
  uid?: number;
  gid?: number;
  /** Signal that stops the server; default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Called every 50 ms; a rejection means "not ready". */
  isReady: () => Promise<boolean>;
  /** Default 30,000. */
  readyTimeoutMs?: number;
}

export interface RunningServer {
  readonly pid: number;
  readonly logFile: string;
  /** Resolves with the last lines of the log when the process has ended. */
  readonly ended: Promise<string>;
  /** Asks the server to end and kills its process group after 10 s. May be called again. */
  stop(): Promise<void>;
  /** Starts the same program again after its end. @throws ServerStartError */
  startAgain(): Promise<RunningServer>;
}

class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  /** The port was taken between choosing and binding it; another one may work. */
  readonly portTaken: boolean;
  constructor(message: string, portTaken: boolean) {
    super(message);
    this.portTaken = portTaken;
  }
}

const STOP_TIMEOUT_MS = 10_000;

/** Groups to kill when this process ends without stopping them (an uncaught error, `process.exit`). */
const runningGroups = new Set<number>();
let exitHookIsSet = false;

/**
 * Starts a server in a process group of its own, so that Ctrl-C in a terminal reaches only us; its output goes to a log file.
 * @throws ServerStartError when it ends or is not ready in time (then it is killed), or when `signal` is aborted.
 */
export async function startServer(folder: RunFolder, command: ServerCommand, signal?: AbortSignal): Promise<RunningServer> {
  const { name, program, args, stopSignal = 'SIGTERM', readyTimeoutMs = 30_000 } = command;
  const logFile = join(folder.path, `${name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, args, {
    cwd: folder.path,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...command.env },
    ...(command.uid === undefined ? {} : { uid: command.uid }),
    ...(command.gid === undefined ? {} : { gid: command.gid }),
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new ServerStartError(`${program} cannot be started: ${error.message}`, false)));
  });
  const pid = child.pid as number;
  killAtExit(pid);
  folder.record(name, pid);

  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', () => {
      hasEnded = true;
      runningGroups.delete(pid);
      resolve(lastLines(logFile));
    });
  });
  const stop = async () => {
    if (!hasEnded) {
      // The signal goes to the server alone: Postgres must end its children in the right order.
      child.kill(stopSignal);
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    }
    signalGroup(pid, 'SIGKILL');
  };

  const deadline = Date.now() + readyTimeoutMs;
  while (!(await command.isReady().catch(() => false))) {
    if (hasEnded) {
      const text = lastLines(logFile);
      throw new ServerStartError(
        `${name} ended while starting:\n${text}`,
        /address already in use|could not bind|address in use/i.test(text),
      );
    }
    if (Date.now() > deadline || signal?.aborted === true) {
      await stop();
      throw new ServerStartError(
        signal?.aborted === true ? `${name} was interrupted` : `${name} was not ready after ${readyTimeoutMs} ms:\n${lastLines(logFile)}`,
        false,
      );
    }
    await sleep(50);
  }
  // Another process may answer on the port while our server is about to end because of it.
  if (hasEnded) throw new ServerStartError(`${name} ended while starting:\n${lastLines(logFile)}`, true);
  return { pid, logFile, ended, stop, startAgain: () => startServer(folder, command, signal) };
}

/** Runs `start` with a free port; retries with another one when it was taken, at most three times. */
export async function onFreePort<T>(choosePort: () => Promise<number>, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await choosePort());
    } catch (error) {
      if (!(error instanceof ServerStartError) || !error.portTaken || attempt === 3) throw error;
    }
  }
}

function killAtExit(pid: number): void {
  runningGroups.add(pid);
  if (exitHookIsSet) return;
  exitHookIsSet = true;
  process.once('exit', () => {
    for (const group of runningGroups) signalGroup(group, 'SIGKILL');
  });
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  } catch {
    return '';
  }
}
