import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openMemoryFolder } from './memory-folder.mjs';

const FREE = 16 * 2 ** 30;

describe('the folder in memory', () => {
  let parent;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'memory-folder-'));
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is one of this run, which other users may traverse, until it is removed', async () => {
    const mounts = `proc /proc proc rw 0 0\ntmpfs ${parent} tmpfs rw,nosuid,nodev 0 0\n`;
    const folder = await openMemoryFolder({ parent, mounts, freeBytes: FREE });
    expect(dirname(dirname(folder.path))).toBe(parent);
    for (const path of [folder.path, dirname(folder.path)]) expect((statSync(path).mode & 0o777).toString(8)).toBe('711');
    const another = await openMemoryFolder({ parent, mounts, freeBytes: FREE });
    expect(another.path).not.toBe(folder.path);
    folder.remove();
    expect([folder, another].map(({ path }) => existsSync(path))).toEqual([false, true]);
  });

  it.each([
    ['no file system is mounted there', '', FREE],
    ['it is on a disk', '/dev/vda PARENT ext4 rw 0 0', FREE],
    ['it runs no programs', 'tmpfs PARENT tmpfs rw,nosuid,nodev,noexec 0 0', FREE],
    ['memory is short', 'tmpfs PARENT tmpfs rw 0 0', 2 ** 30],
  ])('is not made where %s', async (_, mount, freeBytes) => {
    expect(await openMemoryFolder({ parent, mounts: mount.replace('PARENT', parent), freeBytes })).toBeUndefined();
    expect(readdirSync(parent)).toEqual([]);
  });
});
