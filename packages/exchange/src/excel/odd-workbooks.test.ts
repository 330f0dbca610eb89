import { describe, expect, it } from '@jest/globals';
import { readAll } from '../read-all.fixture.ts';
import type { TableMapping } from '../table/table-mapping.ts';
import { archiveOf, rowsOf, workbookOf, type Row, type WorkbookPieces } from './workbook.fixture.ts';
import { readXlsx } from './xlsx-reader.ts';

const DATE = '<c s="1"><v>46027.4375</v></c>';
const TIMES = { formats: ['yyyy-mm-dd hh:mm'] };
const HEADER = ['part', 'time', 'Dia'] as const;
const read = async (pieces: WorkbookPieces, mapping?: TableMapping) =>
  readAll(readXlsx([await workbookOf(pieces)], { zone: 'UTC', mapping }));
const one = (...rows: readonly Row[]) => ({ ...TIMES, sheets: { Sheet1: rowsOf(...rows) } });
const values = ({ all }: Awaited<ReturnType<typeof read>>) => all.map((each) => each.values);

describe('a workbook of another program', () => {
  it.each<[string, Partial<WorkbookPieces>]>([
    ['a part of texts whose name differs in case', { stringsPart: 'xl/sharedstrings.XML' }],
    ['relative targets', { targetPrefix: './' }],
    ['targets that climb', { targetPrefix: '../xl/' }],
    ['absolute targets', { targetPrefix: '/xl/' }],
    ['another name of the workbook', { workbookPart: 'xl/book.xml' }],
  ])('with %s is read', async (_, pieces) => {
    const rows = rowsOf(['<c t="s"><v>0</v></c>', 'Dia'], ['<c t="s"><v>1</v></c>', 1.5]);
    const file = await read({ sheets: { A: rows }, strings: ['part', 'P'], ...pieces });
    expect(file.errors).toEqual([]);
    expect(file.parts.map(({ name }) => name)).toEqual(['P']);
    expect(values(file)).toEqual([['1.5']]);
  });

  it('takes no letter of a blank or a filling for a date', async () => {
    const file = await read({
      formats: ['_-* #,##0.00 _D_M_-;-* #,##0.00 _D_M_-', '0.0*d', 'yyyy&quot;h&quot;'],
      sheets: {
        A: rowsOf(['part', 'time', 'A', 'B'], ['P', '<c s="3"><v>46027</v></c>', '<c s="1"><v>1.5</v></c>', '<c s="2"><v>2</v></c>']),
      },
    });
    expect(values(file)).toEqual([['1.5', '2']]);
    expect(file.all[0]?.attributes).toEqual({ 4: '2026-01-05T00:00:00Z' });
  });

  it('gives numbers with their fewest digits, and never takes them for others', async () => {
    const cells = ['2.9999999999999999E-2', '20.012000000000001', '1.234', '1E-7', '0.30000000000000004', '12'];
    const rows = cells.map((text) => ['P', `<c><v>${text}</v></c>`]);
    // A text with a decimal comma says nothing about cells that are numbers.
    const file = await read(one(['part', 'Dia'], ...rows, ['P', '1,5']), { decimal: ',' });
    expect(file.errors).toEqual([]);
    expect(values(file).flat()).toEqual(['0.03', '20.012', '1.234', '1e-7', '0.30000000000000004', '12', '1.5']);
  });

  it('counts merged cells for all their rows [D11.6]', async () => {
    const behindRows = '<mergeCells count="2"><mergeCell ref="A2:A4"/><mergeCell ref="B3:B4"/></mergeCells>';
    const file = await read({
      ...one(HEADER, ['P', DATE, 1], [undefined, DATE, 2], [undefined, undefined, 3], ['Q', DATE, 4]),
      behindRows,
    });
    expect(file.errors).toEqual([]);
    expect(file.all.map(({ part, attributes }) => [part, attributes['4']])).toEqual(
      [1, 1, 1, 2].map((part) => [part, '2026-01-05T10:30:00Z']),
    );
  });

  it('joins the date and the time of day of two columns', async () => {
    const rows = rowsOf(['part', 'Day', 'Clock', 'Dia'], ['P', '<c s="1"><v>46027</v></c>', '<c s="1"><v>0.4375</v></c>', 1]);
    const columns: TableMapping['columns'] = { Day: { is: 'time' }, Clock: { is: 'time' } };
    const file = await read({ ...TIMES, sheets: { A: rows } }, { columns });
    expect(file.all[0]?.attributes).toEqual({ 4: '2026-01-05T10:30:00Z' });
  });

  it('has its names in a row that headerRow says', async () => {
    const rows = [
      ['', '', 'Bore', ''],
      [...HEADER, 'Len'],
      ['P', DATE, 1.5, 2.5],
    ] as const;
    expect((await read(one(...rows))).errors[0]?.message).toMatch(/is no number.*say headerRow in the mapping/);
    expect(values(await read(one(...rows), { headerRow: 2 }))).toEqual([['1.5', '2.5']]);
  });
});

describe('a workbook that cannot be read right is refused', () => {
  it.each<[string, WorkbookPieces, RegExp]>([
    [
      'a formula without a stored result',
      one(HEADER, ['P', DATE, '<c><f>1+0.5</f><v></v></c>']),
      /^The cell C2 holds a formula without a stored result; open the workbook and save it/,
    ],
    ['a formula without any result', one(HEADER, ['P', DATE, '<c><f>1+0.5</f></c>']), /^The cell C2 holds a formula/],
    ['a time without a date', one(HEADER, ['P', '<c s="1"><v>0.2604166666</v></c>', 1.5]), /^"06:15:00" is no date that is known/],
    ['a row of limits', one(HEADER, ['LSL', undefined, 1.4], ['P', DATE, 1.5]), /^The row with "LSL" holds limits or nominal values/],
    [
      'a row of limits without a column for its name',
      one(['', 'Dia'], ['Nominal', 1.4], ['', 1.5]),
      /^The row with "Nominal" holds limits/,
    ],
    [
      'its table on another sheet',
      { ...TIMES, sheets: { Cover: rowsOf(['Inspection report'], ['Company']), Data: rowsOf(HEADER, ['P', DATE, 1]) } },
      /The sheet "Cover" was read; to read "Data", say sheet in the mapping/,
    ],
    [
      'more than 1,000 sheets',
      { sheets: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`S${i}`, ''])) },
      /more than 1000 sheets/,
    ],
    ['elements far within each other', { sheets: { A: '<x>'.repeat(60) + '</x>'.repeat(60) } }, /more than 50 elements within each other/],
    [
      'an element with many attributes',
      { sheets: { A: `<row ${Array.from({ length: 1500 }, (_, i) => `a${i}="1"`).join(' ')}/>` } },
      /more than 1000 attributes/,
    ],
  ])('with %s', async (_, pieces, message) => {
    const { errors, all } = await read(pieces);
    expect(errors[0]?.message).toMatch(message);
    expect(all.length).toBeLessThan(2);
  });

  it('keeps the rows that have no such formula, and columns that are left out', async () => {
    const pieces = one([...HEADER, 'Mean'], ['P', DATE, 1, '<c><f>A1</f></c>'], ['P', DATE, 2, 3]);
    expect(values(await read(pieces))).toEqual([['2', '3']]);
    expect(values(await read(pieces, { columns: { Mean: { is: 'nothing' } } }))).toEqual([['1'], ['2']]);
  });

  it('when a part is far larger than its archive', async () => {
    const file = await archiveOf({ 'xl/workbook.xml': Buffer.alloc(65 * 1024 * 1024) });
    expect((await readAll(readXlsx([file]))).errors[0]?.message).toMatch(/"xl\/workbook.xml" is too large/);
  });

  it('before cells at the ends of many rows fill the memory', async () => {
    const row = (i: number) => `<row r="${i + 2}"><c r="XFD${i + 2}"><v>1</v></c></row>`;
    const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>part</t></is></c><c r="XFD1" t="inlineStr"><is><t>Dia</t></is></c></row>';
    const file = await workbookOf({ sheets: { A: header + Array.from({ length: 3_200 }, (_, i) => row(i)).join('') } });
    let measurements = 0;
    const reader = readXlsx([file], { mapping: { part: 'P' } });
    for (let next = await reader.next(); ; next = await reader.next()) {
      if (next.done === true) {
        expect(next.value.errors[0]?.message).toMatch(/The rows of the sheet are too large/);
        break;
      }
      measurements += next.value.length;
    }
    expect(measurements).toBeGreaterThan(2_500);
  });
});
