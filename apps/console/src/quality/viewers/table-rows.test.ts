import { describe, expect, it } from '@jest/globals';
import { tableRows } from './table-rows';

describe('rows of a text', () => {
  it.each([';', ',', '\t', '|'])('are divided by %j', (separator) => {
    const text = [`a${separator}b`, `1${separator}2`, `3${separator}4`].join('\n');
    expect(tableRows(text, true)).toEqual({
      head: ['a', 'b'],
      rows: [
        ['1', '2'],
        ['3', '4'],
      ],
    });
  });

  it('keep decimal commas, and line breaks and separators in quotes', () => {
    expect(tableRows('a;b\r\n125,4;"1;\n2 ""x"""\r\n', true).rows).toEqual([['125,4', '1;\n2 "x"']]);
  });

  it('give a name to no column that has none', () => {
    expect(tableRows('a\n1;2;3\n', true).head).toEqual(['a', '', '']);
  });

  it('lose the last one where it may be cut', () => {
    expect(tableRows('a;b\n1;2\n3', false).rows).toEqual([['1', '2']]);
  });

  it('keep one that is longer than what is shown', () => {
    expect(tableRows('a;b', false).head).toEqual(['a', 'b']);
  });

  it('are none in a text without letters', () => {
    expect(tableRows('', true)).toEqual({ head: [], rows: [] });
  });
});
