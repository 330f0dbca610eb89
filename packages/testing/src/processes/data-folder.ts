import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies an empty database into the data folder of a product, which then does not create it: that takes a third of a start.
 * A test run makes the database once (scripts/jest/servers.mjs); where it has none, nothing is copied.
 * @param folder must not exist yet
 */
export async function copyEmptyDatabase(folder: string): Promise<void> {
  const servers = process.env['JEST_SERVERS'];
  const answer = servers && (await fetch(`${servers}/data-folder`));
  const source = answer && ((await answer.json()) as string | null);
  // PostgreSQL of another account keeps its files.
  if (source) await promisify(execFile)('cp', ['-a', source, folder]);
}
