import { chmod, mkdir, stat } from 'node:fs/promises';

/** Modes that keep every other account of the machine out; the umask can only take bits away from them. */
export const PRIVATE_FOLDER_MODE = 0o700;
export const PRIVATE_FILE_MODE = 0o600;
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Creates a folder, with those above it, that no other account may enter. One that is there already is closed to them.
 * @returns the first folder that was created, as `mkdir` does
 */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  const created = await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (created === undefined) await closeToOthers(path);
  return created;
}

/**
 * Takes the rights of other accounts away from a file or folder. What belongs to another account is left as it is.
 * @param allowed rights that stay where they are
 */
export async function closeToOthers(path: string, allowed = PRIVATE_FOLDER_MODE): Promise<void> {
  if (await isOpenToOthers(path)) await chmod(path, allowed & (await stat(path)).mode);
}

/** Whether other accounts have rights on a file or folder of this account. Windows has no such modes. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  const { mode, uid } = await stat(path);
  return (mode & RIGHTS_OF_OTHERS) !== 0 && uid === process.getuid?.();
}
