import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SinebarError } from '@sinebar/client';
import { FolderWatch } from './folder-watch.ts';

const running = new AbortController().signal;

describe('a watched folder', () => {
  let folder: string;
  let time: number;
  let imported: string[];
  let printed: string[];
  let answer: (file: string) => Promise<string>;
  let watch: FolderWatch;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-watch-'));
    time = 0;
    imported = [];
    printed = [];
    answer = (file) => Promise.resolve(`${file}: created.`);
    watch = new FolderWatch({
      folder,
      importFile: (file) => {
        imported.push(file.slice(folder.length + 1));
        return answer(file);
      },
      print: (line) => void printed.push(line),
      stillMs: 3000,
      now: () => time,
    });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (name: string, text = 'K0100 0') => writeFile(join(folder, name), text);
  const lookAt = async (milliseconds: number) => {
    time = milliseconds;
    await watch.look(running);
  };

  it('gives a file away when it has been still for some seconds', async () => {
    await put('a.dfq');
    await lookAt(0);
    await lookAt(2999);
    expect(imported).toEqual([]);
    await lookAt(3000);
    expect(imported).toEqual(['a.dfq']);
  });

  it('waits for a file that is still being written', async () => {
    await put('a.dfq');
    await lookAt(0);
    await put('a.dfq', 'K0100 0\nK1001/1 longer');
    await lookAt(3000);
    expect(imported).toEqual([]);
    await lookAt(6000);
    expect(imported).toEqual(['a.dfq']);
  });

  it('moves what was imported to done, beside a file of the same name', async () => {
    await mkdir(join(folder, 'done'));
    await writeFile(join(folder, 'done', 'a.dfq'), 'earlier');
    await put('a.dfq');
    await lookAt(0);
    await lookAt(3000);
    expect((await readdir(join(folder, 'done'))).sort()).toEqual(['a (2).dfq', 'a.dfq']);
    expect(await readdir(folder)).toEqual(['done']);
  });

  it('moves what was refused to failed, with the reason', async () => {
    answer = () => Promise.reject(new SinebarError('line 3: "abc" is no number.', { status: 400, code: 'InvalidRequest' }));
    await put('a.dfq');
    await lookAt(0);
    await lookAt(3000);
    expect((await readdir(join(folder, 'failed'))).sort()).toEqual(['a.dfq', 'a.dfq.txt']);
    expect(await readFile(join(folder, 'failed', 'a.dfq.txt'), 'utf8')).toContain('"abc" is no number');
  });

  it('tries again when the server does not answer, and says so once', async () => {
    answer = () => Promise.reject(new SinebarError('not answered', { status: 0, code: 'Unreachable' }));
    await put('a.dfq');
    for (const at of [0, 3000, 4000]) await lookAt(at);
    expect(imported).toEqual(['a.dfq', 'a.dfq']);
    expect(printed).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['a.dfq']);
  });

  it('waits for the DFX file of a DFD file, and moves both', async () => {
    await put('b.dfd');
    await lookAt(0);
    await lookAt(3000);
    expect(imported).toEqual([]);
    await put('b.DFX');
    await lookAt(3000);
    await lookAt(6000);
    expect(imported).toEqual(['b.dfd']);
    expect((await readdir(join(folder, 'done'))).sort()).toEqual(['b.DFX', 'b.dfd']);
  });

  it('leaves other files alone', async () => {
    await put('notes.txt');
    await put('a.dfx');
    await put('b.dfd');
    await put('c_hdr.txt');
    await mkdir(join(folder, 'sub'));
    for (const at of [0, 3000, 4000]) await lookAt(at);
    expect(imported).toEqual([]);
    expect(printed).toEqual([
      expect.stringMatching(/a\.dfx is left alone: it belongs to a\.dfd/),
      expect.stringMatching(/b\.dfd is left alone: its \.dfx file/),
      expect.stringMatching(/c_hdr\.txt is left alone: it belongs to c_chr\.txt/),
      expect.stringMatching(/notes\.txt is left alone: its ending/),
    ]);
  });

  it('follows no links [D11.10]', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'sinebar-outside-'));
    await writeFile(join(outside, 'secret'), 'K0100 0');
    await symlink(join(outside, 'secret'), join(folder, 'a.dfq'));
    await put('b.dfd');
    await symlink(join(outside, 'secret'), join(folder, 'b.dfx'));
    await symlink(outside, join(folder, 'c.csv'));
    for (const at of [0, 3000, 4000]) await lookAt(at);
    await rm(outside, { recursive: true });
    expect(imported).toEqual([]);
    expect(printed).toHaveLength(3);
    for (const line of printed) expect(line).toMatch(/link.*not followed/);
    expect((await readdir(folder)).sort()).toEqual(['a.dfq', 'b.dfd', 'b.dfx', 'c.csv']);
  });

  it.each([
    ['binary.xls', '#!/bin/sh', /\.xls\).*\.xlsx/],
    ['results.qif', '<?xml version="1.0"?><QIFDocument>', /QIF.*AQDEF/],
    ['out.dmo', "DMISMN/'X',04.0", /DMIS.*AQDEF/],
    ['report.txt', 'DIM LOC1= LOCATION OF CIRCLE CIR1  UNITS=MM ,$', /PC-DMIS.*AQDEF/],
    ['x_fet.txt', 'planid\tpartnb\tid\tactual', /features of CALYPSO.*_chr\.txt/],
    ['report.PDF', '%PDF-1.7', /PDF.*AQDEF/],
  ])('moves %s to failed, with its kind and what to export instead', async (name, text, says) => {
    await put(name, text);
    for (const at of [0, 3000]) await lookAt(at);
    expect(imported).toEqual([]);
    expect((await readdir(join(folder, 'failed'))).sort()).toEqual([name, `${name}.txt`]);
    expect(await readFile(join(folder, 'failed', `${name}.txt`), 'utf8')).toMatch(says);
  });

  it('waits for a folder that has gone away', async () => {
    await rm(folder, { recursive: true });
    await lookAt(0);
    await lookAt(1000);
    expect(printed).toEqual([expect.stringMatching(/cannot be read.*tried again/)]);
    await mkdir(folder);
    await put('a.dfq');
    await lookAt(2000);
    await lookAt(5000);
    expect(imported).toEqual(['a.dfq']);
  });
});
