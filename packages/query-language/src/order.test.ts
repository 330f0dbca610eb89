import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any-text.fixture.ts';
import { GrammarError } from './grammar-error.ts';
import { parseOrder } from './order.ts';

describe('order', () => {
  it.each([
    ['4 desc', [['4', 'desc', 0]]],
    [
      '4 Desc,6 Asc',
      [
        ['4', 'desc', 0],
        ['6', 'asc', 7],
      ],
    ],
    [
      ' 4  DESC , 6\tasc ',
      [
        ['4', 'desc', 1],
        ['6', 'asc', 11],
      ],
    ],
    [
      '{4 desc, 6 asc}',
      [
        ['4', 'desc', 1],
        ['6', 'asc', 9],
      ],
    ],
    [
      'lastmodified asc,Created desc',
      [
        ['LastModified', 'asc', 0],
        ['Created', 'desc', 17],
      ],
    ],
    [
      '0 asc,65535 desc',
      [
        ['0', 'asc', 0],
        ['65535', 'desc', 6],
      ],
    ],
    ['', []],
    ['{}', []],
  ] as [string, [string, string, number][]][])('reads %j', (text, expected) => {
    const read = parseOrder(text).map(({ field, direction, position }) => [
      field.kind === 'attribute' ? String(field.key) : field.kind,
      direction,
      position,
    ]);
    expect(read).toEqual(expected);
  });

  it.each([
    ['4', 1, /asc or desc were expected behind 4, not nothing/],
    ['4 desc,6', 8, /behind 6/],
    ['4 desc, 6 ', 9, /behind 6/],
    ['4 up', 2, /not "up"/],
    ['4desc', 1, /A blank and asc or desc/],
    ['4 desc asc', 2, /not "desc asc"/],
    ['4+desc', 1, /not "\+desc"/],
    ['-4 desc', 0, /attribute key/],
    ['desc', 0, /attribute key/],
    ['time desc', 0, /attribute key/],
    ['4 desc,', 7, /attribute key/],
    [',4 desc', 0, /attribute key/],
    ['4 desc;6 asc', 2, /not "desc;6 asc"/],
    ['65536 asc', 0, /0 to 65535, not "65536"/],
    ['4 asc, 99999999999999999999 asc', 7, /0 to 65535/],
    ['4 asc,6 asc, 04 desc', 13, /names 4 twice/],
    ['Created asc,created desc', 12, /names Created twice/],
    [Array.from({ length: 65 }, (_, key) => `${key} asc`).join(), 438, /at most 64/],
  ])('refuses %.40j and names the position [D1.2, D5.8]', (text, position, message) => {
    const error = errorOf(() => parseOrder(text));
    expect(error.message).toMatch(message);
    expect(error.position).toBe(position);
  });

  it('fails only with a GrammarError', () => {
    const pieces = fc.constantFrom('4', ' ', ',', 'asc', 'DESC', '{', '}', 'Created', '65536', '\n', 'ä', '+');
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            parseOrder(text);
          } catch (error) {
            expect(error).toBeInstanceOf(GrammarError);
          }
        },
      ),
    );
  });
});

function errorOf(run: () => unknown): GrammarError {
  try {
    run();
  } catch (error) {
    if (error instanceof GrammarError) return error;
    throw error;
  }
  throw new Error('no error was thrown');
}
