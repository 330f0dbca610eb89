import { describe, expect, it } from '@jest/globals';
import { parseList } from './list.ts';

describe('list parameters', () => {
  it.each([
    ['{a,b}', ['a', 'b']],
    ['a,b', ['a', 'b']],
    [' { a , b } ', ['a', 'b']],
    ['{}', []],
    ['', []],
    ['{ }', []],
    ['{{a},{b}}', ['{a}', '{b}']],
    ['{a},{b}', ['{a}', '{b}']],
    ['{a,}', ['a', '']],
  ])('reads %j [I8, D1.3]', (text, items) => {
    expect(parseList(text)).toEqual(items);
  });
});
