import { join } from 'node:path';
import { SILENT_PROGRESS } from '../../command-line/progress.ts';
import { openStore } from '../../stores/open-store.ts';
import type { CommandContext } from '../../command-line/command.ts';
import type { Manifest } from '../backup/manifest.ts';
import { whileNoBackupRuns, writeBackup } from '../backup/write-backup.ts';
import { removeExpired, removeLeftovers } from './backup-folder.ts';
import { backupName, type Retention } from './retention.ts';

export interface BackupOptions extends Pick<CommandContext, 'env' | 'signal'> {
  /** Folder with the backups. */
  folder: string;
  retention: Retention;
  now: () => Date;
}

export interface MadeBackup {
  path: string;
  manifest: Manifest;
  /** Names of older backups that were removed. */
  removed: string[];
}

/**
 * Makes a backup of the installation that the environment names, and removes those that are no longer kept.
 * Leftovers of killed processes and expired backups are removed before, because they may fill the disk.
 * @throws CommandError with a sentence; nothing of a failed backup is kept
 */
export async function makeBackup({ env, signal, folder, retention, now }: BackupOptions): Promise<MadeBackup> {
  const store = await openStore({ env, signal });
  try {
    await whileNoBackupRuns(store, signal, () => removeLeftovers(folder));
    const before = await removeExpired(folder, retention);
    const path = join(folder, backupName(now()));
    const manifest = await writeBackup(store, path, SILENT_PROGRESS, signal);
    return { path, manifest, removed: [...before, ...(await removeExpired(folder, retention))] };
  } finally {
    await store.close();
  }
}
