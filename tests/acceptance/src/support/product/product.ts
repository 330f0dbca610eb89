import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DISTRIBUTED, eventually, sinebarCommand, startProcess, type ProcessExit, type RunningProcess } from '@sinebar/testing';

export interface Product {
  readonly url: string;
  /** The services with separate processes, by name; empty where the product is one process. */
  services(): { name: string; pid: number; url: string }[];
}

export interface StartedProduct extends Product {
  readonly pid: number;
  output(): string;
  /** Stops the process and waits. @throws when it does not end within `limitMs` (then it is killed) */
  stop(signal?: NodeJS.Signals, limitMs?: number): Promise<ProcessExit>;
  /** Kills only the main process, like a crash; its children keep running. */
  crash(): Promise<void>;
  /** Kills the whole process group, if it still exists. */
  killAll(): void;
}

export interface StartOptions {
  env: Readonly<Record<string, string>>;
  args?: readonly string[];
  /** Time limit until it is ready; default 120,000. */
  readyMs?: number;
  /** Whether it is ready; by default detected by the line that it prints. */
  ready?: () => Promise<boolean>;
}

export const ROOT = join(import.meta.dirname, '../../../../..');
/** Words after `node` that run a program. */
type Program = readonly string[];
export const PROGRAMS = { standalone: sinebarCommand('start'), distributed: DISTRIBUTED } as const satisfies Record<string, Program>;
export const SWEEP = sinebarCommand('sweep');
/** Command that runs another one with started backing services. */
export const WITH_SERVICES: Program = [join(ROOT, 'packages/local-servers/src/commands/with-services.ts')];

const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
/** Variables that are removed from the environment, because they would change the tested behaviour. */
const WITHHELD = /^(SINEBAR_|NODE_OPTIONS$|JEST_)/;

/**
 * Starts a program of the product in a process group of its own.
 * @throws when it ends before it is ready or is not ready in time; the message has its output, nothing keeps running
 */
export async function start(program: Program, { env, args = [], readyMs = 120_000, ready }: StartOptions): Promise<StartedProduct> {
  const running = await launch(program, env, args, ready === undefined ? { ready: READY, timeoutMs: readyMs } : {});
  if (ready) await untilReady(running, ready, readyMs);
  const stateFile = env['SINEBAR_STATE_FILE'];
  const kill = (signal: NodeJS.Signals) => isAlive(running.pid) && process.kill(running.pid, signal);
  return {
    url: READY.exec(running.output())?.[1] ?? '',
    pid: running.pid,
    output: () => running.output(),
    services: () => (stateFile === undefined ? [] : readServices(stateFile)),
    stop: (signal = 'SIGTERM', limitMs = 60_000) => {
      kill(signal);
      return endOf(running, limitMs);
    },
    crash: async () => {
      kill('SIGKILL');
      await running.exited;
    },
    killAll: () => void running.kill9(),
  };
}

/** Runs a program of the product until it ends by itself. @throws when it does not within `limitMs` */
export async function runToEnd(
  program: Program,
  env: Readonly<Record<string, string>>,
  limitMs: number,
  args: readonly string[] = [],
): Promise<ProcessExit & { output: string }> {
  const running = await launch(program, env, args);
  return { ...(await endOf(running, limitMs)), output: running.output() };
}

/** Makes a new folder for data, which the returned function removes. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'sinebar-acceptance-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Whether a process runs; false for a zombie whose parent never reaps it (a container without an init process). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) [ZX] /s.test(readFileSync(stat, 'utf8'));
}

/** Reads the process id of the embedded database below a data folder; 0 without one. */
export function postmasterPid(folder: string): number {
  try {
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('postmaster.pid'));
    return file === undefined ? 0 : Number(readFileSync(join(folder, file), 'utf8').split('\n')[0]);
  } catch (error) {
    // A starting database removes files while they are listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Lists the files in a folder and below; none if the folder does not exist. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function launch(
  program: Program,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  options: { ready?: RegExp; timeoutMs?: number } = {},
): Promise<RunningProcess> {
  const withheld = Object.keys(process.env).filter((name) => WITHHELD.test(name));
  const cleaned = Object.fromEntries(withheld.map((name) => [name, undefined]));
  return startProcess(process.execPath, [...program, ...args], { ...options, env: { ...cleaned, ...env }, cwd: tmpdir() });
}

async function untilReady(running: RunningProcess, ready: () => Promise<boolean>, limitMs: number): Promise<void> {
  const exits: ProcessExit[] = [];
  void running.exited.then((exit) => exits.push(exit));
  try {
    await eventually(async () => exits.length > 0 || (await ready()), { timeoutMs: limitMs, intervalMs: 100 });
    for (const { code, signal } of exits) throw new Error(`it ended with ${signal ?? `code ${code}`}`);
  } catch (error) {
    await running.kill9();
    throw new Error(`expected it to be ready, but ${(error as Error).message}:\n${running.output()}`, { cause: error });
  }
}

/** @throws when the process does not end within `limitMs`; then it is killed */
async function endOf(running: RunningProcess, limitMs: number): Promise<ProcessExit> {
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    void running.kill9();
  }, limitMs);
  const exit = await running.exited;
  clearTimeout(late);
  if (isLate) throw new Error(`the process did not end within ${limitMs} ms:\n${running.output()}`);
  return exit;
}

function readServices(stateFile: string): ReturnType<Product['services']> {
  return (JSON.parse(readFileSync(stateFile, 'utf8')) as { services: ReturnType<Product['services']> }).services;
}
