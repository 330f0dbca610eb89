import { describe, expect, it } from '@jest/globals';
import { readCsv } from '../csv/csv-reader.ts';
import { bytesOf, readTwice } from '../read-all.fixture.ts';
import type { TableMapping } from './table-mapping.ts';

const read = (lines: readonly string[], mapping?: TableMapping) => {
  const text = lines.map((line) => `${line}\r\n`).join('');
  return readTwice((forms) => readCsv(bytesOf(text), { zone: 'Europe/Berlin', mapping, forms }));
};
const values = ({ all }: Awaited<ReturnType<typeof read>>) => all.map((each) => each.values);
const times = ({ all }: Awaited<ReturnType<typeof read>>) => all.map(({ attributes }) => attributes['4']);
const table = (separator: string, ...cells: readonly string[]) => [
  ['part', 'A'].join(separator),
  ...cells.map((cell) => `P${separator}"${cell}"`),
];

describe('the columns of a table', () => {
  const attributes = [
    { of: 'measurement', key: 6, names: ['Batch', 'Charge'], isNumber: false },
    { of: 'measurement', key: 801, names: ['Temperature'], isNumber: true },
    { of: 'characteristic', key: 2101, names: ['Nominal value'], isNumber: true },
  ] as const;
  const readNamed = (lines: readonly string[], mapping?: TableMapping) =>
    readTwice((forms) => readCsv(bytesOf(lines.map((line) => `${line}\r\n`).join('')), { zone: 'UTC', attributes, mapping, forms }));

  it('are found by the names of attributes, in any language', async () => {
    const file = await readNamed(['Teil;Charge;Temperature;Bore', 'P;B7;20,5;1,5']);
    expect(file.all.map((each) => [each.attributes, each.values])).toEqual([[{ 6: 'B7', 801: '20.5' }, ['1.5']]]);
    const long = await readNamed(['Teil;Merkmal;Wert;Nominal value', 'P;Bore;1,5;1,4']);
    expect(long.parts[0]?.characteristics[0]?.attributes).toMatchObject({ 2101: '1.4' });
  });

  it('are not found by names of attributes in exports with keys', async () => {
    const file = await readNamed(['measurement,time,part,6,Temperature', 'm,2026-01-05T08:00:00Z,P,B7,20.5']);
    expect(file.parts[0]?.characteristics.map(({ name }) => name)).toEqual(['Temperature']);
  });

  it('are those of the row of keys below that of the names', async () => {
    const file = await readNamed(['Messung,Zeit,Teil,Lot,D1', 'measurement,time,part,6,D1', 'm,2026-01-05T08:00:00Z,P,B7,20.5']);
    expect(file.all.map((each) => [each.line, each.attributes['6'], each.values])).toEqual([[3, 'B7', ['20.5']]]);
    expect(file.table?.headerRow).toBe(2);
  });

  it('with equal names and without one are named by their numbers', async () => {
    const lines = ['part,D,D,,D (2)', 'P,1,2,3,4'];
    expect((await read(lines)).errors).toMatchObject([
      { key: 'D', message: expect.stringContaining('say in the mapping what "D (3)" holds') as unknown },
    ]);
    const columns = { 'D (3)': { is: 'value', characteristic: 'Second' }, '#4': { is: 'value', characteristic: 'Third' } } as const;
    const file = await read(lines, { columns });
    expect(file.parts[0]?.characteristics.map(({ name }) => name)).toEqual(['D', 'Second', 'Third', 'D (2)']);
    expect(values(file)).toEqual([['1', '2', '3', '4']]);
  });

  it('may have rows of units below their names', async () => {
    const file = await read(['part,A,B', ',mm,µm', 'P,1,2'], { dataRow: 3 });
    expect(file.errors).toEqual([]);
    expect(values(file)).toEqual([['1', '2']]);
  });

  it('may be one only, without rows', async () => {
    expect((await read(['part,A'])).errors).toMatchObject([{ message: expect.stringContaining('no row with a value') as unknown }]);
  });
});

describe('the numbers of a table', () => {
  it.each<[string, string, string[], string[], TableMapping?]>([
    ['both separators', ';', ['1.234,5', '1,234.5'], ['1234.5', '1234.5']],
    ['several groups', ';', ['1.234.567', '1,234,567', '1 234 567,5', "1'234.5"], ['1234567', '1234567', '1234567.5', '1234.5']],
    ['a decimal comma between semicolons', ';', ['1,234'], ['1.234']],
    ['a decimal comma between tabs', '\t', ['1,234', '1,5'], ['1.234', '1.5']],
    ['a lone point', ',', ['1.234', '20.5'], ['1.234', '20.5']],
    ['decimal commas that are no thousands', ',', ['1,5', '0,123', '1,2345'], ['1.5', '0.123', '1.2345']],
    ['a comma that the mapping says is decimal', ',', ['1,234', '1.234'], ['1.234', '1234'], { decimal: ',' }],
    ['a point that the mapping says is decimal', ';', ['1,234', '1.234'], ['1234', '1.234'], { decimal: '.' }],
    ['exponents and other signs', ';', ['+1,5E+0002', '\u22121,5', '.5', '-,5'], ['+1.5e+2', '-1.5', '.5', '-.5']],
  ])('with %s are read', async (_, separator, cells, expected, ...[mapping]) => {
    const file = await read(table(separator, ...cells), mapping);
    expect(file.errors).toEqual([]);
    expect(values(file).flat()).toEqual(expected);
  });

  it.each([
    ['1,234', ',', ['1,234']],
    ['1.234', ';', ['1.234', '1,5']],
    ['1.234', ';', ['1,5', '1.234']],
    ['1,234', ';', ['1,234', '1,234.5']],
  ])('are refused when %j between %j may be a thousand beside others [D11.5]', async (text, separator, cells) => {
    const file = await read(table(separator, ...cells));
    expect(file.errors).toMatchObject([
      { line: 2 + cells.indexOf(text), key: 'A', message: expect.stringContaining(`"${text}" may be a thousand`) as unknown },
    ]);
    expect(file.errors[0]?.message).toContain('Say decimal');
    // A caller that leaves out bad measurements keeps only those that are certain.
    expect(file.all).toHaveLength(cells.length - 1);
  });

  it('stand for no value as NA, NaN, -, * and #N/A, and rows without a value are counted [D11.6]', async () => {
    const file = await read(['part,A,B', 'P,NA,', 'P,nan,-', 'P,*,#N/A', 'P,1,N/A', 'P,,']);
    expect(file.errors).toEqual([]);
    expect(values(file)).toEqual([['1']]);
    expect(file.warnings).toMatchObject([{ line: 2, message: '4 rows have no value and make no measurement; this is the first.' }]);
    expect(file.parts[0]?.characteristics.map(({ name }) => name)).toEqual(['A']);
  });

  it('may have one unit, which becomes an attribute of the characteristic', async () => {
    const file = await read(['part;A;B;C;D', 'P;12,5 mm;3µm;7 N/mm²;20', 'P;12,6 mm;4µm;8 N/mm²;30']);
    expect(values(file)).toEqual([
      ['12.5', '3', '7', '20'],
      ['12.6', '4', '8', '30'],
    ]);
    expect(file.parts[0]?.characteristics.map(({ attributes, valueUnit }) => [attributes['2142'], valueUnit])).toEqual([
      ['mm', 'mm'],
      ['µm', 'µm'],
      ['N/mm²', 'N/mm²'],
      [undefined, undefined],
    ]);
  });

  it.each([
    ['another unit', ['12.5 mm', '0.5 in'], /the unit "in", and the characteristic the unit "mm"/],
    ['no unit', ['12.5 mm', '12.6'], /no unit, and the characteristic the unit "mm"/],
    ['a unit behind none', ['12.5', '12.6 mm'], /the unit "mm", and the characteristic no unit/],
    ['a word that is no unit', ['12.5', '12.6 ok'], /"12.6 ok" is no number/],
  ])('with %s are refused', async (_, cells, message) => {
    const { errors, all } = await read(table(';', ...cells));
    expect(errors).toMatchObject([{ line: 3, key: 'A', message: expect.stringMatching(message) as unknown }]);
    expect(all).toHaveLength(1);
  });

  it('have no other unit than the mapping says', async () => {
    const mapping: TableMapping = { columns: { A: { is: 'value', attributes: { 2142: 'in' } } } };
    expect((await read(table(';', '1 mm'), mapping)).errors[0]?.message).toMatch(/the unit "mm", and the characteristic the unit "in"/);
  });

  it('are those of attributes, too', async () => {
    const columns: TableMapping['columns'] = {
      Bezeichnung: { is: 'characteristic' },
      Wert: { is: 'value' },
      Nenn: { is: 'attribute', of: 'characteristic', key: 2101 },
      OT: { is: 'attribute', of: 'characteristic', key: 2113 },
      UT: { is: 'attribute', of: 'characteristic', key: 2112 },
    };
    const header = 'part;Bezeichnung;Wert;Nenn;OT;UT';
    const file = await read([header, 'P;D;2,5;2,4;0,1;NA'], { columns });
    expect(file.parts[0]?.characteristics[0]?.attributes).toEqual({ 2002: 'D', 2101: '2.4', 2113: '0.1' });
    expect((await read([header, 'P;D;2,5;etwa 2;0,1;0'], { columns })).errors).toMatchObject([{ line: 2, key: 'Nenn' }]);
  });
});

describe('the times of a table', () => {
  const dated = (...dates: readonly string[]) => ['part;time;A', ...dates.map((date) => `P;${date};1`)];

  it.each<[string, string[], string[], TableMapping?]>([
    ['a day above 12 behind others', ['05/03/2026 10:00', '13/03/2026 10:00'], ['2026-03-05T09:00:00Z', '2026-03-13T09:00:00Z']],
    ['a day above 12 at the second place', ['03/05/2026 10:00', '03/13/2026 10:00'], ['2026-03-05T09:00:00Z', '2026-03-13T09:00:00Z']],
    ['an order of the mapping', ['05/03/2026 10:00'], ['2026-03-05T09:00:00Z'], { dateOrder: 'dmy' }],
    ['a day and month that are equal', ['05/05/2026 10:00'], ['2026-05-05T08:00:00Z']],
    ['points', ['05.03.2026 10:00'], ['2026-03-05T09:00:00Z']],
    ['hyphens and the year behind', ['05-03-2026 10:00'], ['2026-03-05T09:00:00Z']],
    ['hyphens and a slash before the clock', ['05-03-2026/10:00', '03/13/2026 10:00'], ['2026-03-05T09:00:00Z', '2026-03-13T09:00:00Z']],
    ['hyphens and a year of two digits', ['26-03-05 10:00'], ['2026-03-05T09:00:00Z']],
    ['the year first', ['2026/03/05 10:00:00'], ['2026-03-05T09:00:00Z']],
    ['an offset behind a blank', ['2026-03-05 10:00:00+00:00'], ['2026-03-05T10:00:00Z']],
    ['a named month', ['05-Mar-2026 10:00'], ['2026-03-05T09:00:00Z']],
  ])('with %s are read', async (_, dates, expected, ...[mapping]) => {
    const file = await read(dated(...dates), mapping);
    expect(file.errors).toEqual([]);
    expect(times(file)).toEqual(expected);
  });

  it('may be missing as values may be', async () => {
    const file = await read(dated('NA', '', '-', '2026-03-05 10:00'));
    expect([file.errors, times(file)]).toEqual([[], [undefined, undefined, undefined, '2026-03-05T09:00:00Z']]);
  });

  it('are refused while no date shows day or month [D11.5]', async () => {
    const file = await read(dated('05/03/2026 10:00', '06/03/2026 10:00', '07/07/2026 10:00'));
    expect(file.errors.map(({ line, key }) => [line, key])).toEqual([
      [2, 'time'],
      [3, 'time'],
    ]);
    expect(file.errors[0]?.message).toMatch(/"05\/03\/2026 10:00" may have the day or the month first.*Say dateOrder: dmy or mdy/);
    expect(times(file)).toEqual(['2026-07-07T08:00:00Z']);
  });

  it('are refused in both orders', async () => {
    const file = await read(dated('05/13/2026', '13/05/2026'));
    expect(file.errors).toMatchObject([{ line: 3, message: expect.stringContaining('"13/05/2026" is no date') as unknown }]);
  });

  it('may stand in two columns', async () => {
    const columns: TableMapping['columns'] = { Datum: { is: 'time' }, Uhrzeit: { is: 'time' } };
    for (const lines of [
      ['Datum;Uhrzeit;part;A', '05.03.2026;10:00:30;P;1', '06.03.2026;;P;2'],
      ['Uhrzeit;Datum;part;A', '10:00:30;05.03.2026;P;1', ';06.03.2026;P;2'],
    ]) {
      expect(times(await read(lines, { columns }))).toEqual(['2026-03-05T09:00:30Z', '2026-03-05T23:00:00Z']);
    }
  });
});

describe('the items of a table', () => {
  it('belong to the part below which the file stands, when it has no column of parts', async () => {
    const { parts, all } = await read(['time,A', '2026-01-01 10:00:00,1.5']);
    expect(parts).toMatchObject([{ name: '', attributes: {}, characteristics: [{ name: 'A' }] }]);
    expect(all[0]?.part).toBe(parts[0]?.index);
  });

  it.each(['', '  ', '/', '\u0000'])('are refused when the part of a row is %j', async (part) => {
    const file = await read(['part,A', `"${part}",1`, 'P,2']);
    expect(file.errors).toMatchObject([
      { line: 2, key: 'part', message: expect.stringContaining('names no part. Fill the column') as unknown },
    ]);
    expect(values(file)).toEqual([['2']]);
  });

  it('of rows without a part belong to the part of the mapping', async () => {
    expect((await read(['part,A', ',1'], { part: 'Q' })).parts.map(({ name }) => name)).toEqual(['Q']);
  });

  it('have levels in the order of several columns', async () => {
    const columns: TableMapping['columns'] = {
      Element: { is: 'characteristic' },
      Property: { is: 'characteristic' },
      Actual: { is: 'value' },
    };
    const file = await read(['Element;Property;Actual', 'Circle 1;X;1', 'Circle 1;D;5', ';Angle;7'], { columns, part: 'G' });
    expect(file.parts[0]?.characteristics).toMatchObject([
      { name: 'Circle 1', index: undefined, children: [{ name: 'X' }, { name: 'D' }] },
      { name: 'Angle', index: 3 },
    ]);
    expect(values(file)).toEqual([['1', '5', '7']]);
  });

  it('have no control characters', async () => {
    const file = await read(['par\u0000t,14,A\u0007B', 'P\u0000-4,S\u00011,"1.5\u0002"', 'P\u0001-4,S1,2'], {
      columns: { 'par t': { is: 'part' } },
    });
    expect(file.parts).toMatchObject([{ name: 'P -4', attributes: { 1001: 'P -4' }, characteristics: [{ name: 'A B' }] }]);
    expect(file.all.map(({ attributes, values: some }) => [attributes['14'], some])).toEqual([
      ['S 1', ['1.5']],
      ['S1', ['2']],
    ]);
  });

  it.each([
    ['numbers', ['1.5,2.5', '1.6,2.6']],
    ['dates and numbers', ['2026-01-05 10:00,1', '2026-01-05 11:00,2']],
  ])('have no header row of %s [D11.5]', async (_, lines) => {
    expect((await read(lines)).errors).toMatchObject([
      { line: 1, message: expect.stringMatching(/numbers or dates only, and is no header row.*say headerRow/) as unknown },
    ]);
  });

  it('may stand below other lines', async () => {
    const lines = ['Sample 7', 'Operator;Kim', '', 'Diameter;Length', '1,5;2,5'];
    expect((await read(lines)).errors[0]?.message).toMatch(/say headerRow in the mapping/);
    expect(values(await read(lines, { headerRow: 4 }))).toEqual([['1.5', '2.5']]);
  });

  it.each(['LSL', 'USL', 'Nominal', 'Nennmaß', 'Upper limit'])('are no limits: a row of %s is refused [D11.5]', async (name) => {
    expect((await read(['part,A', `${name},1.4`, 'P,1.5'])).errors).toMatchObject([
      { line: 2, message: expect.stringContaining(`The row with "${name}" holds limits`) as unknown },
    ]);
  });

  it.each([
    ['parts', 'part,A', '1'],
    ['characteristics', 'characteristic,value', '1'],
  ])('have at most 100 levels of %s', async (what, header, value) => {
    const path = (levels: number) => '/a'.repeat(levels);
    expect((await read([header, `${path(100)},${value}`])).errors).toEqual([]);
    expect((await read([header, `${path(20_000)},${value}`])).errors).toMatchObject([
      { line: 2, message: expect.stringMatching(/below more than 100 others/) as unknown },
    ]);
    expect(what).toBeDefined();
  });
});
