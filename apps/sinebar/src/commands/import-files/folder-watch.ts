import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pause } from '@sinebar/concurrency';
import { SinebarError } from '@sinebar/client';
import { CommandError, sentenceOf } from '../../command-line/command.ts';
import { findFiles, foreignReason, isDataFile, isOfOpenWorkbook, mainFileOf } from './data-file.ts';

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
const NO_VALUES = 'its .dfx file of the same name is not there.';
const NOT_KNOWN = 'its ending is not that of a file that can be imported. Give it one of .dfq, .csv, .tsv, .xlsx or _chr.txt.';

/** A file in its present state. */
interface SeenFile {
  state: string;
  since: number;
  /** Why it is left alone. */
  reason?: string;
  /** What kind of file it is that cannot be imported. */
  foreign?: string;
  /** Whether the reason was printed. */
  isTold?: boolean;
}

/** Imports the files that come into a folder, one after the other. A file stays until it is imported: a kill loses nothing. */
export class FolderWatch {
  private readonly options: Required<FolderWatchOptions>;
  private seen = new Map<string, SeenFile>();
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
      names = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      this.report(`The folder ${folder} cannot be read: ${(error as Error).message}. It is tried again.`);
      return;
    }
    const known = new Set(names.map((name) => name.toLowerCase()));
    const seen = new Map<string, SeenFile>();
    for (const name of names.sort()) {
      const main = mainFileOf(name);
      if (main !== undefined && known.has(main)) continue;
      const file = await this.lookAt(name, main);
      if (file !== undefined) seen.set(name, file);
    }
    this.seen = seen;
    for (const [name, one] of seen) {
      if (signal.aborted) return;
      if (this.options.now() - one.since < this.options.stillMs) continue;
      if (one.reason !== undefined) {
        if (one.isTold !== true) this.options.print(`${join(folder, name)} is left alone: ${one.reason}`);
        one.isTold = true;
        continue;
      }
      if (!(await this.importOne(join(folder, name), one.foreign))) return;
      this.lastTrouble = '';
    }
  }

  /** @param main name of the file without which this one is not imported @returns `undefined` when it is not there any more */
  private async lookAt(name: string, main: string | undefined): Promise<SeenFile | undefined> {
    const file = join(this.options.folder, name);
    try {
      const isData = isDataFile(name);
      const { state, isLink } = await readFileState(isData ? await findFiles(file) : [file]);
      const before = this.seen.get(name);
      if (before?.state === state) return before;
      const seen: SeenFile = { state, since: this.options.now() };
      if (isLink) return { ...seen, reason: 'it is a link, or no file, and links are not followed. Copy the file itself into the folder.' };
      if (isOfOpenWorkbook(name)) return { ...seen, reason: 'Excel writes it beside an open workbook.' };
      if (main !== undefined) return { ...seen, reason: `it belongs to ${main}, which is not there.` };
      if (isData) return /\.dfd$/i.test(name) && (await findFiles(file)).length === 1 ? { ...seen, reason: NO_VALUES } : seen;
      const foreign = await foreignReason(file);
      return { ...seen, ...(foreign === undefined ? { reason: NOT_KNOWN } : { foreign }) };
    } catch {
      return undefined;
    }
  }

  /** @returns false when the server could not be asked: the others would fail alike */
  private async importOne(file: string, foreign: string | undefined): Promise<boolean> {
    try {
      if (foreign !== undefined) throw new CommandError(foreign);
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
      const files = await findFiles(file);
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

/** Sizes and times of files, and whether one of them is a link or no file. */
async function readFileState(files: readonly string[]): Promise<{ state: string; isLink: boolean }> {
  const states = await Promise.all(files.map((one) => lstat(one)));
  return { state: states.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(' '), isLink: states.some((one) => !one.isFile()) };
}

/** A name that no file of the folder has. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set((await readdir(folder)).map((one) => one.toLowerCase()));
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = name.replace(/(\.[^.]*)?$/, ` (${n})$1`);
  return free;
}
