import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Spool } from './spool.ts';
import { spoolOwner, thisProcess } from './spool-owner.ts';

const HOST = 'machine';
const alive = new Set([10, 11]);
const owner = (pid: number, startedAt = 1000, host = HOST) => spoolOwner({ host, pid, startedAt }, (id) => alive.has(id));
const fileOf = (pid: number, startedAt?: number, host?: string) => `${owner(pid, startedAt, host).prefix}x.upload`;

describe('owner of a spool file', () => {
  it.each([
    ['this process', fileOf(10), false],
    ['an earlier process with the same number', fileOf(10, 900), true],
    ['another process that runs', fileOf(11), false],
    ['another process that has ended', fileOf(12), true],
    ['a process of another host', fileOf(12, 900, 'other'), false],
    ['nobody that is known', 'abc.upload', false],
  ])('is %s', (_, name, hasEnded) => {
    expect([name, owner(10).hasEnded(name)]).toEqual([name, hasEnded]);
  });

  describe('on the disk', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sinebar-spool-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it('is recognised by the next process, which removes files of ended processes only', async () => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      const mine = thisProcess();
      const ended = { ...mine, prefix: mine.prefix.replace(`.${process.pid}.`, `.${pid}.`) };
      expect(ended.prefix).not.toBe(mine.prefix);
      const receive = (spool: Spool) =>
        spool.receive(Readable.from([Buffer.from('x')]), { limitBytes: undefined, signal: new AbortController().signal });
      await receive(new Spool(folder, { owner: ended }));
      const { path } = await receive(new Spool(folder));
      await new Spool(folder).prepare(new Date());
      expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([path]);
    });
  });
});
