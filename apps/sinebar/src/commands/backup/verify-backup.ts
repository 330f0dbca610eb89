import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../command-line/command.ts';
import { SILENT_PROGRESS, type Progress } from '../../command-line/progress.ts';
import { inTurns } from './in-turns.ts';
import { blobFile, FILE_LIST, fileLineSchema, rowsFile, type FileLine, type Manifest } from './manifest.ts';
import { discard, Measured } from './measured.ts';

const PARALLEL = 4;
const PAGE = 500;

/** Reads the whole backup and compares every file with its digest. @throws CommandError that names what is missing or damaged */
export async function verifyBackup(folder: string, manifest: Manifest, progress: Progress, signal: AbortSignal): Promise<void> {
  const total = manifest.files.bytes + manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  progress.stage('Checking the backup', 'bytes', total);
  const check = (file: string, sha256: string): Promise<void> => verifyFile(folder, file, sha256, progress, signal);
  for (const table of manifest.tables) await check(rowsFile(table), table.sha256);
  await verifyFile(folder, FILE_LIST, manifest.files.sha256, SILENT_PROGRESS, signal);
  let count = 0;
  for await (const page of listedFiles(folder)) {
    count += page.length;
    await inTurns(page, PARALLEL, ({ name, sha256 }) => check(blobFile(name), sha256));
  }
  if (count !== manifest.files.count)
    throw new CommandError(`The backup names ${count} files in its list and ${manifest.files.count} in its manifest.`);
  progress.done();
}

/** Reads the file list of a backup in pages. */
export async function* listedFiles(folder: string): AsyncGenerator<FileLine[]> {
  let page: FileLine[] = [];
  for await (const line of createInterface({ input: createReadStream(join(folder, FILE_LIST)), crlfDelay: Infinity })) {
    if (page.push(fileLineSchema.parse(JSON.parse(line))) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function verifyFile(folder: string, file: string, sha256: string, progress: Progress, signal: AbortSignal): Promise<void> {
  const passed = new Measured(['sha256'], (count) => progress.advance(count));
  try {
    await pipeline(createReadStream(join(folder, file), { highWaterMark: 2 ** 20 }), passed, discard(), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(`The backup is not complete: ${file} cannot be read (${(error as Error).message}).`, { cause: error });
  }
  if (passed.digest('sha256') !== sha256) throw new CommandError(`The backup is damaged: ${file} is not what was written.`);
}
