import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';

/** Content of the file that a running PostgreSQL writes into its folder. */
export interface PostmasterFile {
  pid: number;
  port: number | undefined;
}

/** Parses `postmaster.pid`: 1 process id, 2 folder, 3 start time, 4 port, 5 socket folder, 6 address, 7 shared memory, 8 state. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  // A single-user session writes its process id as a negative number.
  const pid = Math.abs(Number(lines[0]?.trim()));
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3]?.trim());
  return { pid, port: Number.isInteger(port) && port > 0 ? port : undefined };
}

/** Reads the file. @returns `undefined` when it is missing or empty */
export async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  try {
    return parsePostmasterFile(await readFile(join(folder, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
