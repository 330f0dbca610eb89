import { describe, expect, it } from '@jest/globals';
import { separatorOf } from './separator.ts';

describe('the separator of a CSV file', () => {
  it.each([
    ['decimal commas', ';', 'part;A\nP;1,5\nP;1,6'],
    ['as many decimal commas as columns', ';', 'A;B;C\n1,5;2,5;3,5\n1,6;2,6;3,6'],
    ['commas in the names of columns', ';', 'Länge, mm;Breite, mm\n1,5;2,5\n1,6;2,6'],
    ['semicolons in quoted names', ',', '"a;b;c;d",e\n1,2\n3,4'],
    ['tabs', '\t', 'part\tA, B\nP\t1,5'],
    ['bars', '|', 'part|A\nP|1'],
    ['one column with decimal commas', ';', 'A\n1,5\n1,6'],
    ['a row with too many fields', ',', 'part,A\nP,1,5'],
    ['a text of commas', ';', 'part;A;Bemerkung\nP;1;rot, rund, neu\nP;2;blau, eckig, alt'],
    ['only a header row', ';', 'part;A'],
    ['semicolons in a list', ',', 'part,A,list\nP,1,a;b;c;d\nP,2,a;b;c;d'],
  ])('is found with %s', (_, separator, text) => {
    expect(separatorOf(text)).toBe(separator);
  });

  it('is found in a header row below others', () => {
    expect(separatorOf('Report, of, cell, 3\n\npart;A\nP;1,5', 3)).toBe(';');
  });

  it('is found in the beginning of a large file', () => {
    expect(separatorOf(`part;A\n${'P;1,5\n'.repeat(100_000)}`)).toBe(';');
  });
});
