import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import writeExcelFile from 'write-excel-file/node';
import { size } from '@sinebar/testing/size';
import { readAll } from '../read-all.fixture.ts';
import type { OutputColumn, OutputRow } from '../table/output-table.ts';
import { readXlsx } from './xlsx-reader.ts';
import { writeXlsx } from './xlsx-writer.ts';

const COLUMNS: readonly OutputColumn[] = [
  { name: 'part', type: 'text' },
  { name: 'time', type: 'time' },
  { name: 'Diameter', type: 'number' },
];
const written = async (columns: readonly OutputColumn[], rows: readonly OutputRow[]): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  // oxlint-disable-next-line typescript/require-await -- a table is read asynchronously
  const batches = async function* () {
    yield rows;
  };
  for await (const chunk of writeXlsx({ columns, rows: batches() })) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const read = (file: Uint8Array, sheet?: string) =>
  readAll(readXlsx([file], { zone: 'UTC', ...(sheet !== undefined && { mapping: { sheet } }) }));

describe('an Excel workbook', () => {
  it('is written as another reader reads it', async () => {
    const file = await written(COLUMNS, [
      ['<A & "B">', '2026-01-05T07:30:00Z', '20.012'],
      ['', undefined, '-1e-7'],
    ]);
    expect(await readSheet(file)).toEqual([
      ['part', 'time', 'Diameter'],
      ['<A & "B">', new Date('2026-01-05T07:30:00Z'), 20.012],
      [null, null, -1e-7],
    ]);
  });

  it('keeps numbers with more digits than Excel has as texts', async () => {
    const file = await written(COLUMNS, [['A', undefined, '1234567890.12345678']]);
    expect((await readSheet(file))[1]?.[2]).toBe('1234567890.12345678');
  });

  it('is read as another writer writes it', async () => {
    const file = await writeExcelFile([
      ['part', 'time', 'Diameter', 'Länge'],
      ['Shaft', { value: new Date('2026-01-05T07:30:00Z'), type: Date, format: 'dd.mm.yyyy hh:mm' }, 20.5, null],
      ['Shaft', null, '20,75', 3],
    ]).toBuffer();
    const { errors, all, parts } = await read(file);
    expect(errors).toEqual([]);
    expect(all.map(({ attributes, values }) => [attributes['4'], values])).toEqual([
      ['2026-01-05T07:30:00Z', ['20.5']],
      [undefined, ['20.75', '3']],
    ]);
    expect(parts[0]?.characteristics.map(({ name }) => name)).toEqual(['Diameter', 'Länge']);
  });

  it('is read by the name of a sheet', async () => {
    const data = (value: number) => [
      ['part', 'x'],
      ['A', value],
    ];
    const file = await writeExcelFile([
      { data: data(1), sheet: 'Notes' },
      { data: data(2), sheet: 'Values' },
    ]).toBuffer();
    expect((await read(file, 'values')).all[0]?.values).toEqual(['2']);
    expect((await read(file, 'Werte')).errors).toMatchObject([
      { message: expect.stringMatching(/no sheet "Werte". Name one of "Notes", "Values"/) as unknown },
    ]);
  });

  it('is written and read back equal', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((one) => one.trim() === one && one.length > 0);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          const file = await written(
            [
              { name: 'x', type: 'number' },
              { name: '9', type: 'text' },
            ],
            rows.map(([name, value]) => [String(value), name]),
          );
          const { all } = await read(file);
          expect(all.map(({ attributes, values }) => [attributes['9'], Number(values[0])])).toEqual(
            rows.map(([name, value]) => [name, value === 0 ? 0 : value]),
          );
        },
      ),
      { numRuns: size({ short: 20, long: 3000 }) },
    );
  });

  it.each([
    ['is no archive', Buffer.from('part;x\nA;1')],
    ['is cut off', async () => (await written(COLUMNS, [['A', undefined, '1']])).subarray(0, 900)],
    ['is empty', Buffer.alloc(0)],
  ])('that %s is refused', async (_, file) => {
    const { errors } = await read(typeof file === 'function' ? await file() : file);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/no Excel workbook.*Save it as .xlsx again, or as CSV/) as unknown }]);
  });

  it('with damaged bytes is refused or read, and never thrown', async () => {
    const file = await written(COLUMNS, [['A', '2026-01-05T07:30:00Z', '1']]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }), async (changes) => {
        const damaged = Buffer.from(file);
        for (const [at, byte] of changes) damaged[at] = byte;
        const { errorCount, measurements } = await read(damaged);
        expect(errorCount + measurements).toBeGreaterThan(0);
      }),
      { numRuns: size({ short: 50, long: 3000 }) },
    );
  });
});
