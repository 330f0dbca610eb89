import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UnreadableFileError } from '../problems.ts';
import { CsvSplitter } from './csv-splitter.ts';

/** Splits a text that arrives in blocks of whole lines. */
function split(text: string, separator = ',', blocks = [text]) {
  const splitter = new CsvSplitter(separator);
  for (const block of blocks) splitter.split(block);
  splitter.split('', true);
  return splitter.take();
}
const cells = (text: string, separator?: string) => split(text, separator).map((row) => row.cells);

describe('rows of CSV', () => {
  it.each<[string, string, string[][]]>([
    [
      'plain fields',
      'a,b\r\nc,\n',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['no line end at the end', 'a,b', [['a', 'b']]],
    ['quoted separators, quotes and line ends', '"a,b","say ""x""","two\r\nlines"\r\nc\n', [['a,b', 'say "x"', 'two\r\nlines'], ['c']]],
    [
      'empty quoted fields',
      '"",""\n"",a\n',
      [
        ['', ''],
        ['', 'a'],
      ],
    ],
    ['quotes within plain fields', '5",6\'\n7"\n', [['5"', "6'"], ['7"']]],
    ['text behind a quoted field', '"a,b"c,d\n', [['"a,b"c', 'd']]],
    ['an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
  ])('with %s are split', (_, text, expected) => {
    expect(cells(text)).toEqual(expected);
  });

  it('have the number of their first line', () => {
    expect(split('a\n"b\nc"\nd\n').map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  it('may begin in one block and end in another', () => {
    const text = 'a,"b\n""c""\n\n",d\ne,f\n';
    expect(split(text, ',', text.split(/(?<=\n)/)).map((row) => row.cells)).toEqual([
      ['a', 'b\n"c"\n\n', 'd'],
      ['e', 'f'],
    ]);
  });

  it('are what was written, for all texts', () => {
    const row = fc.array(fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', ' ') }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
        const text = rows.map((fields) => `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');
        expect(split(text, ',', text.split(/(?<=\n)/)).map((one) => one.cells)).toEqual(rows);
      }),
    );
  });

  it.each([
    ['plain fields', ','.repeat(8_000_000)],
    ['quoted fields', '"",'.repeat(2_000_000)],
    ['quoted line ends', '"\n",'.repeat(1_000_000)],
  ])('with too many %s are refused before they are split, and take no memory [D11.6]', (_, text) => {
    const before = process.memoryUsage().heapUsed;
    const splitter = new CsvSplitter(',');
    const refuse = () => splitter.split(`a,b\n${text}\n`);
    expect(refuse).toThrow(UnreadableFileError);
    expect(refuse).toThrow(/more than 16384 fields/);
    expect(splitter.take()[0]?.cells).toEqual(['a', 'b']);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
  });
});
