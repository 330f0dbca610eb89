import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sinebarCommand } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { importFilesCommand } from './import-files-command.ts';

const MAIN = sinebarCommand('import-files');
const KILLS = size({ short: 3, long: 20 });
/** Files, measurements of each, and attempts to import the same files before a run to the end. */
const [FILES, MEASUREMENTS, ATTEMPTS] = [4, 1000, 4] as const;

let root: string;
let running: RunningSinebar;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-import-files-'));
  running = await startSinebar(join(root, 'data'));
}, 120_000);
afterAll(async () => {
  await running.stop();
  await rm(root, { recursive: true, force: true });
});

/** Values that say from which file they are. */
const valuesOf = (file: number) => Array.from({ length: MEASUREMENTS }, (_, i) => `${file}.${String(i).padStart(4, '0')}`);
const fileOf = (file: number) => ['K0100 1', 'K1001/1 Shaft', 'K2001/1 1', 'K2002/1 Diameter', ...valuesOf(file), ''].join('\r\n');

const command = (...words: readonly string[]) => typed(importFilesCommand, ['--server', running.url, ...words], {});
const valuesBelow = async (partPath: string): Promise<string[]> => {
  const csv = await new Response(await running.client.exchange.readValues({ format: 'csv', partPath, deep: true })).text();
  return csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[4] as string);
};

describe('npm run sinebar -- import-files', () => {
  it('imports tables by a mapping and keeps the file as raw data of its measurement', async () => {
    const [file, mapping] = [join(root, 'values.csv'), join(root, 'mapping.json')];
    await writeFile(file, 'Zeit;Durchmesser\r\n05.01.2026 08:30;20,5\r\n');
    await writeFile(mapping, JSON.stringify({ part: 'Shaft', columns: { Zeit: { is: 'time' } } }));
    const first = await command('--mapping', mapping, '--part', '/tables', file);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('created 2 parts, 1 characteristics, 1 measurements') as unknown,
    });
    const again = await command('--mapping', mapping, '--part', '/tables', file);
    expect(again.stdout).toContain('was imported before (1 measurements)');
    const [measurement] = await running.client.measurements.search({ partPath: '/tables/Shaft' });
    const target = { entity: 'Measurement', uuid: measurement?.uuid as string } as const;
    expect(await running.client.rawData.listOf(target)).toMatchObject([{ key: 1, fileName: 'values.csv' }]);
    expect(Buffer.from(await (await running.client.rawData.download(target, 1)).arrayBuffer())).toEqual(await readFile(file));
  });

  it('joins a pair of files in UTF-16, and reads the encoding and the order of dates that are named', async () => {
    const header = (part: string) => ['K0100 1', `K1001/1 ${part}`, 'K2002/1 A', ''].join('\r\n');
    await writeFile(join(root, 'pair.dfd'), Buffer.from(`\ufeff${header('Maß')}`, 'utf16le'));
    await writeFile(join(root, 'pair.dfx'), Buffer.from('\ufeff1.5\u00140\u001405.07.2026/10:00:00\r\n', 'utf16le'));
    expect(await command('--part', '/pair', join(root, 'pair.dfd'))).toMatchObject({ code: 0 });
    expect(await valuesBelow('/pair/Maß')).toEqual(['1.5']);
    const bytes = Buffer.concat([
      Buffer.from('K0100 1\nK1001/1 '),
      Buffer.of(0xd6, 0xe1),
      Buffer.from('\nK2002/1 A\n1.5\u00140\u00145/7/2026 10:00:00\n'),
    ]);
    await writeFile(join(root, 'gbk.dfq'), bytes);
    expect(await command('--part', '/gbk', '--encoding', 'gbk', '--date-order', 'dmy', join(root, 'gbk.dfq'))).toMatchObject({ code: 0 });
    const csv = await new Response(await running.client.exchange.readValues({ format: 'csv', partPath: '/gbk', deep: true })).text();
    expect(csv).toMatch(/2026-07-05T10:00:00Z,\/gbk\/轴/);
    expect((await command('--encoding', 'klingon', 'x.csv')).stderr).toMatch(/--encoding must be an encoding.*klingon/);
    expect((await command('--date-order', 'dym', 'x.csv')).stderr).toMatch(/--date-order.*dmy, mdy or ymd, not dym/);
  });

  it('names the kind of a file that cannot be imported', async () => {
    await writeFile(join(root, 'old.xls'), 'x');
    expect((await command(join(root, 'old.xls'))).stdout).toMatch(/old\.xls: .*\.xls\).*\.xlsx/);
  });

  it('uses a mapping that the server keeps', async () => {
    const file = join(root, 'kept.csv');
    await writeFile(file, 'Zeit;Durchmesser\n2026-01-05T08:30:00Z;20,5\n');
    await running.client.exchange.putMapping('gauge 7', { part: 'Kept', columns: { Zeit: { is: 'time' } } });
    expect(await command('--mapping', '@gauge 7', '--part', '/tables', file)).toMatchObject({ code: 0 });
    expect(await running.client.parts.count({ partPath: '/tables/Kept', depth: 0 })).toBe(1);
  });

  it('says what is wrong with a mapping', async () => {
    const mapping = join(root, 'wrong.json');
    await writeFile(mapping, '{"columns":');
    expect((await command('--mapping', mapping, 'x.csv')).stderr).toMatch(/The mapping .*wrong.json cannot be read/);
    await writeFile(mapping, '{"teil": "A"}');
    await writeFile(join(root, 'x.csv'), 'part,x\nA,1');
    expect(await command('--mapping', mapping, join(root, 'x.csv'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/does not fit the schema TableMapping.*teil/) as unknown,
    });
  });

  it(`imports each measurement once, although it is killed ${KILLS} times`, async () => {
    const made = join(root, 'made');
    await mkdir(made);
    const files = Array.from({ length: FILES }, (_, file) => join(made, `${file}.dfq`));
    for (const [i, file] of files.entries()) await writeFile(file, fileOf(i));
    const expected = Array.from({ length: FILES }, (_, file) => valuesOf(file))
      .flat()
      .sort();
    /** Runs the command. @returns its exit code, `null` when it was killed */
    const run = async (part: string, killAfterMs?: number): Promise<number | null> => {
      const started = spawn(process.execPath, [...MAIN, '--server', running.url, '--part', part, ...files], { stdio: 'ignore' });
      const kill = killAfterMs === undefined ? undefined : setTimeout(() => started.kill('SIGKILL'), killAfterMs);
      const [code] = (await once(started, 'exit')) as [number | null];
      clearTimeout(kill);
      return code;
    };
    const begin = performance.now();
    expect(await run('/whole')).toBe(0);
    const wholeMs = performance.now() - begin;
    let kills = 0;
    for (let round = 1; kills < KILLS; round += 1) {
      const part = `/killed ${round}`;
      for (let attempt = 0; attempt < ATTEMPTS && kills < KILLS; attempt += 1) {
        if ((await run(part, Math.random() * wholeMs)) === null) kills += 1;
      }
      expect(await run(part)).toBe(0);
      expect((await valuesBelow(part)).sort()).toEqual(expected);
    }
  }, 600_000);
});
