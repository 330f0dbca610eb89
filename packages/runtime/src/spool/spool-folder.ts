import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisProcess } from './spool-owner.ts';
import { Spool } from './spool.ts';

const PREFIX = 'sinebar-spool-';

export interface OpenedSpool {
  spool: Spool;
  /** Removes a temporary folder. */
  close: () => Promise<void>;
}

/** Settings of the spool, of which the service has one in a process of its own. */
interface SpoolSettings {
  SINEBAR_SPOOL_DIR: string | undefined;
  SINEBAR_SPOOL_BYTES: number;
}

/**
 * Opens the configured folder for uploads, or a new temporary one.
 * The new one has an unguessable name, so no other account can enter or create it. Removes the folders of ended processes of this account.
 */
export async function openSpool(settings: SpoolSettings, parent = tmpdir()): Promise<OpenedSpool> {
  const { SINEBAR_SPOOL_DIR: chosen, SINEBAR_SPOOL_BYTES: quotaBytes } = settings;
  if (chosen !== undefined) return { spool: new Spool(chosen, { quotaBytes }), close: () => Promise.resolve() };
  const owner = thisProcess();
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.startsWith(PREFIX) && owner.hasEnded(name.slice(PREFIX.length))) await removeOwn(join(parent, name));
  }
  const folder = await mkdtemp(join(parent, PREFIX + owner.prefix));
  return { spool: new Spool(folder, { quotaBytes }), close: () => rm(folder, { recursive: true, force: true }) };
}

async function removeOwn(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) await rm(path, { recursive: true, force: true });
}
