import { chmod, mkdir, stat } from 'node:fs/promises';

/** File modes without access for other accounts; the umask can only remove further bits. */
export const PRIVATE_FOLDER_MODE = 0o700;
export const PRIVATE_FILE_MODE = 0o600;
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Creates a folder and its parents, closed to other accounts. An existing folder is closed too.
 * @returns the first created folder, as `mkdir` does
 */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  const created = await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (created === undefined) await closeToOthers(path);
  return created;
}

/**
 * Removes the rights of other accounts from a file or folder. One that belongs to another account is not changed.
 * @param allowed mode bits that may stay
 */
export async function closeToOthers(path: string, allowed = PRIVATE_FOLDER_MODE): Promise<void> {
  if (await isOpenToOthers(path)) await chmod(path, allowed & (await stat(path)).mode);
}

/** Whether other accounts have rights on a file or folder of this account. Windows has no such modes. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  const { mode, uid } = await stat(path);
  return (mode & RIGHTS_OF_OTHERS) !== 0 && uid === process.getuid?.();
}
