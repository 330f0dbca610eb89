import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { judgeHolder, lockDataFolder, type LockHolder } from './data-folder-lock.ts';
import { isAlive, ownProcessSpace, parseProcessStat, processStart } from '../processes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinebar-lock-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const lockPath = (): string => join(folder, 'sinebar.lock');

async function holder(changes: Partial<LockHolder> = {}): Promise<LockHolder> {
  const start = await processStart(process.pid);
  return {
    token: 'theirs',
    pid: process.pid,
    ...(start && { start }),
    since: '2024-05-01T08:00:00.000Z',
    space: await ownProcessSpace(),
    ...changes,
  };
}

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}

describe('lock of a data folder', () => {
  it('is held by one process, and free after its release', async () => {
    const lock = await lockDataFolder(folder);
    await expect(lockDataFolder(folder)).rejects.toThrow(
      new RegExp(`in use by the Sinebar process ${process.pid}, running since .*kill ${process.pid}.*SINEBAR_DATA_DIR`),
    );
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    await (await lockDataFolder(folder)).release();
  });

  it('is replaced when its process has ended', async () => {
    await writeFile(lockPath(), JSON.stringify(await holder({ pid: await endedPid() })));
    const lock = await lockDataFolder(folder);
    expect(JSON.parse(await readFile(lockPath(), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await readdir(folder)).toEqual(['sinebar.lock']);
    await lock.release();
  });

  it('is replaced when a later process has the same id', async () => {
    await writeFile(lockPath(), JSON.stringify(await holder({ start: 'long ago' })));
    await (await lockDataFolder(folder)).release();
  });

  it('is replaced when it is damaged', async () => {
    await writeFile(lockPath(), '{"pid": 12');
    await (await lockDataFolder(folder)).release();
  });

  it('is taken by one of many processes that find it stale at once', async () => {
    await writeFile(lockPath(), JSON.stringify(await holder({ pid: await endedPid() })));
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockDataFolder(folder)));
    const won = results.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const { value } of won) await value.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken by one of many processes, again and again', async () => {
    for (let round = 0; round < 10; round += 1) {
      await writeFile(lockPath(), JSON.stringify(await holder({ start: 'long ago', token: `stale ${round}` })));
      const results = await Promise.allSettled(Array.from({ length: 6 }, () => lockDataFolder(folder)));
      const won = results.filter((result) => result.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const { value } of won) await value.release();
    }
  });

  it.each([
    ['a process', async () => ({ pid: await endedPid() })],
    ['a process in another container', async () => ({ pid: 1, space: { ...(await ownProcessSpace()), host: 'another', ids: 'pid:[1]' } })],
  ])('is replaced when %s has ended while it removed the lock of another one', async (_who, changes) => {
    const stale = await holder({ start: 'long ago' });
    const claim = `${lockPath()}.claim-${createHash('sha256').update('theirs').digest('hex').slice(0, 16)}`;
    await writeFile(lockPath(), JSON.stringify(stale));
    await writeFile(claim, JSON.stringify(await holder({ ...(await changes()), token: 'claimant' })));
    await (await lockDataFolder(folder, { watchMs: 300 })).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not released by another process', async () => {
    const lock = await lockDataFolder(folder);
    await writeFile(lockPath(), JSON.stringify(await holder()));
    await lock.release();
    expect(await readdir(folder)).toEqual(['sinebar.lock']);
  });

  it('of another container is valid while its heartbeat continues', async () => {
    const space = { ...(await ownProcessSpace()), host: 'another', ids: 'pid:[1]' };
    await writeFile(lockPath(), JSON.stringify(await holder({ pid: 1, space })));
    let ticks = 0;
    const life = setInterval(() => void utimes(lockPath(), new Date(), new Date(Date.now() + 1000 * ticks++)).catch(() => undefined), 50);
    try {
      await expect(lockDataFolder(folder, { watchMs: 2_000 })).rejects.toThrow('process 1 on another');
    } finally {
      clearInterval(life);
    }
    await (await lockDataFolder(folder, { watchMs: 300 })).release();
  });
});

describe('judgeHolder', () => {
  it('compares process ids only where they have the same meaning', async () => {
    const own = await ownProcessSpace();
    expect(await judgeHolder(await holder(), own)).toBe('alive');
    expect(await judgeHolder(await holder({ pid: 1, start: undefined }), own)).toBe('alive');
    expect(await judgeHolder(await holder({ pid: await endedPid() }), own)).toBe('ended');
    expect(await judgeHolder(await holder({ space: { ...own, boot: 'before the restart' } }), own)).toBe('ended');
    expect(await judgeHolder(await holder({ space: { ...own, host: 'another' } }), own)).toBe('unsure');
    expect(await judgeHolder(await holder({ space: { ...own, ids: 'pid:[1]' } }), own)).toBe('unsure');
  });
});

describe('processes', () => {
  it('treats a process of another user as alive and invalid ids as dead', async () => {
    expect(isAlive(1)).toBe(true);
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(await endedPid())).toBe(false);
    expect(isAlive(0)).toBe(false);
    expect(isAlive(-1)).toBe(false);
    expect(isAlive(Number.NaN)).toBe(false);
  });

  it('reads a stat line whose command contains parentheses and blanks', () => {
    const fields = ['S', ...Array.from({ length: 30 }, (_, index) => String(index + 4))];
    expect(parseProcessStat(`42 (a ) b (c) ${fields.join(' ')}`)).toEqual({ state: 'S', startTicks: '22' });
    expect(parseProcessStat('')).toBeUndefined();
  });
});
