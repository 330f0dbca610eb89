import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvSplitter } from './csv-splitter.ts';
import { writeCsvRow } from './csv-row.ts';

const read = (text: string) => {
  const splitter = new CsvSplitter(',');
  splitter.split(text, true);
  return splitter.take()[0]?.cells;
};

describe('a line of CSV', () => {
  it('has commas between plain fields', () => expect(writeCsvRow(['a', '1.5', ''])).toBe('a,1.5,\r\n'));
  it('quotes fields with commas, quotes, line ends and blanks at their ends', () =>
    expect(writeCsvRow(['a,b', 'say "x"', 'two\nlines', ' x'])).toBe('"a,b","say ""x""","two\nlines"," x"\r\n'));
  it('keeps negative numbers', () => expect(writeCsvRow(['-1.5'])).toBe('-1.5\r\n'));
  it('gives a spreadsheet no formula', () => expect(writeCsvRow(['=1+1', '@SUM(A1)'])).toBe("'=1+1,'@SUM(A1)\r\n"));

  it.each([';', ',', '\t', '\n', '\r\n'])('gives no formula to a spreadsheet that divides texts at %j', (separator) => {
    const line = writeCsvRow(['A', `x${separator}=1+1`, `y${separator}"=cmd"`, `z${separator}'@a`]);
    const divided = line.split(/[;,\t\r\n]/).map((cell) => cell.replace(/^"*/, ''));
    expect(divided.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
  });

  it('is read back equal', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', ';', '\t', '"', "'", '=', '-', '1', '\n', '\r', ' ') });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        expect(read(writeCsvRow(['id', ...texts]))).toEqual(['id', ...texts]);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read as it was written before texts were guarded behind separators [D11.7]', () => {
    expect(read(`id,"a,'=1",b;'=1,'=1,"c\n'@"\r\n`)).toEqual(['id', "a,'=1", "b;'=1", '=1', "c\n'@"]);
  });
});
