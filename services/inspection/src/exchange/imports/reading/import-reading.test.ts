import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import type { Configuration } from '../../../configuration/configuration.ts';
import type { ImportJob } from '../import-request.ts';
import { FileReaders } from './file-readers.ts';
import { ImportReading } from './import-reading.ts';

const SIGNAL = new AbortController().signal;
const CONFIGURATION: Configuration = { version: 1, catalogVersion: 1, definitions: new Map(), entryKeys: new Map(), purging: new Set() };
const JOB: ImportJob = {
  format: 'aqdef',
  reading: { zone: undefined, dateOrder: undefined, requestedDateOrder: undefined, encoding: undefined, mapping: undefined },
  isDryRun: false,
  skipBad: false,
  principal: EVERYONE,
  partPath: [],
  ignoreUndefined: false,
  fill: true,
  onDifference: 'keep',
  signal: SIGNAL,
  statementTimeoutMs: 1000,
};
const aqdef = (lines: readonly string[]) => ['K0100 1', 'K1001/1 4711', 'K2002/1 Bore', ...lines, ''].join('\n');
const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i));

describe('the reading of an import', () => {
  let folder: string;
  let readers: FileReaders;
  /** Reads a file, and its measurements twice. @returns also whether each reading asked for values */
  const readAll = async (name: string, text: string, job: Partial<ImportJob> = {}) => {
    const path = join(folder, name);
    await writeFile(path, text);
    const spooled = { path, sizeBytes: Buffer.byteLength(text), md5: '', discard: () => Promise.resolve() };
    return readers.use(SIGNAL, async (read) => {
      const areValuesWanted: boolean[] = [];
      const noted = (...[task]: Parameters<typeof read>) => {
        areValuesWanted.push(task.areValuesWanted);
        return read(task);
      };
      const reading = new ImportReading(noted, spooled, { ...JOB, ...job });
      const { content } = await reading.content(CONFIGURATION);
      const values: number[][] = [];
      for (let time = 0; time < 2; time += 1) {
        const found: number[] = [];
        for await (const some of reading.measurements()) for (const one of some) found.push(...one.values.values);
        values.push(found);
      }
      return { areValuesWanted, content, values };
    });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-reading-'));
    readers = new FileReaders({ warn: () => undefined }, { threads: 1 });
  });
  afterAll(async () => {
    await readers.close();
    await rm(folder, { recursive: true });
  });

  it('opens a small file once, and gives its measurements again and again', async () => {
    const { areValuesWanted, content, values } = await readAll('small.dfq', aqdef(['12.01', '12.02']));
    expect(areValuesWanted).toEqual([true]);
    expect(content.measurements).toBe(2);
    expect(values).toEqual([
      [12.01, 12.02],
      [12.01, 12.02],
    ]);
  });

  it('keeps the measurements of several messages', async () => {
    const { areValuesWanted, values } = await readAll('several.dfq', aqdef(numbered(1500)));
    expect(areValuesWanted).toEqual([true]);
    for (const found of values) expect(found.map(String)).toEqual(numbered(1500));
  });

  it('keeps nothing of a file whose measurements are many messages', async () => {
    const { areValuesWanted, values } = await readAll('many.dfq', aqdef(numbered(17_000)));
    expect(areValuesWanted).toEqual([true, true, true]);
    for (const found of values) expect(found.map(String)).toEqual(numbered(17_000));
  });

  it('asks for no values when it reads a large file first', async () => {
    const { areValuesWanted, values } = await readAll('large.dfq', aqdef(['12.01', '\n'.repeat(8 * 1024 * 1024)]));
    expect(areValuesWanted).toEqual([false, true, true]);
    expect(values).toEqual([[12.01], [12.01]]);
  });

  it('gives the measurements of a table as they are after its forms are known', async () => {
    const rows = ['time,part,characteristic,value', '01/02/2026 10:00,/Pump,/Bore,1', '13/02/2026 10:00,/Pump,/Bore,2', ''].join('\n');
    const { areValuesWanted, content, values } = await readAll('late.csv', rows, { format: 'csv' });
    expect(areValuesWanted).toEqual([true, true]);
    expect(content.errors).toEqual([]);
    expect(values).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
