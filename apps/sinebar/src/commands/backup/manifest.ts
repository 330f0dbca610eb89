import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';
import { z } from 'zod';
import { CommandError } from '../../command-line/command.ts';

export const MANIFEST_FILE = 'manifest.json';
/** Lines of {@link fileLineSchema}. */
export const FILE_LIST = 'files.jsonl';
const FORMAT = 'sinebar-backup';
const FORMAT_VERSION = 1;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.int().nonnegative();

const tableSchema = z.object({
  schema: identifier,
  name: identifier,
  columns: z.array(identifier).min(1),
  rows: count,
  /** Size of the compressed file. */
  bytes: count,
  sha256: digest,
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  formatVersion: count,
  productVersion: z.string(),
  /** Time at which the stored state was read. */
  created: z.iso.datetime(),
  schemas: z.record(identifier, z.int().positive()),
  /** Tables in an order for inserting: a table follows those that it refers to. */
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ schema: identifier, name: identifier, lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  /** Number of objects, their bytes, and the digest of their list. */
  files: z.object({ count, bytes: count, sha256: digest }),
  /** Objects whose bytes were lost before the backup. */
  missing: z.array(z.uuid()),
});

/** Manifest of a backup; written last, so a folder without it is not a backup. */
export type Manifest = z.infer<typeof manifestSchema>;
export type BackupTable = Manifest['tables'][number];

export const fileLineSchema = z.object({ name: z.uuid(), bytes: count, sha256: digest });
export type FileLine = z.infer<typeof fileLineSchema>;

export function newManifest(content: Omit<Manifest, 'format' | 'formatVersion'>): Manifest {
  return { format: FORMAT, formatVersion: FORMAT_VERSION, ...content };
}

/** @throws CommandError with a sentence when the folder holds no backup that this release can read */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const absent = errorCode(error) === 'ENOENT';
    throw new CommandError(absent ? `${folder} holds no backup: ${MANIFEST_FILE} is missing.` : `${path} cannot be read.`, {
      cause: error,
    });
  }
  const parsed = manifestSchema.safeParse(content);
  const version = (content as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof version === 'number' && version > FORMAT_VERSION) {
    throw new CommandError(`The backup in ${folder} was made by a newer Sinebar (format ${version}). Restore it with that one.`);
  }
  if (!parsed.success) throw new CommandError(`${path} is damaged: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Returns the file with a table's rows in a backup: COPY text, compressed with gzip. */
export function rowsFile({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return `rows/${schema}.${name}.gz`;
}

/** Returns the file with the bytes of an object in a backup. */
export function blobFile(name: string): string {
  return `files/${name.slice(0, 2)}/${name}`;
}
