import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisProcess } from './spool-owner.js';

const PREFIX = 'sinebar-spool-';

export interface SpoolFolder {
  folder: string;
  close(): Promise<void>;
}

/**
 * Opens the configured folder for uploads, or a new temporary one.
 * The new one has an unguessable name, so no other account can enter or create it. Removes the folders of ended processes of this account.
 */
export async function openSpool(chosen: string | undefined, parent = tmpdir()): Promise<SpoolFolder> {
  if (chosen !== undefined) return { folder: chosen, close: () => Promise.resolve() };
  const owner = thisProcess();
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.startsWith(PREFIX) && owner.hasEnded(name.slice(PREFIX.length))) await removeOwn(join(parent, name));
  }
  const folder = await mkdtemp(join(parent, PREFIX + owner.prefix));
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}

async function removeOwn(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) await rm(path, { recursive: true, force: true });
}
