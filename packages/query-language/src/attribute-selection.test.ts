import { describe, expect, it } from '@jest/globals';
import { parseAttributeSelection } from './attribute-selection.ts';
import { GrammarError } from './grammar-error.ts';

describe('attribute selections', () => {
  it.each([
    ['All', 'all'],
    [' ALL ', 'all'],
    ['None', []],
    ['none', []],
    ['', []],
    ['  ', []],
    ['{}', []],
    ['{ }', []],
    ['{1,2}', [1, 2]],
    ['1,2', [1, 2]],
    [' { 2 , 1 } ', [2, 1]],
    ['1,2,01', [1, 2]],
    ['{0,65535}', [0, 65535]],
  ])('reads %j [D5.10]', (text, selection) => {
    expect(parseAttributeSelection(text)).toEqual(selection);
  });

  it.each([
    ['{All}', 1, '"All"'],
    ['1,all', 2, '"all"'],
    ['1,,2', 2, '""'],
    ['{1,}', 3, '""'],
    ['1;2', 0, '"1;2"'],
    ['1 2', 0, '"1 2"'],
    ['{1', 0, '"{1"'],
    ['1, 65536', 3, '"65536"'],
    ['-1', 0, '"-1"'],
    ['1.0', 0, '"1.0"'],
    ['1e3', 0, '"1e3"'],
    ['0x1', 0, '"0x1"'],
    ['*', 0, '"*"'],
  ])('refuses %j and names the position', (text, position, found) => {
    expect(() => parseAttributeSelection(text)).toThrow(GrammarError);
    expect(() => parseAttributeSelection(text)).toThrow(
      `All, None or a list of attribute keys (0 to 65535) such as {1,2} was expected, not ${found} (at character ${position + 1})`,
    );
  });
});
