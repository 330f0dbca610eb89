import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineOf, killGroup, stopProcess } from './processes.ts';

/** A folder for one run: data and logs of its servers, and a record of their owner. */
export interface RunFolder {
  readonly path: string;
  /** Records a server, so that a later start can end it if this process is killed. Its command line must contain the path of the run. */
  record(name: string, pid: number): void;
  remove(): void;
}

interface OwnerRecord {
  pid: number;
  commandLine: string;
  /** Process ids are not valid on another machine, or in another container, that shares the folder. */
  host: string;
}

const OWNER_FILE = 'owner.json';
const RECORD = /^server-(.+)\.json$/;

/** Returns the folder of all runs of this user: `<temporary folder>/sinebar-dev-<user id>`. */
export function defaultRunsFolder(): string {
  return join(tmpdir(), `sinebar-dev-${process.getuid?.() ?? 'user'}`);
}

/** Makes the folder of a new run, after ending servers of killed runs. @param runsFolder parent of all runs; created when missing */
export async function openRunFolder(runsFolder: string): Promise<RunFolder> {
  // Other users may traverse but not list: a server without root rights must reach its data below.
  mkdirSync(runsFolder, { recursive: true, mode: 0o711 });
  const owner = statSync(runsFolder).uid;
  if (process.getuid !== undefined && owner !== process.getuid()) throw new Error(`${runsFolder} belongs to another user (${owner})`);
  await removeAbandonedRuns(runsFolder);

  const name = `run-${randomBytes(6).toString('hex')}`;
  const path = join(runsFolder, name);
  // The folder appears together with its owner: another start must not take it for abandoned in between.
  const unnamed = join(runsFolder, `.${name}`);
  mkdirSync(unnamed);
  chmodSync(unnamed, 0o711);
  const record: OwnerRecord = { pid: process.pid, commandLine: commandLineOf(process.pid) ?? '', host: hostname() };
  writeFileSync(join(unnamed, OWNER_FILE), JSON.stringify(record), { mode: 0o600 });
  renameSync(unnamed, path);

  return {
    path,
    record: (server, pid) => writeFileSync(join(path, `server-${server}.json`), JSON.stringify({ pid }), { mode: 0o600 }),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Ends the servers and removes the folders of all runs whose owner no longer exists. */
export async function removeAbandonedRuns(runsFolder: string): Promise<void> {
  for (const name of readdirSync(runsFolder)) {
    if (!name.startsWith('run-')) continue;
    const path = join(runsFolder, name);
    const owner = readJson<OwnerRecord>(join(path, OWNER_FILE));
    if (owner === undefined || owner.host !== hostname() || commandLineOf(owner.pid) === owner.commandLine) continue;
    for (const file of readdirSync(path)) {
      const pid = RECORD.test(file) ? readJson<{ pid: number }>(join(path, file))?.pid : undefined;
      if (pid !== undefined) await endAbandonedServer(pid, path);
    }
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The process id may have been reused: only a process with the run's folder in its command line is ended. */
async function endAbandonedServer(pid: number, runPath: string): Promise<void> {
  if (commandLineOf(pid)?.includes(runPath) !== true) return;
  await stopProcess(pid, [
    ['SIGTERM', 3000],
    ['SIGKILL', 3000],
  ]);
  killGroup(pid);
}

/** `undefined` when the file is missing or half written. */
function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
