import { open } from 'node:fs/promises';

/** Returns when the names in a folder are on the disk: what was renamed or made there survives a power failure. Windows cannot be asked for that. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
