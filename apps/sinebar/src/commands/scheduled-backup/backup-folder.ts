import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../command-line/command.ts';
import { readManifest } from '../backup/manifest.ts';
import { expiredNames, timeOfName, type Retention } from './retention.ts';

const REMOVED = '.removed';
/** Folders of scheduled backups that a killed process has not completed, or not removed completely. */
const LEFTOVER = /^\.(\d{4}-\d\d-\d\dT\d{4}Z)\.(unfinished-.*|removed)$/;

export interface KeptBackup {
  name: string;
  /** Time of the state that it holds. */
  created: Date;
}

/** Lists the scheduled backups of a folder that are complete, oldest first. */
export async function listBackups(folder: string): Promise<KeptBackup[]> {
  const backups: KeptBackup[] = [];
  for (const name of (await readNames(folder)).sort()) {
    if (timeOfName(name) === undefined) continue;
    // A folder without a manifest is not a backup.
    const manifest = await readManifest(join(folder, name)).catch(() => undefined);
    if (manifest) backups.push({ name, created: new Date(manifest.created) });
  }
  return backups;
}

/** Removes the backups that are no longer kept. @returns their names */
export async function removeExpired(folder: string, retention: Retention): Promise<string[]> {
  const names = (await listBackups(folder)).map(({ name }) => name);
  const expired = expiredNames(names, retention);
  for (const name of expired) {
    // Renamed first, so that a kill leaves nothing that looks like a backup.
    const removed = join(folder, `.${name}${REMOVED}`);
    await rename(join(folder, name), removed);
    await rm(removed, { recursive: true, force: true, maxRetries: 3 });
  }
  return expired;
}

/** Removes what killed processes have left. No backup may run meanwhile. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readNames(folder)) {
    if (LEFTOVER.test(name)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function readNames(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`The folder for backups ${folder} cannot be read: ${error.message}.`, { cause: error });
  });
}
