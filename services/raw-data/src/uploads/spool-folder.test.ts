import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSpool } from './spool-folder.js';
import { thisProcess } from './spool-owner.js';

describe('the folder of the spool', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'sinebar-parent-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('is the chosen one, which stays', async () => {
    const spool = await openSpool(parent);
    await spool.close();
    expect(spool.folder).toBe(parent);
    expect(await readdir(parent)).toEqual([]);
  });

  it.each([0o000, 0o022])('is otherwise one that no other account may enter, with the umask %i', async (umask) => {
    const before = process.umask(umask);
    const { folder } = await openSpool(undefined, parent);
    process.umask(before);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('has another name each time, and goes when it is closed', async () => {
    const [first, second] = [await openSpool(undefined, parent), await openSpool(undefined, parent)];
    expect(first.folder).not.toBe(second.folder);
    await first.close();
    await second.close();
    expect(await readdir(parent)).toEqual([]);
  });

  it('takes away what ended processes have left, and nothing else', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const mine = thisProcess().prefix;
    const left = `sinebar-spool-${mine.replace(`.${process.pid}.`, `.${pid}.`)}abcdef`;
    const kept = [`sinebar-spool-${mine}abcdef`, 'sinebar-spool-of-somebody'];
    for (const name of [left, ...kept]) {
      await mkdir(join(parent, name));
      await writeFile(join(parent, name, 'x.upload'), 'x');
    }
    const { folder } = await openSpool(undefined, parent);
    expect((await readdir(parent)).map((name) => join(parent, name)).sort()).toEqual(
      [...kept.map((name) => join(parent, name)), folder].sort(),
    );
  });
});
