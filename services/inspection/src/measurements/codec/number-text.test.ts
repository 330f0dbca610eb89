import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { canonicalText } from './exact-text.ts';
import { MAX_NUMBER_TEXT_BYTES, NumberTextWriter } from './number-text.ts';

const RUNS = size({ short: 400, long: 30_000 });

const BEFORE = 3;
const bytes = Buffer.alloc(BEFORE + MAX_NUMBER_TEXT_BYTES);

function written(writer: NumberTextWriter, value: number): string {
  return bytes.toString('latin1', BEFORE, writer.write(Float64Array.of(NaN, value), 1, bytes, BEFORE));
}

const decimals = fc
  .tuple(fc.maxSafeInteger(), fc.nat(17), fc.nat(22))
  .map(([whole, scale, digits]) => Number((whole / 10 ** scale).toPrecision(Math.max(1, digits % 18))));
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const near = fc.tuple(fc.integer(), fc.nat(12)).map(([whole, scale]) => (whole / 10 ** scale) * (1 + Number.EPSILON));

describe('number texts', () => {
  it('equals the text of ECMAScript for random numbers written in sequence', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(decimals, doubles, near), { minLength: 1, maxLength: 20 }), (values) => {
        const writer = new NumberTextWriter();
        for (const value of values) {
          const text = canonicalText(value);
          expect(written(writer, value)).toBe(text);
          expect(writer.fractionDigits).toBe(text.includes('e') ? undefined : (text.split('.')[1]?.length ?? 0));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    0,
    -0,
    1e-6,
    9.9e-7,
    0.1 + 0.2,
    5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    999_999_999_999_999,
    1e15,
    999_999_999_999_999_900,
    1e21,
    -0.0000012345678901234567,
    2 ** 31,
    2 ** 31 - 1,
    4_294_967_296.25,
    100,
    10.5,
  ])('equals the text of ECMAScript for %p', (value) => {
    const writer = new NumberTextWriter();
    for (const before of [0, 0.123456, 1e-7, 123]) {
      written(writer, before);
      expect(written(writer, value)).toBe(canonicalText(value));
    }
  });
});
