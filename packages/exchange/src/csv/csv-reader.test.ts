import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { bytesOf, readAll } from '../read-all.fixture.ts';
import type { TableMapping } from '../table/table-mapping.ts';
import { writeCsvRow } from './csv-row.ts';
import { readCsv } from './csv-reader.ts';

const read = (text: string, mapping?: TableMapping, zone: string | undefined = 'Europe/Berlin') =>
  readAll(readCsv(bytesOf(text), { zone, mapping }));
const lines = (...rows: readonly string[]) => rows.join('\r\n');
const values = ({ all }: Awaited<ReturnType<typeof read>>) => all.map(({ values: some }) => some);

const LONG = lines(
  'measurement,time,part,characteristic,value,14',
  'm1,2026-01-05T07:30:00Z,/Line/Shaft,Diameter,20.010,SN-1',
  'm1,2026-01-05T07:30:00Z,/Line/Shaft,Bore/Depth,75.0,SN-1',
  'm2,2026-01-05T07:45:00Z,/Line/Shaft,Diameter,20.02,',
);
const WIDE = lines('time;Diameter;Length', '05.01.2026 08:30:00;20,012;75,03', '05.01.2026 08:45:00;20,018;');
const SHAFT: TableMapping = { part: 'Shaft' };

describe('a CSV file in long layout', () => {
  it('is read with the column names of exports', async () => {
    const file = await read(LONG);
    expect(file.errors).toEqual([]);
    expect(file.all.map(({ attributes, values: some }) => [attributes, some])).toEqual([
      [{ 4: '2026-01-05T07:30:00Z', 14: 'SN-1' }, ['20.010', '75.0']],
      [{ 4: '2026-01-05T07:45:00Z' }, ['20.02']],
    ]);
  });

  it('names parts and characteristics by paths', async () => {
    const { parts } = await read(LONG);
    expect(parts).toMatchObject([
      {
        name: 'Shaft',
        above: ['Line'],
        characteristics: [
          { name: 'Diameter', index: 1 },
          { name: 'Bore', index: undefined, children: [{ name: 'Depth', index: 2 }] },
        ],
      },
    ]);
  });

  it('begins a measurement when time or part change, or a characteristic comes again', async () => {
    const rows = ['T1,A,x,1', 'T1,A,y,2', 'T1,A,x,3', 'T2,A,x,4', 'T2,B,x,5'].map((row) => row.replace(/^T(\d)/, '2026-01-0$1T00:00:00Z'));
    expect(values(await read(lines('time,part,characteristic,value', ...rows)))).toEqual([['1', '2'], ['3'], ['4'], ['5']]);
  });

  it('is read with other column names by a mapping', async () => {
    const mapping: TableMapping = {
      separator: ';',
      columns: {
        Teil: { is: 'part' },
        Merkmal: { is: 'characteristic' },
        Istwert: { is: 'value' },
        OSG: { is: 'attribute', of: 'characteristic', key: 2111 },
        Werkstoff: { is: 'attribute', of: 'part', key: 1032 },
        Auftrag: { is: 'attribute', of: 'measurement', key: 53 },
      },
    };
    const file = await read(lines('Teil;Merkmal;Istwert;OSG;Werkstoff;Auftrag;Notiz', 'Welle;Ø;20,5;21;C45;A-1;x'), mapping);
    expect(file.parts).toMatchObject([{ attributes: { 1001: 'Welle', 1032: 'C45' }, characteristics: [{ attributes: { 2111: '21' } }] }]);
    expect(file.all).toMatchObject([{ attributes: { 53: 'A-1' }, values: ['20.5'] }]);
  });
});

describe('a CSV file in wide layout', () => {
  it('has one measurement in each row, with decimal commas and local times', async () => {
    const { all, parts } = await read(WIDE, SHAFT);
    expect(all.map(({ attributes, values: some }) => [attributes['4'], some])).toEqual([
      ['2026-01-05T07:30:00Z', ['20.012', '75.03']],
      ['2026-01-05T07:45:00Z', ['20.018']],
    ]);
    expect(parts.map(({ name, characteristics }) => [name, characteristics.map((one) => one.name)])).toEqual([
      ['Shaft', ['Diameter', 'Length']],
    ]);
  });

  it('gives characteristics names and attributes by a mapping', async () => {
    const { parts } = await read(WIDE, {
      ...SHAFT,
      columns: { diameter: { is: 'value', characteristic: 'Bore/Diameter', attributes: { 2101: '20' } }, Length: { is: 'nothing' } },
    });
    expect(parts[0]?.characteristics).toMatchObject([{ name: 'Bore', children: [{ name: 'Diameter', attributes: { 2101: '20' } }] }]);
  });

  it('keeps a characteristic whose name is that of another column behind a slash', async () => {
    const { parts } = await read(lines('part,/time,/14', 'A,1,2'));
    expect(parts[0]?.characteristics.map(({ name }) => name)).toEqual(['time', '14']);
  });
});

describe('the form of a CSV file', () => {
  it.each([',', ';', '\t', '|'])('may have the separator %j', async (separator) => {
    expect(values(await read(lines(`part${separator}Diameter`, `A${separator}1.5`)))).toEqual([['1.5']]);
  });

  it('may begin with the separator, as Excel writes it', async () => {
    expect(values(await read(lines('sep=;', 'part;Diameter', 'A;1,5')))).toEqual([['1.5']]);
  });

  it.each([
    ['Windows-1252', Buffer.from(lines('part;Länge', 'Prüfling;1'), 'latin1')],
    ['UTF-8', Buffer.from(lines('part;Länge', 'Prüfling;1'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${lines('part;Länge', 'Prüfling;1')}`)],
    ['UTF-16 without a byte order mark', Buffer.from(lines('part;Länge', 'Prüfling;1'), 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${lines('part;Länge', 'Prüfling;1')}`, 'utf16le')],
  ])('may be in %s', async (_, bytes) => {
    const { parts } = await readAll(readCsv([bytes]));
    expect(parts).toMatchObject([{ name: 'Prüfling', characteristics: [{ name: 'Länge' }] }]);
  });

  it('may be in an encoding that the mapping names', async () => {
    const { parts } = await readAll(readCsv([Buffer.from('part;Länge\nA;1', 'utf16le')], { mapping: { encoding: 'utf-16le' } }));
    expect(parts[0]?.characteristics[0]?.name).toBe('Länge');
  });

  it('may quote fields with separators, quotes and line ends', async () => {
    const file = await read(lines('part,"Length, ""inner""\nof bore"', 'A,1', 'A,x'));
    expect(file.parts[0]?.characteristics[0]?.name).toBe('Length, "inner" of bore');
    expect(file.errors[0]?.line).toBe(4);
  });

  it('may have lines before the header row', async () => {
    expect(values(await read(lines('Report of cell 3', '', 'part,Diameter', 'A,1'), { headerRow: 3, separator: ',' }))).toEqual([['1']]);
  });
});

describe('a bad CSV file', () => {
  it.each<[string, string, TableMapping | undefined, { line?: number; key?: string; message: RegExp }]>([
    [
      'a value that is no number',
      lines('part,Diameter', 'A,abc'),
      undefined,
      { line: 2, key: 'Diameter', message: /"abc" is no number.*Write a value/ },
    ],
    ['two points', lines('part;Diameter', 'A;1.23.4'), undefined, { line: 2, key: 'Diameter', message: /is no number/ }],
    [
      'the other decimal separator',
      lines('part;Diameter', 'A;1,5'),
      { decimal: '.' },
      { line: 2, key: 'Diameter', message: /is no number/ },
    ],
    [
      'a time of unknown form',
      lines('part,time,Diameter', 'A,5th of May,1'),
      undefined,
      { line: 2, key: 'time', message: /no date that is known. Write dd/ },
    ],
    [
      'a row without characteristic',
      lines('characteristic,value', ',1'),
      undefined,
      { line: 2, key: 'characteristic', message: /names no characteristic/ },
    ],
    ['too many fields', lines('part,Diameter', 'A,1,5'), undefined, { line: 2, message: /3 fields and the header row 2. Quote/ }],
    ['a column twice', lines('part,x,X', 'A,1,2'), undefined, { line: 1, key: 'X', message: /Two columns have the name/ }],
    ['no column of values', lines('part,time', 'A,2026-01-01'), undefined, { line: 1, message: /No column holds values/ }],
    ['no rows', 'part,Diameter', undefined, { message: /no row with a value/ }],
    ['no content', '', undefined, { message: /no header row/ }],
    ['a quote without end', lines('part,x', 'A,"1'), undefined, { line: 2, message: /quoted field without an end/ }],
    [
      'a column that the mapping names and the file has not',
      lines('part,x', 'A,1'),
      { columns: { Teil: { is: 'part' } } },
      { line: 1, key: 'Teil', message: /no column "Teil".*Its columns are "part", "x"/ },
    ],
    [
      'two columns of times, of which the mapping names one',
      lines('time,x,y', '1,1,1'),
      { columns: { x: { is: 'time' } } },
      { line: 1, key: 'x', message: /Two columns are the time/ },
    ],
    [
      'three columns of times',
      lines('a,b,c,y', '1,1,1,1'),
      { columns: { a: { is: 'time' }, b: { is: 'time' }, c: { is: 'time' } } },
      { line: 1, key: 'c', message: /More than two columns are the time/ },
    ],
    ['a column without a name of a characteristic', lines('part,//', 'A,1'), undefined, { line: 1, key: '//', message: /names no char/ }],
    [
      'two values of a characteristic in one measurement',
      lines('measurement,characteristic,value', '1,x,1', '1,x,2'),
      undefined,
      { line: 3, key: 'value', message: /two values/ },
    ],
  ])('with %s is reported with its position', async (_, text, mapping, expected) => {
    const { errors, all } = await read(text, mapping);
    expect(errors).toMatchObject([{ ...expected, message: expect.stringMatching(expected.message) as unknown }]);
    expect(all).toEqual([]);
  });

  it.each([
    ['a row', 'a'],
    ['a quoted field', '"a\n'],
  ])('with %s that has no end is refused at the limit, without taking more memory', async (_, start) => {
    let sent = 0;
    function* endless(): Generator<Uint8Array> {
      yield Buffer.from(`part,x\n${start}`);
      const chunk = Buffer.from('b\n'.repeat(512 * 1024)).fill(start.startsWith('"') ? 'b\n' : 'b');
      for (; sent < 1024; sent += 1) yield chunk;
    }
    const { errors } = await readAll(readCsv(endless()));
    expect(errors).toMatchObject([{ line: 2, message: expect.stringMatching(/end within 8 MiB/) as unknown }]);
    expect(sent).toBeLessThan(24);
  });

  it('loses only the measurement with the error', async () => {
    expect(values(await read(lines('part,x,y', 'A,1,a', 'A,2,3')))).toEqual([['2', '3']]);
  });

  it('without a zone is read as UTC with a warning', async () => {
    const file = await readAll(readCsv(bytesOf(lines('part,time,x', 'A,05.01.2026 08:30,1'))));
    expect(file.all[0]?.attributes).toEqual({ 4: '2026-01-05T08:30:00Z' });
    expect(file.warnings).toMatchObject([
      { line: 2, key: 'time', message: expect.stringMatching(/taken as UTC. Name the zone/) as unknown },
    ]);
  });

  it('of random bytes is refused or read, and never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('"', ',', ';', '\n', '\r\n', '1', 'part', 'value', 'characteristic', '\u0000'))),
        async (pieces) => {
          const file = await read(pieces.join(''));
          expect(file.errorCount + file.measurements).toBeGreaterThan(0);
        },
      ),
      { numRuns: size({ short: 50, long: 3000 }) },
    );
  });
});

describe('what is written as CSV', () => {
  const cell = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() === text && text.trim().length > 0);

  it('is read back equal', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(cell, fc.double({ noNaN: true, noDefaultInfinity: true })), {
          selector: ([name]) => name,
          minLength: 1,
          maxLength: 5,
        }),
        async (rows) => {
          const text = [['part', 'characteristic', 'value', '9'], ...rows.map(([name, value]) => ['A', 'x', String(value), name])]
            .map((row) => writeCsvRow(row))
            .join('');
          const file = await readAll(readCsv(bytesOf(text, 7)));
          expect(file.errors).toEqual([]);
          expect(file.all.map(({ attributes, values: some }) => [attributes['9'], Number(some[0])])).toEqual(
            // The text of -0 is 0.
            rows.map(([name, value]) => [name, Number(String(value))]),
          );
        },
      ),
      { numRuns: size({ short: 50, long: 3000 }) },
    );
  });
});
