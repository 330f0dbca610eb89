import fc from 'fast-check';

const CODE_POINT = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Texts of any code points. The unit `binary` of fast-check gives the same texts, but is slow, because it first lists all code points. */
export const anyText = (limits: { maxLength?: number } = {}): fc.Arbitrary<string> => fc.string({ unit: CODE_POINT, ...limits });
