import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesOf, readAll } from '../read-all.fixture.ts';
import { readCalypso } from './calypso-reader.ts';

const table = (...rows: readonly (readonly string[])[]) => rows.map((row) => row.join('\t')).join('\r\n');
const HEADER = table(['planid', 'partnb', 'operid', 'date', 'time', 'order'], ['Shaft', '7', 'Keller', '05.01.2026', '08:30:00', 'A-1']);
const COLUMNS = ['planid', 'partnb', 'id', 'type', 'actual', 'nominal', 'uppertol', 'lowertol', 'unit', 'comment'];
const DIAMETER = ['Shaft', '7', 'Diameter', 'diameter', '20,012', '20', '0.05', '-0.05', 'mm', ''];
const LENGTH = ['Shaft', '7', 'Length', 'distance', '75.03', '75', '0.2', '-0.2', 'mm', 'after grinding'];
const read = (...tables: readonly string[]) => readAll(readCalypso(bytesOf(tables.join('\r\n')), { zone: 'Europe/Berlin' }));

describe('tables of CALYPSO', () => {
  it('have a part, which the plan names, with its characteristics', async () => {
    const { parts } = await read(table(COLUMNS, DIAMETER, LENGTH, ['END']));
    expect(parts).toMatchObject([
      {
        name: 'Shaft',
        characteristics: [
          { name: 'Diameter', attributes: { 2002: 'Diameter', 2101: '20', 2112: '-0.05', 2113: '0.05', 2142: 'mm' } },
          { name: 'Length', attributes: { 2900: 'after grinding' } },
        ],
      },
    ]);
  });

  it('have one measurement for each part number', async () => {
    const { all } = await read(table(COLUMNS, DIAMETER, LENGTH, DIAMETER.with(1, '8')));
    expect(all.map(({ attributes, characteristics, values }) => [attributes['14'], characteristics, values])).toEqual([
      ['7', [1, 2], ['20.012', '75.03']],
      ['8', [1], ['20.012']],
    ]);
  });

  it('have one measurement more when a characteristic comes again', async () => {
    expect((await read(table(COLUMNS, DIAMETER, DIAMETER))).measurements).toBe(2);
  });

  it('take time, operator and order from the header table', async () => {
    const { all } = await read(HEADER, table(COLUMNS, DIAMETER));
    expect(all[0]?.attributes).toEqual({ 4: '2026-01-05T07:30:00Z', 8: 'Keller', 14: '7', 53: 'A-1' });
  });

  it('name line, column and remedy of an unreadable value', async () => {
    const { errors, all } = await read(table(COLUMNS, DIAMETER.with(4, 'oops')));
    expect(errors).toEqual([{ line: 2, key: 'actual', message: expect.stringMatching(/"oops" is no number.*empty/) as unknown }]);
    expect(all).toEqual([]);
  });

  it('name an unknown date', async () => {
    const { errors } = await read(HEADER.replace('05.01.2026', 'yesterday'), table(COLUMNS, DIAMETER));
    expect(errors[0]).toMatchObject({ line: 2, key: 'date' });
  });

  it('need a header row', async () => {
    expect((await read(table(DIAMETER))).errors[0]?.message).toMatch(/no header row.*planid/);
  });

  it('need a table of characteristics', async () => {
    expect((await read(HEADER)).errors[0]?.message).toMatch(/_chr\.txt/);
  });

  it('have natural boundaries and decimal places', async () => {
    const columns = [...COLUMNS, 'natuppertolid', 'natlowertolid', 'decimalplaces'];
    const { parts } = await read(table(columns, [...DIAMETER, '1', '2', '4'], [...LENGTH, '2', '1', '3']));
    expect(parts[0]?.characteristics.map(({ attributes }) => [attributes['2120'], attributes['2121'], attributes['2022']])).toEqual([
      ['2', undefined, '4'],
      [undefined, '2', '3'],
    ]);
  });

  it('may have dates of other programs', async () => {
    const dated = (date: string, time: string) => HEADER.replace('05.01.2026', date).replace('08:30:00', time);
    const timeOf = async (...of: [string, string]) => (await read(dated(...of), table(COLUMNS, DIAMETER))).all[0]?.attributes['4'];
    expect(await timeOf('2026-1-30', '5:8:2')).toBe('2026-01-30T04:08:02Z');
    expect(await timeOf('1/30/2026', '5:8:2 PM')).toBe('2026-01-30T16:08:02Z');
    const { errors } = await read(dated('1/3/2026', '5:8:2'), table(COLUMNS, DIAMETER));
    expect(errors).toEqual([expect.objectContaining({ line: 2, message: expect.stringContaining('dateOrder') as unknown })]);
  });

  it('may be any bytes', async () => {
    const anyRow = fc.array(fc.oneof(fc.constantFrom(...COLUMNS, 'date', 'END', '1', ''), fc.string({ maxLength: 6 })), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 20 }), async (rows) => {
        const { all, measurements } = await read(table(...rows));
        expect(all).toHaveLength(measurements);
      }),
      { numRuns: 40 },
    );
  });
});
