import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createInterface } from 'node:readline';
import { abortable, errorCode } from '@sinebar/concurrency';
import { PRIVATE_FILE_MODE } from '@sinebar/runtime';
import yauzl from 'yauzl';
import yazl from 'yazl';
import { z } from 'zod';
import { CommandError } from '../../command-line/command.ts';

const FORMAT = 'sinebar-export';
/** Format 1 has no alarms. */
const FORMAT_VERSION = 2;
const MANIFEST = 'manifest.json';
const count = z.int().nonnegative();

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.int().min(1).max(FORMAT_VERSION),
  /** Release of the exported server. */
  serverVersion: z.string(),
  created: z.iso.datetime(),
  /** Path of the exported part with type marker; `/` for the whole plan. */
  path: z.string(),
  counts: z.object({ parts: count, characteristics: count, measurements: count, files: count, alarms: count.default(0) }),
  /** Sentences about what the exporting user could not read; empty: the archive is whole. Absent in format 1. */
  missing: z.array(z.string()).default([]),
});
export type ArchiveManifest = z.infer<typeof manifestSchema>;

/** Writes an archive entry by entry; the file is renamed when it is complete. */
export class ArchiveWriter {
  private readonly zip = new yazl.ZipFile();
  private readonly path: string;
  private readonly unfinished: string;
  private readonly written: Promise<void>;
  /** Aborted when the output has ended, with its error if it failed. */
  private readonly closed = new AbortController();

  constructor(path: string) {
    this.path = path;
    // The failure is reported by `addStream`.
    this.zip.on('error', () => undefined);
    this.unfinished = `${path}.unfinished-${randomUUID()}`;
    this.written = pipeline(
      this.zip.outputStream,
      createWriteStream(this.unfinished, { flags: 'wx', flush: true, mode: PRIVATE_FILE_MODE }),
    );
    const closed = () => this.closed.abort(new Error('the archive was closed'));
    this.written.then(closed, (error: unknown) => this.closed.abort(error));
  }

  /** Adds an entry with one line of JSON per item. */
  async addLines(name: string, items: Iterable<unknown>): Promise<void> {
    const lines = function* () {
      for (const item of items) yield `${JSON.stringify(item)}\n`;
    };
    await this.addStream(name, Readable.from(lines()));
  }

  addJson(name: string, content: unknown): void {
    this.zip.addBuffer(Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`), name);
  }

  /** @param isCompressed true if compression would not reduce the size */
  async addStream(name: string, source: Readable, isCompressed = false): Promise<void> {
    this.zip.addReadStream(source, name, { compress: !isCompressed });
    // The source would wait forever for a broken output.
    await abortable(finished(source, { writable: false }), this.closed.signal);
  }

  async finish(manifest: Omit<ArchiveManifest, 'format' | 'formatVersion'>): Promise<void> {
    this.addJson(MANIFEST, { format: FORMAT, formatVersion: FORMAT_VERSION, ...manifest });
    this.zip.end();
    await this.written;
    await rename(this.unfinished, this.path);
  }

  async discard(): Promise<void> {
    (this.zip.outputStream as Readable).destroy();
    await this.written.catch(() => undefined);
    await rm(this.unfinished, { force: true });
  }
}

/** Reads an archive: the directory at once, entries on request. */
export class ArchiveReader {
  readonly manifest: ArchiveManifest;
  private readonly zip: yauzl.ZipFile;
  private readonly entries: ReadonlyMap<string, yauzl.Entry>;

  private constructor(zip: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>, manifest: ArchiveManifest) {
    this.zip = zip;
    this.entries = entries;
    this.manifest = manifest;
  }

  /** Opens an archive. @throws CommandError when the file is not an archive of `export`, or of a newer release */
  static async open(path: string): Promise<ArchiveReader> {
    const zip = await openZip(path);
    try {
      const entries = new Map<string, yauzl.Entry>();
      await new Promise<void>((resolve, reject) => {
        zip.on('entry', (entry: yauzl.Entry) => {
          entries.set(entry.fileName, entry);
          zip.readEntry();
        });
        zip.once('end', resolve);
        zip.once('error', (error: Error) => reject(damaged(path, error)));
        zip.readEntry();
      });
      const entry = entries.get(MANIFEST);
      if (!entry) throw new CommandError(`${path} is no archive of the command export: it has no ${MANIFEST}.`);
      return new ArchiveReader(zip, entries, readManifest(path, await readText(zip, entry)));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.zip.close();
  }

  /** Returns the names of entries with this prefix, in order. */
  names(prefix: string): string[] {
    return [...this.entries.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  async json<T>(name: string, schema: z.ZodType<T>): Promise<T> {
    return this.checked(name, schema, JSON.parse(await readText(this.zip, this.entry(name))));
  }

  /** Reads the items of an entry, one per line. */
  async *lines<T>(name: string, schema: z.ZodType<T>): AsyncGenerator<T> {
    for await (const line of createInterface({ input: await this.stream(name), crlfDelay: Infinity })) {
      yield this.checked(name, schema, JSON.parse(line));
    }
  }

  /** Opens the bytes of an entry; length and checksum are verified while reading. */
  stream(name: string): Promise<Readable> {
    return this.zip.openReadStreamPromise(this.entry(name));
  }

  private entry(name: string): yauzl.Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new CommandError(`The archive is not complete: ${name} is missing.`);
    return entry;
  }

  private checked<T>(name: string, schema: z.ZodType<T>, content: unknown): T {
    const parsed = schema.safeParse(content);
    if (!parsed.success) throw new CommandError(`The archive is damaged: ${name}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  }
}

function openZip(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error: Error | null, zip) => {
      if (error) reject(errorCode(error) === 'ENOENT' ? new CommandError(`There is no file ${path}.`) : damaged(path, error));
      else resolve(zip);
    });
  });
}

function damaged(path: string, cause: Error): CommandError {
  return new CommandError(`${path} is no zip archive, or a damaged one: ${cause.message}.`, { cause });
}

async function readText(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function readManifest(path: string, text: string): ArchiveManifest {
  const content = JSON.parse(text) as { formatVersion?: unknown };
  const { formatVersion } = content;
  if (typeof formatVersion === 'number' && formatVersion > FORMAT_VERSION)
    throw new CommandError(`${path} was written by a newer Sinebar (format ${formatVersion}). Import it with that release.`);
  if (formatVersion !== undefined && (typeof formatVersion !== 'number' || !Number.isInteger(formatVersion) || formatVersion < 1))
    throw new CommandError(`${path} has the unknown format ${JSON.stringify(formatVersion)}. This release reads 1 to ${FORMAT_VERSION}.`);
  const parsed = manifestSchema.safeParse(content);
  if (!parsed.success) throw new CommandError(`${path} is no archive of the command export: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
