import { spawn, type ChildProcess } from 'node:child_process';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StartProcessOptions {
  /** Variables to add to the environment of the test; `undefined` removes one. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** The process counts as started when its output matches this; by default as soon as it runs. */
  ready?: RegExp;
  /** Time to wait for `ready`; default 20,000. */
  timeoutMs?: number;
}

export interface RunningProcess {
  /** Process id, which is also the id of its process group. */
  readonly pid: number;
  /** Everything written to stdout and stderr so far. */
  output(): string;
  /** Sends SIGTERM to the process; after `timeoutMs` (default 10,000) SIGKILL to its whole group. */
  stop(timeoutMs?: number): Promise<ProcessExit>;
  /** Sends SIGKILL to the whole group, as a power cut would end it. */
  kill9(): Promise<ProcessExit>;
  readonly exited: Promise<ProcessExit>;
}

/**
 * Kills the tested process with all its children when the test process ends, which closes the guard's stdin.
 * Without it a killed test run would leave servers behind.
 */
const GUARD = 'cat >/dev/null; kill -s KILL -- "-$1" 2>/dev/null';

/**
 * Starts a process of its own group for a test.
 * @throws when it cannot be started, ends before it is ready or is not ready in time (then it is killed); the message carries its output.
 */
export async function startProcess(command: string, args: readonly string[], options: StartProcessOptions = {}): Promise<RunningProcess> {
  const { ready, timeoutMs = 20_000 } = options;
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid as number;
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', String(pid)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);

  let output = '';
  let lookForReady = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      lookForReady();
    });
  }
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      killGroup(pid);
      guard.kill('SIGKILL');
      // `close` would wait for other holders of the pipes; the output of the process itself arrives after a short time.
      const settle = () => resolve({ code, signal });
      child.once('close', settle);
      setTimeout(settle, 500).unref();
    });
  });

  const running: RunningProcess = {
    pid,
    output: () => output,
    exited,
    async stop(stopTimeoutMs = 10_000) {
      if (alive(child)) child.kill('SIGTERM');
      const timer = setTimeout(() => killGroup(pid), stopTimeoutMs);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
    async kill9() {
      if (alive(child)) killGroup(pid);
      return await exited;
    },
  };
  if (ready === undefined) return running;

  const commandLine = [command, ...args].join(' ');
  let timer: NodeJS.Timeout | undefined;
  const outcome = await Promise.race([
    new Promise<'ready'>((resolve) => {
      lookForReady = () => {
        if (ready.test(output)) resolve('ready');
      };
      lookForReady();
    }),
    exited.then(({ code, signal }) => `ended with ${signal ?? `code ${String(code)}`} before it was ready`),
    new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`was not ready (${String(ready)}) after ${timeoutMs} ms`), timeoutMs);
    }),
  ]);
  clearTimeout(timer);
  lookForReady = () => {};
  if (outcome === 'ready') return running;
  await running.kill9();
  throw new Error(`${commandLine} ${outcome}. Its output:\n${output}`);
}

function alive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** A missing group is the wanted result. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
