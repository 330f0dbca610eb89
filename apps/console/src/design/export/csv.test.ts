import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv';

describe('csvOf', () => {
  it('writes numbers as they are and missing figures as nothing', () => {
    expect(csvOf({ head: ['a', 'b', 'c'], rows: [[1.5, undefined, -2]] }, 'en')).toBe('\uFEFFa,b,c\r\n1.5,,-2\r\n');
  });
  it('quotes commas, quotes and line breaks', () => {
    expect(csvOf({ head: ['a'], rows: [['x,"y"\n']] }, 'en')).toContain('"x,""y""\n"');
  });
  it('makes no formula of a text', () => {
    expect(csvOf({ head: ['a'], rows: [['=1+1']] }, 'en')).toContain("'=1+1");
  });
  it('writes decimal commas between semicolons in German', () => {
    expect(csvOf({ head: ['a', 'b'], rows: [[1.5, 'x;y']] }, 'de')).toBe('\uFEFFa;b\r\n1,5;"x;y"\r\n');
  });
});
