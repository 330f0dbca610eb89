import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSpool } from './spool-folder.ts';
import { thisProcess } from './spool-owner.ts';

const configured = (folder?: string) => ({ SINEBAR_SPOOL_DIR: folder, SINEBAR_SPOOL_BYTES: 0 });

describe('folder of the spool', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'sinebar-parent-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('is the configured one, which is kept', async () => {
    const { spool, close } = await openSpool(configured(parent));
    await close();
    expect(spool.folder).toBe(parent);
    expect(await readdir(parent)).toEqual([]);
  });

  it.each([0o000, 0o022])('is otherwise one without access for other accounts, with the umask %i', async (umask) => {
    const before = process.umask(umask);
    const { folder } = (await openSpool(configured(), parent)).spool;
    process.umask(before);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('has a new name each time, and is removed at the end', async () => {
    const [first, second] = [await openSpool(configured(), parent), await openSpool(configured(), parent)];
    expect(first.spool.folder).not.toBe(second.spool.folder);
    await first.close();
    await second.close();
    expect(await readdir(parent)).toEqual([]);
  });

  it('is removed after its process has ended, and nothing else is', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const mine = thisProcess().prefix;
    const left = `sinebar-spool-${mine.replace(`.${process.pid}.`, `.${pid}.`)}abcdef`;
    const kept = [`sinebar-spool-${mine}abcdef`, 'sinebar-spool-of-somebody'];
    for (const name of [left, ...kept]) {
      await mkdir(join(parent, name));
      await writeFile(join(parent, name, 'x.upload'), 'x');
    }
    const { folder } = (await openSpool(configured(), parent)).spool;
    expect((await readdir(parent)).map((name) => join(parent, name)).sort()).toEqual(
      [...kept.map((name) => join(parent, name)), folder].sort(),
    );
  });
});
