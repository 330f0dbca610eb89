import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { CommandError } from '../command-line/command.js';

/** Endings of AQDEF files that are imported; a DFX file belongs to its DFD file. */
const DATA_ENDINGS = new Set(['.dfq', '.dfd']);
const [DESCRIPTION, VALUES] = ['.dfd', '.dfx'] as const;

export function isDataFile(name: string): boolean {
  return DATA_ENDINGS.has(extname(name).toLowerCase());
}

/** The files that make up one: a DFD file and the DFX file of the same name. */
export async function filesOf(file: string): Promise<string[]> {
  if (extname(file).toLowerCase() !== DESCRIPTION) return [file];
  const values = valuesFileName(file);
  const beside = (await readdir(dirname(file))).find((name) => name.toLowerCase() === values);
  return beside === undefined ? [file] : [file, join(dirname(file), beside)];
}

function valuesFileName(file: string): string {
  const name = basename(file);
  return (name.slice(0, -DESCRIPTION.length) + VALUES).toLowerCase();
}

/** Opens a file without reading it into memory. @throws CommandError there is no such file, or its DFX file is missing */
export async function readDataFile(file: string): Promise<Blob> {
  try {
    const files = await filesOf(file);
    if (extname(file).toLowerCase() === DESCRIPTION && files.length === 1)
      throw new CommandError(
        `${file} has no ${VALUES} file of the same name beside it. Export it again, or wait until the machine has written it.`,
      );
    const parts = await Promise.all(files.map((one) => openAsBlob(one)));
    return new Blob(parts.flatMap((part, i) => (i === 0 ? [part] : ['\n', part])));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}
