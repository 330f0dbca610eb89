import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeMemoryFolder } from './memory-folder.mjs';

const FREE = 16 * 2 ** 30;
/** Above the highest process id of Linux. */
const DEAD_PID = 2 ** 22 + 1;

describe('the folder in memory', () => {
  let parent;
  let mounts;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'memory-folder-'));
    mounts = `proc /proc proc rw 0 0\ntmpfs ${parent} tmpfs rw,nosuid,nodev 0 0\n`;
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is one of this run, which other users may traverse', () => {
    const folder = makeMemoryFolder({ parent, mounts, freeBytes: FREE });
    expect(folder).toBe(join(parent, `sinebar-tests-${process.pid}`));
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('711');
  });

  it('removes folders of killed runs, and nothing else', () => {
    const alive = `sinebar-tests-${process.ppid}`;
    for (const name of [`sinebar-tests-${DEAD_PID}`, alive, 'sinebar-tests-x']) {
      mkdirSync(join(parent, name));
      writeFileSync(join(parent, name, 'file'), '');
    }
    makeMemoryFolder({ parent, mounts, freeBytes: FREE });
    expect(readdirSync(parent).sort()).toEqual([alive, `sinebar-tests-${process.pid}`, 'sinebar-tests-x'].sort());
  });

  it.each([
    ['no file system is mounted there', '', FREE],
    ['it is on a disk', '/dev/vda PARENT ext4 rw 0 0', FREE],
    ['it runs no programs', 'tmpfs PARENT tmpfs rw,nosuid,nodev,noexec 0 0', FREE],
    ['memory is short', 'tmpfs PARENT tmpfs rw 0 0', 2 ** 30],
  ])('is not made where %s', (_, mount, freeBytes) => {
    expect(makeMemoryFolder({ parent, mounts: mount.replace('PARENT', parent), freeBytes })).toBeUndefined();
    expect(readdirSync(parent)).toEqual([]);
  });
});
