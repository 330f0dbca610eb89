import { describe, expect, it } from '@jest/globals';
import { writeCsvRow } from './csv-row.js';

describe('a line of CSV', () => {
  it('has commas between plain fields', () => expect(writeCsvRow(['a', '1.5', ''])).toBe('a,1.5,\r\n'));
  it('quotes fields with commas, quotes, line ends and blanks at their ends', () =>
    expect(writeCsvRow(['a,b', 'say "x"', 'two\nlines', ' x'])).toBe('"a,b","say ""x""","two\nlines"," x"\r\n'));
  it('keeps negative numbers', () => expect(writeCsvRow(['-1.5'])).toBe('-1.5\r\n'));
  it('gives a spreadsheet no formula', () => expect(writeCsvRow(['=1+1', '@SUM(A1)'])).toBe("'=1+1,'@SUM(A1)\r\n"));
});
