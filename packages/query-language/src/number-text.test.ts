import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareDecimals, fitsDouble, parseFloatText, parseIntegerText, type Decimal } from './number-text.ts';

describe('texts of floats', () => {
  it.each([
    ['0', 0, '', 0],
    ['-0', 0, '', 0],
    ['0.000', 0, '', 0],
    ['0e500', 0, '', 0],
    ['1', 1, '1', 1],
    ['-12.50', -1, '125', 2],
    ['+1.5', 1, '15', 1],
    ['.5', 1, '5', 0],
    ['5.', 1, '5', 1],
    ['5.e1', 1, '5', 2],
    ['007', 1, '7', 1],
    ['0.0012', 1, '12', -2],
    ['1e3', 1, '1', 4],
    ['1.20E-3', 1, '12', -2],
    ['1e+0400', 1, '1', 401],
    ['100', 1, '1', 3],
  ])('reads %s', (text, sign, digits, exponent) => {
    expect(parseFloatText(text)).toEqual({ sign, digits, exponent });
  });

  it.each([
    '',
    '.',
    '-',
    'e5',
    '.e5',
    '1e',
    '1e+',
    '1.2.3',
    '1,5',
    '1 000',
    '1_000',
    ' 1',
    '1 ',
    '1\n',
    '--1',
    '0x10',
    'NaN',
    'Infinity',
    '-Infinity',
    'inf',
    '1f',
    '1e5.5',
    '１',
    '1e10001',
    '1e-10001',
    '1e99999999999999999999',
    '1'.repeat(1001),
  ])('refuses %j', (text) => {
    expect(parseFloatText(text)).toBeUndefined();
  });

  it('recognises the texts in the range of a double', () => {
    expect(fitsDouble('1.7976931348623157e308')).toBe(true);
    expect(fitsDouble('1e-400')).toBe(true);
    expect(fitsDouble('1e309')).toBe(false);
    expect(fitsDouble('')).toBe(false);
    expect(fitsDouble(`-${'9'.repeat(400)}`)).toBe(false);
  });
});

describe('texts of integers', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['+5', 5n],
    ['007', 7n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    [`${'0'.repeat(900)}12`, 12n],
  ])('reads %s', (text, value) => {
    expect(parseIntegerText(text)).toBe(value);
  });

  it.each(['', '-', '+', '1.0', '1e3', '1.', ' 1', '1\n', '0x1', '1n', '9223372036854775808', '-9223372036854775809', '1'.repeat(100_000)])(
    'refuses %.30j',
    (text) => {
      expect(parseIntegerText(text)).toBeUndefined();
    },
  );
});

describe('comparing numbers', () => {
  it.each([
    ['12345678901234567890', '12345678901234567891', -1],
    ['0.10', '0.1', 0],
    ['1e400', '1e401', -1],
    ['1e400', '9e399', 1],
    ['-1e400', '1', -1],
    ['-2', '-1', -1],
    ['-1.5', '-1.50', 0],
    ['-0', '0', 0],
    ['1e3', '1000.000', 0],
    ['0.1', '0.1000000000000000055511151231257827', -1],
    ['9', '10', -1],
    ['1e-400', '0', 1],
    ['-1e-400', '0', -1],
    ['0.00012', '12e-5', 0],
  ])('%s and %s', (a, b, order) => {
    expect(Math.sign(compareDecimals(read(a), read(b)))).toBe(order);
    expect(Math.sign(compareDecimals(read(b), read(a)))).toBe(0 - order);
  });

  it('agrees with BigInt arithmetic', () => {
    const written = fc.record({
      sign: fc.constantFrom('', '-', '+'),
      whole: fc.stringMatching(/^[0-9]{1,25}$/),
      fraction: fc.stringMatching(/^[0-9]{0,25}$/),
      exponent: fc.integer({ min: -30, max: 30 }),
    });
    type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;
    const print = ({ sign, whole, fraction, exponent }: Written): string => `${sign}${whole}.${fraction}e${exponent}`;
    // Exponents are at least -30 and fractions at most 25 digits: multiplied by 10^60 every value is whole.
    const scaled = ({ sign, whole, fraction, exponent }: Written): bigint => {
      const magnitude = BigInt(whole + fraction) * 10n ** BigInt(60 + exponent - fraction.length);
      return sign === '-' ? -magnitude : magnitude;
    };
    const shifted = ({ sign, whole, fraction, exponent }: Written): Written => ({
      sign,
      whole: whole + fraction,
      fraction: '',
      exponent: exponent - fraction.length,
    });
    const pair = fc.oneof(
      fc.tuple(written, written),
      written.map((a): [Written, Written] => [a, { ...shifted(a), whole: `0${a.whole}${a.fraction}` }]),
      written.map((a): [Written, Written] => [a, { ...a, fraction: `${a.fraction.slice(0, 24)}1` }]),
    );
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(Math.sign(compareDecimals(read(print(a)), read(print(b))))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });

  it('agrees with doubles where they are exact', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (a, b) => {
        // The shortest texts of two float64 numbers have the order of the numbers.
        expect(Math.sign(compareDecimals(read(String(a)), read(String(b))))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

function read(text: string): Decimal {
  const decimal = parseFloatText(text);
  if (!decimal) throw new Error(`not a number: ${text}`);
  return decimal;
}
