import { openAsBlob } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { joinTextFiles, type ImportOptions } from '@sinebar/client';
import { foreignKindOf } from '@sinebar/exchange';
import { CommandError } from '../../command-line/command.ts';

export type DataFormat = 'aqdef' | 'calypso' | 'csv' | 'xlsx';

/** Formats of the files that are imported by their ending; a DFX file belongs to its DFD file. */
const FORMATS: ReadonlyMap<string, DataFormat> = new Map([
  ['.dfq', 'aqdef'],
  ['.dfd', 'aqdef'],
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.xlsx', 'xlsx'],
  ['.xlsm', 'xlsx'],
]);
/** Beginning of the files that Excel writes beside an open workbook. */
const OPEN_WORKBOOK = '~$';
/** Endings of the tables of CALYPSO; the header table belongs to that of the characteristics. */
const [CHARACTERISTICS, HEADER] = ['_chr.txt', '_hdr.txt'] as const;
/** Bytes that tell the kind of a file. */
const START_BYTES = 4096;
const [DESCRIPTION, VALUES] = ['.dfd', '.dfx'] as const;

export function isDataFile(name: string): boolean {
  return !isOfOpenWorkbook(name) && (FORMATS.has(extname(name).toLowerCase()) || isCalypso(name));
}

/** Whether Excel writes the file beside an open workbook. */
export function isOfOpenWorkbook(name: string): boolean {
  return name.startsWith(OPEN_WORKBOOK);
}

/**
 * Names the file without which another one is not imported: the DFD of a DFX file, the table of characteristics of a header table.
 * @returns its name in lower case; `undefined` for a file that stands for itself
 */
export function mainFileOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower.endsWith(HEADER)) return lower.slice(0, -HEADER.length) + CHARACTERISTICS;
  return lower.endsWith(VALUES) ? lower.slice(0, -VALUES.length) + DESCRIPTION : undefined;
}

/** Says what kind of file it is that cannot be imported, and what to export instead; `undefined` when that is not known. */
export async function foreignReason(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return foreignKindOf(buffer.subarray(0, bytesRead), undefined, basename(file));
  } finally {
    await handle.close();
  }
}

/** The format of a file by its name; AQDEF where the ending is not known. */
export function formatOf(name: string): DataFormat {
  return isCalypso(name) ? 'calypso' : (FORMATS.get(extname(name).toLowerCase()) ?? 'aqdef');
}

function isCalypso(name: string): boolean {
  return name.toLowerCase().endsWith(CHARACTERISTICS);
}

/** The files that make up one: a DFD file and the DFX file of the same name, or the two tables of CALYPSO. */
export async function findFiles(file: string): Promise<string[]> {
  if (isCalypso(file)) {
    const header = await fileBeside(file, CHARACTERISTICS, HEADER);
    return header === undefined ? [file] : [header, file];
  }
  if (extname(file).toLowerCase() !== DESCRIPTION) return [file];
  const values = await fileBeside(file, DESCRIPTION, VALUES);
  return values === undefined ? [file] : [file, values];
}

/** Finds the file of the same name with another ending, in any case. */
async function fileBeside(file: string, ending: string, other: string): Promise<string | undefined> {
  const wanted = (basename(file).slice(0, -ending.length) + other).toLowerCase();
  const found = (await readdir(dirname(file))).find((name) => name.toLowerCase() === wanted);
  return found === undefined ? undefined : join(dirname(file), found);
}

/**
 * Opens a file without reading it into memory, but for two that must be decoded to be joined.
 * @param encoding of text files without a byte order mark; found when left out
 * @throws CommandError there is no such file, its DFX file is missing, or it is of a kind that cannot be imported
 */
export async function readDataFile(file: string, encoding?: string): Promise<Blob> {
  try {
    const reason = isDataFile(basename(file)) ? undefined : await foreignReason(file);
    if (reason !== undefined) throw new CommandError(reason);
    const files = await findFiles(file);
    if (extname(file).toLowerCase() === DESCRIPTION && files.length === 1)
      throw new CommandError(
        `${file} has no ${VALUES} file of the same name beside it. Export it again, or wait until the machine has written it.`,
      );
    const parts = await Promise.all(files.map((one) => openAsBlob(one)));
    return await joinTextFiles(parts, encoding);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * Reads a mapping of columns, but for `@name`, which the server keeps. The server checks what it says.
 * @throws CommandError there is no such file, or it holds no JSON object
 */
export async function readMapping(file: string): Promise<NonNullable<ImportOptions['mapping']>> {
  if (isKept(file)) return file;
  let mapping: unknown;
  try {
    mapping = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`The mapping ${file} cannot be read: ${(error as Error).message}.`);
  }
  if (typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)) return mapping as Record<string, unknown>;
  throw new CommandError(`The mapping ${file} is no JSON object such as {"part": "Shaft"}.`);
}

function isKept(text: string): text is `@${string}` {
  return text.startsWith('@');
}
