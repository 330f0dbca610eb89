import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, pause } from '@sinebar/concurrency';
import { PRIVATE_FILE_MODE } from '@sinebar/runtime';
import { z } from 'zod';
import { isAlive, ownProcessSpace, processStart, type ProcessSpace } from '../processes.ts';
import { StartRefusedError } from './refusal.ts';

const LOCK_FILE = 'sinebar.lock';
const HEARTBEAT_MS = 4_000;
const TAKEOVER_ATTEMPTS = 20;
/** Pause while another process removes a stale lock. */
const CLAIM_PAUSE_MS = 50;

const holderSchema = z.object({
  token: z.string(),
  pid: z.number().int().positive(),
  /** Start time; distinguishes the holder from a later process with the same id. */
  start: z.string().optional(),
  since: z.string(),
  space: z.object({ host: z.string(), boot: z.string(), ids: z.string() }),
});
export type LockHolder = z.infer<typeof holderSchema>;

export interface DataFolderLock {
  release(): Promise<void>;
}

/**
 * Judges the holder of a lock.
 * `unsure`: it ran in another process id space (another container, another computer on a shared drive), so only its heartbeat counts.
 */
export async function judgeHolder(holder: LockHolder, own: ProcessSpace): Promise<'alive' | 'ended' | 'unsure'> {
  if (holder.space.host === own.host && holder.space.boot !== own.boot) return 'ended';
  if (holder.space.boot !== own.boot || holder.space.ids !== own.ids || holder.space.host !== own.host) return 'unsure';
  if (!isAlive(holder.pid)) return 'ended';
  const start = await processStart(holder.pid);
  return start !== undefined && holder.start !== undefined && start !== holder.start ? 'ended' : 'alive';
}

/**
 * Locks `folder` for this process until `release`. The lock of an ended process is taken over.
 * @param options.watchMs time to wait for a heartbeat of a holder in another container or on another computer
 * @throws StartRefusedError naming the holder
 */
export async function lockDataFolder(folder: string, options: { watchMs?: number } = {}): Promise<DataFolderLock> {
  const path = join(folder, LOCK_FILE);
  const space = await ownProcessSpace();
  const start = await processStart(process.pid);
  const own: LockHolder = { token: randomUUID(), pid: process.pid, ...(start && { start }), since: new Date().toISOString(), space };
  const watchMs = options.watchMs ?? HEARTBEAT_MS * 2.5;
  for (let attempt = 0; attempt < TAKEOVER_ATTEMPTS; attempt++) {
    if (await createWhole(path, JSON.stringify(own))) return hold(path, own.token);
    const holder = await readHolder(path);
    if (holder === 'none') continue;
    if (holder !== 'unreadable') {
      if (await isHeld(path, holder, space, watchMs)) throw new StartRefusedError(inUse(folder, holder, space));
    }
    await removeStale(path, holder, own, watchMs);
  }
  throw new StartRefusedError(`The data folder ${folder} is being started by several processes at once. Start one Sinebar only.`);
}

function inUse(folder: string, holder: LockHolder, own: ProcessSpace): string {
  const where = holder.space.host === own.host ? '' : ` on ${holder.space.host}`;
  return (
    `The data folder ${folder} is in use by the Sinebar process ${holder.pid}${where}, running since ${holder.since}. ` +
    `Stop that one first${where ? '' : ` (kill ${holder.pid})`}, or give this one another folder: SINEBAR_DATA_DIR=<folder>.`
  );
}

/** Creates the file with its content atomically. @returns false when it exists */
async function createWhole(path: string, content: string): Promise<boolean> {
  const whole = `${path}.${randomUUID()}`;
  try {
    await writeFile(whole, content, { mode: PRIVATE_FILE_MODE, flag: 'wx' });
    await link(whole, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
    // Fallback for file systems without hard links (exFAT, some shared folders).
    return await writeFile(path, content, { mode: PRIVATE_FILE_MODE, flag: 'wx' }).then(
      () => true,
      (second: unknown) => {
        if (errorCode(second) === 'EEXIST') return false;
        throw second;
      },
    );
  } finally {
    await rm(whole, { force: true });
  }
}

async function readHolder(path: string): Promise<LockHolder | 'none' | 'unreadable'> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'none';
    throw error;
  }
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

/** Whether the holder of the file runs. A claim has no heartbeat: it is removed within milliseconds, or its process has ended. */
async function isHeld(path: string, holder: LockHolder, own: ProcessSpace, watchMs: number): Promise<boolean> {
  const judgement = await judgeHolder(holder, own);
  return judgement === 'alive' || (judgement === 'unsure' && (await hasHeartbeat(path, watchMs)));
}

async function hasHeartbeat(path: string, watchMs: number): Promise<boolean> {
  const modified = async (): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  const before = await modified();
  const deadline = Date.now() + watchMs;
  while (Date.now() < deadline) {
    await pause(Math.min(250, watchMs));
    const now = await modified();
    if (now === 0) return false;
    if (now !== before) return true;
  }
  return false;
}

/**
 * Removes a stale lock, or returns soon when another process removes it.
 * Several processes may judge the same lock stale. Only the one that creates the claim for it may remove it, after it has seen that the
 * lock is still the stale one; a lock that was made meanwhile is therefore never removed.
 */
async function removeStale(path: string, stale: LockHolder | 'unreadable', own: LockHolder, watchMs: number): Promise<void> {
  const claim = `${path}.claim-${idOf(stale)}`;
  if (!(await createWhole(claim, JSON.stringify(own)))) {
    const claimant = await readHolder(claim);
    if (claimant === 'unreadable' || (claimant !== 'none' && !(await isHeld(claim, claimant, own.space, watchMs)))) {
      await removeStale(claim, claimant, own, watchMs);
    }
    await pause(CLAIM_PAUSE_MS);
    return;
  }
  try {
    const holder = await readHolder(path);
    if (holder !== 'none' && idOf(holder) === idOf(stale)) await unlink(path);
  } finally {
    await rm(claim, { force: true });
  }
}

/** Identifies a lock in the name of a file. */
function idOf(holder: LockHolder | 'unreadable'): string {
  return createHash('sha256')
    .update(holder === 'unreadable' ? holder : holder.token)
    .digest('hex')
    .slice(0, 16);
}

function hold(path: string, token: string): DataFolderLock {
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      const holder = await readHolder(path);
      if (typeof holder === 'object' && holder.token === token) await unlink(path);
    },
  };
}
