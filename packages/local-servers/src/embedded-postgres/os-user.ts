import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartRefusedError } from './refusal.ts';

const run = promisify(execFile);

export interface OsUser {
  uid: number;
  gid: number;
  name: string;
}

/** Finds an account by name or number; `undefined` when there is none. */
export type FindAccount = (nameOrUid: string) => Promise<OsUser | undefined>;

export const findAccount: FindAccount = async (nameOrUid) => {
  try {
    const ask = async (flag: string): Promise<string> => (await run('id', [flag, nameOrUid])).stdout.trim();
    const [uid, gid, name] = await Promise.all([ask('-u'), ask('-g'), ask('-un')]);
    return { uid: Number(uid), gid: Number(gid), name };
  } catch {
    return undefined;
  }
};

export interface OsUserChoice {
  /** User id of this process; `undefined` where the system has none (Windows). */
  currentUid: number | undefined;
  owner: { uid: number; gid: number } | undefined;
  /** User id of the account that called sudo. */
  invokingUid: number | undefined;
  findAccount: FindAccount;
}

/** Accounts that exist on most systems and own nothing important, in order of preference. */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon'];

/**
 * Chooses the account for PostgreSQL, which refuses to run as root.
 * @returns `undefined` for the account of this process
 * @throws StartRefusedError when root finds no suitable account, or the folder belongs to another user
 */
export async function chooseOsUser(choice: OsUserChoice, folder: string): Promise<OsUser | undefined> {
  if (choice.currentUid === undefined) return undefined;
  if (choice.currentUid !== 0) {
    if (choice.owner && choice.owner.uid !== choice.currentUid) {
      const owner = (await choice.findAccount(String(choice.owner.uid)))?.name ?? `user ${choice.owner.uid}`;
      throw new StartRefusedError(
        `The database folder ${folder} belongs to ${owner}, and PostgreSQL opens only a folder of its own user. ` +
          `Start Sinebar as ${owner} or as root, or hand the data folder over: sudo chown -R "$(id -un)" "${dirname(folder)}".`,
      );
    }
    return undefined;
  }
  if (choice.owner && choice.owner.uid !== 0) {
    const { uid, gid } = choice.owner;
    return (await choice.findAccount(String(uid))) ?? { uid, gid, name: `user ${uid}` };
  }
  const candidates = [...(choice.invokingUid ? [String(choice.invokingUid)] : []), ...UNPRIVILEGED];
  for (const candidate of candidates) {
    const account = await choice.findAccount(candidate);
    if (account && account.uid > 0) return account;
  }
  throw new StartRefusedError(
    'PostgreSQL refuses to run as root, and this system has none of the accounts postgres, nobody and daemon to run it as. ' +
      'Start Sinebar as an ordinary user, or create one: useradd --system postgres.',
  );
}

/** Whether `user` may enter every folder on the path and read it, by permission bits; true for `undefined`. */
export async function canReach(path: string, user: OsUser | undefined): Promise<boolean> {
  if (!user) return true;
  for (let current = path; ; current = dirname(current)) {
    const { mode, uid, gid } = await stat(current);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    const needed = current === path ? 0o5 : 0o1;
    if (((mode >> shift) & needed) !== needed) return false;
    if (dirname(current) === current) return true;
  }
}

/** Returns options for `spawn` that run a child as `user`. */
export function asUser(user: OsUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}
