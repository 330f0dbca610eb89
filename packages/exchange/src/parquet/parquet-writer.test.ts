import { describe, expect, it } from '@jest/globals';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { OutputColumn, OutputRow } from '../table/output-table.ts';
import { writeParquet } from './parquet-writer.ts';

const COLUMNS: readonly OutputColumn[] = [
  { name: 'part', type: 'text' },
  { name: 'time', type: 'time' },
  { name: 'value', type: 'number' },
];

async function written(batches: Iterable<readonly OutputRow[]>): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  // oxlint-disable-next-line typescript/require-await -- a table is read asynchronously
  const rows = async function* () {
    yield* batches;
  };
  for await (const chunk of writeParquet({ columns: COLUMNS, rows: rows() })) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length);
}

describe('a Parquet file', () => {
  it('has texts, times in UTC and numbers, and nothing where a cell is empty', async () => {
    const file = await written([
      [
        ['Prüfling', '2026-01-05T07:30:00.250Z', '20.012'],
        ['', undefined, ''],
      ],
    ]);
    expect(await parquetReadObjects({ file })).toEqual([
      { part: 'Prüfling', time: new Date('2026-01-05T07:30:00.250Z'), value: 20.012 },
      { part: null, time: null, value: null },
    ]);
  });

  it('has its columns without a row', async () => {
    const { schema, num_rows } = parquetMetadata(await written([]));
    expect(schema.slice(1).map(({ name }) => name)).toEqual(['part', 'time', 'value']);
    expect(num_rows).toBe(0n);
  });

  it('is made of row groups, so that memory does not grow with the rows', async () => {
    const batch = Array.from({ length: 1000 }, (_, i): OutputRow => [`part ${i % 7}`, '2026-01-05T07:30:00Z', String(i)]);
    const { row_groups, num_rows } = parquetMetadata(await written(Array.from({ length: 40 }, () => batch)));
    expect(num_rows).toBe(40_000n);
    expect(row_groups.map((group) => Number(group.num_rows))).toEqual([16_384, 16_384, 7232]);
  });
});
