import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any-text.fixture.ts';
import { compareCodePoints, foldCase } from './fold-case.ts';

describe('case folding like lower()', () => {
  it.each([
    ['ABC xyz 1', 'abc xyz 1'],
    ['TÜR', 'tür'],
    ['Straße ẞ', 'straße ß'],
    ['ΌΔΟΣ', 'όδοσ'],
    ['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύσ'],
    ['İI', 'ii'],
    ['ıſ', 'ıſ'],
    ['Ǆ ǅ', 'ǆ ǆ'],
    ['\u212A', 'k'],
    ['𐐀', '𐐨'],
    ['E\u0301', 'e\u0301'],
  ])('%s becomes %s', (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  it('maps each code point to one code point, at any position', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (a, b) => {
        expect([...foldCase(a)]).toHaveLength([...a].length);
        expect(foldCase(a + b)).toBe(foldCase(a) + foldCase(b));
      }),
    );
  });

  it('never returns more than one code point', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const folded = foldCase(String.fromCodePoint(codePoint));
      const length = (folded.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
      if (folded.length !== length) throw new Error(`U+${codePoint.toString(16)} becomes ${folded}`);
    }
  });
});

describe('order of code points', () => {
  it.each([
    ['', 'a', -1],
    ['a', 'ab', -1],
    ['Z', 'a', -1],
    ['\uff21', '\u{1f600}', -1],
    ['\ud7ff', '\u{10000}', -1],
    ['\u{10000}', '\u{10001}', -1],
    ['é', 'é', 0],
  ])('%s and %s', (a, b, order) => {
    expect(Math.sign(compareCodePoints(a, b))).toBe(order);
    expect(Math.sign(compareCodePoints(b, a))).toBe(0 - order);
  });

  it('is the order of the UTF-8 bytes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}', '\u{10000}', '\uff21', '\ue000', 'é') });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
