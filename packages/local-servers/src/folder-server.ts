import { join } from 'node:path';
import type { RunFolder } from './run-folder.ts';
import { ServerStartError, startServerProcess } from './server-process.ts';
import { Supervisor, type RestartOptions, type RunningServer } from './supervisor.ts';

const READY_TIMEOUT_MS = 30_000;
const STOP_STEPS = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5_000],
] as const;

export interface ServerProgram {
  /** Names its log file and its record in the run folder. */
  name: string;
  program: string;
  /** One of them must contain the path of the run folder. */
  args: readonly string[];
  /** Its whole environment; default none. */
  env?: NodeJS.ProcessEnv;
  isReady: () => Promise<boolean>;
}

export interface FolderServerOptions extends RestartOptions {
  /** Aborts a running start. */
  signal?: AbortSignal | undefined;
}

/** Options of a server whose messages nobody reads and that is not restarted. */
const SILENT: FolderServerOptions = { log: { info: () => undefined, warn: () => undefined, error: () => undefined } };

/** Starts a server with data and log in the run's folder. @throws ServerStartError; the signal's reason when aborted */
export async function startServer(folder: RunFolder, program: ServerProgram, options = SILENT): Promise<RunningServer> {
  const { name } = program;
  const command = {
    ...program,
    cwd: folder.path,
    logFile: join(folder.path, `${name}.log`),
    env: program.env ?? {},
    stopSteps: STOP_STEPS,
    readyTimeoutMs: READY_TIMEOUT_MS,
    onSpawned: (pid: number) => folder.record(name, pid),
  };
  const server = new Supervisor({ ...options, ...command, launch: (signal) => startServerProcess(command, signal) });
  await server.start(options.signal);
  return server;
}

/** Runs `start` with a free port; retries with another one when it was taken, at most three times. */
export async function onFreePort<T>(choosePort: () => Promise<number>, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await choosePort());
    } catch (error) {
      if (!(error instanceof ServerStartError) || error.reason !== 'port-taken' || attempt === 3) throw error;
    }
  }
}
