import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeToOthers, isOpenToOthers, makePrivateFolder } from './private-files.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe.each([0o000, 0o022])('with the umask %i', (umask) => {
  let root: string;
  let before: number;
  beforeEach(async () => {
    before = process.umask(umask);
    root = await mkdtemp(join(tmpdir(), 'sinebar-private-'));
  });
  afterEach(async () => {
    process.umask(before);
    await rm(root, { recursive: true, force: true });
  });

  it('folders are created for this account only, including those above', async () => {
    await makePrivateFolder(join(root, 'a', 'b'));
    expect(await modeOf(join(root, 'a', 'b'))).toBe('700');
    expect(await modeOf(join(root, 'a'))).toBe('700');
  });

  it('existing folders lose access of others', async () => {
    const folder = join(root, 'open');
    await mkdir(folder);
    expect(await isOpenToOthers(folder)).toBe(true);
    await makePrivateFolder(folder);
    expect(await modeOf(folder)).toBe('700');
    expect(await isOpenToOthers(folder)).toBe(false);
  });

  it('files lose access of others, and get no new rights', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await closeToOthers(file);
    expect(await modeOf(file)).toBe('600');
    await chmod(file, 0o440);
    await closeToOthers(file);
    expect(await modeOf(file)).toBe('400');
  });

  it('a link to a folder changes the folder', async () => {
    await mkdir(join(root, 'far'));
    await symlink(join(root, 'far'), join(root, 'near'));
    await makePrivateFolder(join(root, 'near'));
    expect(await modeOf(join(root, 'far'))).toBe('700');
  });
});
