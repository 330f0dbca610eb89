import { join } from 'node:path';
import { StartRefusedError } from './refusal.ts';
import { connectionUrl, readCredentials } from './credentials.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { probeServer } from './postgres-program.ts';

/**
 * Returns the address of a PostgreSQL that now runs on the data folder; `undefined` when none does.
 * @throws StartRefusedError when it is being started or stopped, or the credentials cannot be read
 */
export async function runningServerUrl(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, 'postgres');
  const port = (await readPostmasterFile(folder))?.port;
  if (port === undefined) return undefined;
  const { application, database } = await readCredentials(folder);
  const url = connectionUrl(application, port, database);
  // After a crash the file remains and its port may belong to another program, which refuses our password.
  const answer = await probeServer(url).catch(() => 'refused' as const);
  if (answer === 'starting') {
    throw new StartRefusedError(`The database in ${dataDir} is being started or stopped. Try again in a moment.`);
  }
  return answer === 'ready' ? url : undefined;
}
