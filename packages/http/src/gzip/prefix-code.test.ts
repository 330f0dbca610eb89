import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Alphabet, codeLengths, prefixCodes } from './prefix-code.js';

/** Some come much more often than others, so that codes would be too long. */
const counts = fc
  .array(
    fc.oneof(
      fc.constant(0),
      fc.nat(20),
      fc.nat(30).map((power) => 2 ** power),
    ),
    { minLength: 2, maxLength: 286 },
  )
  .filter((all) => all.filter((count) => count > 0).length >= 2)
  .map((all) => Int32Array.from(all));

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

describe('the lengths of prefix codes', () => {
  it('use up all codes, are not too long, and are none for what does not come', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(9, 12, 15), (all, mostBits) => {
        const lengths = [...codeLengths(all, mostBits)];
        expect(Math.max(...lengths)).toBeLessThanOrEqual(mostBits);
        expect(sum(lengths.filter((length) => length > 0).map((length) => 2 ** -length))).toBe(1);
        expect(lengths.map((length) => length > 0)).toEqual([...all].map((count) => count > 0));
      }),
      { numRuns: 500 },
    );
  });

  it('take less than a bit more than the information that is in the symbols, where none has to be shortened', () => {
    const few = fc.array(fc.nat(1000), { minLength: 2, maxLength: 286 }).filter((all) => all.filter((count) => count > 0).length >= 2);
    fc.assert(
      fc.property(few, (all) => {
        const lengths = codeLengths(Int32Array.from(all), 40);
        const total = sum(all);
        const information = sum(all.filter((count) => count > 0).map((count) => count * Math.log2(total / count)));
        const bits = sum(all.map((count, symbol) => count * (lengths[symbol] as number)));
        expect(bits).toBeGreaterThanOrEqual(information - 1e-6);
        expect(bits).toBeLessThan(information + total);
      }),
    );
  });
});

describe('prefix codes', () => {
  it('are those of the example in RFC 1951, 3.2.2', () => {
    const lengths = Uint8Array.from([3, 3, 3, 3, 3, 2, 4, 4]);
    const written = [...prefixCodes(lengths)].map((code) => [...(code >>> 5).toString(2).padStart(code & 31, '0')].reverse().join(''));
    expect(written).toEqual(['010', '011', '100', '101', '110', '00', '1110', '1111']);
  });

  it('are there for every symbol of an alphabet, short for what came', () => {
    const alphabet = new Alphabet(30, 15);
    alphabet.counts[7] = 1_000_000;
    alphabet.renew();
    expect(Math.min(...alphabet.lengths)).toBe(1);
    expect(alphabet.lengths[7]).toBe(1);
    expect([...alphabet.counts]).toEqual(Array.from({ length: 30 }, () => 0));
  });
});
