import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies an empty database into the data folder of a product, which then does not create it: that takes a third of a start.
 * `npm test` makes the database once and names its folder in `JEST_DATA_FOLDER`; without it nothing is copied.
 * @param folder must not exist yet
 */
export async function copyEmptyDatabase(folder: string): Promise<void> {
  const source = process.env['JEST_DATA_FOLDER'];
  // PostgreSQL of another account keeps its files.
  if (source) await promisify(execFile)('cp', ['-a', source, folder]);
}
