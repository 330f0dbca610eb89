import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv';

describe('csvOf', () => {
  it('writes numbers as they are and missing figures as nothing', () => {
    expect(csvOf(['a', 'b', 'c'], [[1.5, undefined, -2]])).toBe('\uFEFFa,b,c\r\n1.5,,-2\r\n');
  });
  it('quotes commas, quotes and line breaks', () => {
    expect(csvOf(['a'], [['x,"y"\n']])).toContain('"x,""y""\n"');
  });
  it('makes no formula of a text', () => {
    expect(csvOf(['a'], [['=1+1']])).toContain("'=1+1");
  });
});
