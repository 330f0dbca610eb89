import { open } from 'node:fs/promises';

/** Flushes a folder, so that renamed and created names survive a power failure. Windows does not support it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
