import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';
import { z } from 'zod';
import { StartRefusedError } from './refusal.ts';

export const CREDENTIALS_FILE = 'sinebar-credentials.json';

const accountSchema = z.object({ name: z.string(), password: z.string() });
const credentialsSchema = z.object({ database: z.string(), superuser: accountSchema, application: accountSchema });

/**
 * Accounts of the embedded database. The file is inside the database folder (mode 600), so that folder and passwords are moved and restored
 * together.
 */
export type Credentials = z.infer<typeof credentialsSchema>;

export function newCredentials(): Credentials {
  const password = (): string => randomBytes(24).toString('hex');
  return {
    database: 'sinebar',
    superuser: { name: 'postgres', password: password() },
    application: { name: 'sinebar', password: password() },
  };
}

/** @throws StartRefusedError when they are missing or damaged */
export async function readCredentials(folder: string): Promise<Credentials> {
  const path = join(folder, CREDENTIALS_FILE);
  try {
    return credentialsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const problem =
      errorCode(error) === 'ENOENT' ? 'is missing' : errorCode(error) === 'EACCES' ? 'may not be read by this user' : 'is damaged';
    throw new StartRefusedError(
      `The file ${path} ${problem}; without it Sinebar cannot sign in to its database. ` +
        'Restore it from the backup of the data folder, or choose another folder: SINEBAR_DATA_DIR=<folder>.',
      { cause: error },
    );
  }
}

/** A connection address on this computer. */
export function connectionUrl(account: { name: string; password: string }, port: number, database: string): string {
  return `postgres://${account.name}:${account.password}@127.0.0.1:${port}/${database}`;
}
