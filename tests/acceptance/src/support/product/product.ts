import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

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
  /** Time limit until it is ready; default 120,000. */
  readyMs?: number;
  /** Whether it is ready; by default detected by the line that it prints. */
  ready?: () => Promise<boolean>;
}

export const ROOT = join(import.meta.dirname, '../../../../..');
export const ENTRIES = {
  standalone: join(ROOT, 'services/standalone/dist/main.js'),
  distributed: join(ROOT, 'tools/dist/distributed/distributed.js'),
} as const;
export const SWEEP_ENTRY = join(ROOT, 'services/raw-data/dist/sweep.js');
/** Command that runs another one with started backing services. */
export const WITH_SERVICES_ENTRY = join(ROOT, 'packages/local-servers/dist/commands/with-services.js');
export const SERVICE_ENTRIES = {
  inspection: join(ROOT, 'services/inspection/dist/main.js'),
  'raw-data': join(ROOT, 'services/raw-data/dist/main.js'),
  events: join(ROOT, 'services/events/dist/main.js'),
} as const;

const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
/** Variables that are removed from the environment, because they would change the tested behaviour. */
const WITHHELD = /^(SINEBAR_|NODE_OPTIONS$|JEST_)/;

/**
 * Starts a program of the product in a process group of its own.
 * @throws when it ends before it is ready or is not ready in time; the message has its output, nothing keeps running
 */
export async function start(entry: string, { env, readyMs = 120_000, ready }: StartOptions): Promise<StartedProduct> {
  const process = launch(entry, env);
  const url = ready ? await waitUntilTrue(process, ready, readyMs) : await waitForLine(process, READY, readyMs);
  const stateFile = env['SINEBAR_STATE_FILE'];
  return {
    url,
    pid: process.pid,
    output: process.output,
    services: () => (stateFile === undefined ? [] : readServices(stateFile)),
    stop: (signal = 'SIGTERM', limitMs = 60_000) => stop(process, signal, limitMs),
    crash: async () => {
      process.kill('SIGKILL');
      await process.exited;
    },
    killAll: () => killGroup(process.pid),
  };
}

/** Runs a program of the product until it ends by itself. @throws when it does not within `limitMs` */
export async function runToEnd(
  entry: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
  args: readonly string[] = [],
): Promise<ProcessExit & { output: string }> {
  const process = launch(entry, env, args);
  const exit = await within(process.exited, limitMs, () => killGroup(process.pid));
  if (!exit) throw new Error(`${entry} did not end within ${limitMs} ms:\n${process.output()}`);
  return { ...exit, output: process.output() };
}

/** Makes a new folder for data, which the returned function removes. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'sinebar-acceptance-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
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

export function unbuilt(...entries: string[]): string[] {
  return entries.filter((entry) => !existsSync(entry));
}

interface Launched {
  pid: number;
  output: () => string;
  exited: Promise<ProcessExit>;
  onOutput: (listen: () => void) => void;
  kill: (signal: NodeJS.Signals) => void;
}

function launch(entry: string, env: Readonly<Record<string, string>>, args: readonly string[] = []): Launched {
  const outer = Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.test(name)));
  const child: ChildProcess = spawn(process.execPath, [entry, ...args], {
    env: { ...outer, ...env },
    cwd: tmpdir(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid === undefined) throw new Error(`${entry} cannot be started`);
  const { pid } = child;
  let output = '';
  const listeners: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      listeners.forEach((listen) => listen());
    });
  }
  // An interrupted test run must not leave servers behind; a process killed with SIGKILL cannot end its own.
  const killAtExit = () => killGroup(pid);
  process.once('exit', killAtExit);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', killAtExit);
      resolve({ code, signal });
    });
  });
  return { pid, output: () => output, exited, onOutput: (listen) => listeners.push(listen), kill: (signal) => child.kill(signal) };
}

/** @returns the first group of the pattern */
async function waitForLine(process: Launched, pattern: RegExp, limitMs: number): Promise<string> {
  const found = new Promise<string>((resolve) => {
    const look = () => {
      const match = pattern.exec(process.output());
      if (match?.[1] !== undefined) resolve(match[1]);
    };
    process.onOutput(look);
    look();
  });
  return await beforeItEnds(process, found, limitMs, `expected a line like ${pattern.source}`);
}

/** Waits until `ready` is true. @returns the empty text, since the caller knows the address */
async function waitUntilTrue(process: Launched, ready: () => Promise<boolean>, limitMs: number): Promise<string> {
  let over = false;
  const found = (async () => {
    while (!over && !(await ready())) await new Promise((resolve) => setTimeout(resolve, 100));
    return '';
  })();
  try {
    return await beforeItEnds(process, found, limitMs, 'expected it to be ready');
  } finally {
    over = true;
  }
}

async function beforeItEnds(process: Launched, found: Promise<string>, limitMs: number, expected: string): Promise<string> {
  const ended = process.exited.then(({ code, signal }) => ({ problem: `the process ended with ${signal ?? `code ${code}`}` }));
  const outcome = (await within(Promise.race([found, ended]), limitMs)) ?? { problem: `that did not happen within ${limitMs} ms` };
  if (typeof outcome === 'string') return outcome;
  killGroup(process.pid);
  throw new Error(`${expected}, but ${outcome.problem}:\n${process.output()}`);
}

async function stop(process: Launched, signal: NodeJS.Signals, limitMs: number): Promise<ProcessExit> {
  process.kill(signal);
  const exit = await within(process.exited, limitMs, () => killGroup(process.pid));
  if (!exit) throw new Error(`the process did not end within ${limitMs} ms of ${signal}:\n${process.output()}`);
  return exit;
}

async function within<T>(promise: Promise<T>, limitMs: number, onLate: () => void = () => {}): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      onLate();
      resolve(undefined);
    }, limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readServices(stateFile: string): ReturnType<Product['services']> {
  return (JSON.parse(readFileSync(stateFile, 'utf8')) as { services: ReturnType<Product['services']> }).services;
}
