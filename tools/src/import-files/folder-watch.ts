import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pause } from '@sinebar/concurrency';
import { SinebarError } from '@sinebar/client';
import { sentenceOf } from '../command-line/command.js';
import { filesOf, isDataFile } from './data-file.js';

export interface FolderWatchOptions {
  folder: string;
  /** Imports a file. @returns what was done. @throws when it was not imported */
  importFile: (file: string) => Promise<string>;
  print: (line: string) => void;
  /** Time between two looks, milliseconds. Network shares report no changes, so the folder is read again and again. */
  intervalMs?: number;
  /** Time for which size and time of a file must stay the same before it is imported, milliseconds. */
  stillMs?: number;
  now?: () => number;
}

const INTERVAL_MS = 1000;
const STILL_MS = 3000;
/** Statuses of answers that a later try may change. */
const TEMPORARY = new Set([0, 401, 403, 408, 429]);
const FIRST_SERVER_ERROR = 500;

/** Imports the files that come into a folder, one after the other. A file stays until it is imported: a kill loses nothing. */
export class FolderWatch {
  private readonly options: Required<FolderWatchOptions>;
  /** When each file was first seen in its present state. */
  private seen = new Map<string, { state: string; since: number }>();
  private lastTrouble = '';

  constructor(options: FolderWatchOptions) {
    this.options = { intervalMs: INTERVAL_MS, stillMs: STILL_MS, now: Date.now, ...options };
  }

  /** Runs until the signal aborts. A folder or server that goes away is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(signal);
      await pause(this.options.intervalMs, signal);
    }
  }

  /** Looks into the folder once and imports what has been still long enough. */
  async look(signal: AbortSignal): Promise<void> {
    const { folder } = this.options;
    let names: string[];
    try {
      names = (await readdir(folder)).filter(isDataFile).sort();
    } catch (error) {
      this.report(`The folder ${folder} cannot be read: ${(error as Error).message}. It is tried again.`);
      return;
    }
    const seen = new Map<string, { state: string; since: number }>();
    for (const name of names) {
      const file = join(folder, name);
      const state = await stateOf(file);
      if (state === undefined) continue;
      const before = this.seen.get(name);
      seen.set(name, before?.state === state ? before : { state, since: this.options.now() });
    }
    this.seen = seen;
    for (const [name, { since }] of seen) {
      if (signal.aborted) return;
      if (this.options.now() - since < this.options.stillMs) continue;
      if (!(await this.importOne(join(folder, name)))) return;
      this.lastTrouble = '';
    }
  }

  /** @returns false when the server could not be asked: the others would fail alike */
  private async importOne(file: string): Promise<boolean> {
    try {
      const done = await this.options.importFile(file);
      this.options.print(done);
      await this.move(file, 'done');
      return true;
    } catch (error) {
      if (isTemporary(error)) {
        this.report(`${file}: ${sentenceOf(error)} It is tried again.`);
        return false;
      }
      this.options.print(`${file}: ${sentenceOf(error)}`);
      await this.move(file, 'failed', `${sentenceOf(error)}\n`);
      return true;
    }
  }

  private async move(file: string, to: 'done' | 'failed', reason?: string): Promise<void> {
    const target = join(this.options.folder, to);
    try {
      await mkdir(target, { recursive: true });
      const files = await filesOf(file);
      const name = await freeName(target, basename(file));
      // The reason comes first: a file in failed/ always has one.
      if (reason !== undefined) await writeFile(join(target, `${name}.txt`), reason);
      // The file that is looked for goes first: what a kill leaves behind is not imported alone.
      for (const one of [file, ...files.filter((other) => other !== file)])
        await rename(one, join(target, one === file ? name : await freeName(target, basename(one))));
    } catch (error) {
      this.report(`${file} cannot be moved to ${target}: ${(error as Error).message}.`);
    }
  }

  /** Says a sentence once, however often it would be repeated. */
  private report(sentence: string): void {
    if (sentence === this.lastTrouble) return;
    this.lastTrouble = sentence;
    this.options.print(sentence);
  }
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof SinebarError)) return !(error instanceof Error && error.name === 'CommandError');
  return TEMPORARY.has(error.status) || error.status >= FIRST_SERVER_ERROR;
}

/** Size and time of a file, and of the DFX file beside a DFD file; `undefined` when it is not complete or not there any more. */
async function stateOf(file: string): Promise<string | undefined> {
  try {
    const files = await filesOf(file);
    if (/\.dfd$/i.test(file) && files.length === 1) return undefined;
    const states = await Promise.all(files.map((one) => stat(one)));
    return states.every((one) => one.isFile()) ? states.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(' ') : undefined;
  } catch {
    return undefined;
  }
}

/** A name that no file of the folder has. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set((await readdir(folder)).map((one) => one.toLowerCase()));
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = name.replace(/(\.[^.]*)?$/, ` (${n})$1`);
  return free;
}
