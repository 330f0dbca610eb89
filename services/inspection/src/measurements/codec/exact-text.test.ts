import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { CANONICAL, canonicalText, decodeExactText, encodeExactText, IN_EXTRAS } from './exact-text.ts';

const RUNS = size({ short: 400, long: 30_000 });

function readBack(text: string): string | undefined {
  const exact = encodeExactText(text);
  return exact && decodeExactText(exact.value, exact.digits, exact.digits === IN_EXTRAS ? text : undefined);
}

const digits = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const sign = fc.constantFrom('', '-', '+');
const written = fc.oneof(
  fc.tuple(sign, digits(1, 25), digits(0, 70)).map(([s, whole, fraction]) => `${s}${whole}${fraction && `.${fraction}`}`),
  fc.tuple(sign, digits(1, 18), digits(1, 18), sign, fc.nat(300)).map(([s, a, b, es, e]) => `${s}${a}.${b}e${es}${e}`),
  fc.tuple(sign, digits(1, 5)).map(([s, fraction]) => `${s}.${fraction}`),
  fc.tuple(sign, digits(1, 5)).map(([s, whole]) => `${s}${whole}.`),
);
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('exact texts of measured values', () => {
  it('returns each text of a number character for character', () => {
    fc.assert(
      fc.property(written, (text) => {
        if (Number.isFinite(Number(text))) expect(readBack(text)).toBe(text);
        else expect(encodeExactText(text)).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it('returns the shortest text of each double, also padded or with 17 digits', () => {
    fc.assert(
      fc.property(doubles, fc.nat(20), (value, zeros) => {
        const text = canonicalText(value);
        expect(encodeExactText(text)).toEqual({ value, digits: CANONICAL });
        const padded = text.includes('e') ? text : `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
        expect(readBack(padded)).toBe(padded);
        expect(readBack(value.toPrecision(17))).toBe(value.toPrecision(17));
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['0', '-0', '-0.000', '0.00', '5e-324', '2.2250738585072011e-308', '1e21', '100000000000000000000', '0.1', '0.10', '007.50'])(
    'returns %s',
    (text) => expect(readBack(text)).toBe(text),
  );

  it('stores no text for numbers padded with up to 60 zeros', () => {
    expect(encodeExactText('1.50')?.digits).toBe(2);
    expect(encodeExactText(`1.${'0'.repeat(60)}`)?.digits).toBe(60);
    expect(encodeExactText(`1.${'0'.repeat(61)}`)?.digits).toBe(IN_EXTRAS);
    expect(encodeExactText('0.12345678901234567890')?.digits).toBe(IN_EXTRAS);
  });

  it.each(['', ' ', 'NaN', 'Infinity', '-Infinity', '1e400', '1,5', '0x10', '1.5 ', '.', '1e', '--1', '1_000'])('refuses %p', (text) =>
    expect(encodeExactText(text)).toBeUndefined(),
  );

  it('fails when a stored text is missing', () => {
    expect(() => decodeExactText(1, IN_EXTRAS)).toThrow('missing');
  });
});
