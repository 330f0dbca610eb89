import { describe, expect, it } from '@jest/globals';
import { DISTANCES, LENGTHS, distanceSymbol, lengthSymbol, type Ranges } from './match-symbols.js';

const isIn = ({ firsts, bits }: Ranges, symbol: number, value: number) =>
  value >= (firsts[symbol] ?? NaN) && value - (firsts[symbol] ?? NaN) < 2 ** (bits[symbol] ?? NaN);

describe('symbols of matches', () => {
  // RFC 1951, 3.2.5, whose symbols of lengths begin with 257.
  it.each([
    [3, 0, 0],
    [10, 7, 0],
    [11, 8, 1],
    [12, 8, 1],
    [18, 11, 1],
    [19, 12, 2],
    [114, 22, 4],
    [115, 23, 4],
    [257, 27, 5],
    [258, 28, 0],
  ])('has for the length %s the symbol %s with %s bits', (length, symbol, bits) => {
    expect(lengthSymbol(length)).toBe(symbol);
    expect(LENGTHS.bits[symbol]).toBe(bits);
  });

  it.each([
    [1, 0, 0],
    [4, 3, 0],
    [5, 4, 1],
    [192, 14, 6],
    [193, 15, 6],
    [256, 15, 6],
    [257, 16, 7],
    [24_576, 28, 13],
    [24_577, 29, 13],
    [32_768, 29, 13],
  ])('has for the distance %s the symbol %s with %s bits', (distance, symbol, bits) => {
    expect(distanceSymbol(distance)).toBe(symbol);
    expect(DISTANCES.bits[symbol]).toBe(bits);
  });

  it('has every length and distance in the range of its symbol', () => {
    const outside = [];
    for (let length = 3; length <= 258; length += 1) if (!isIn(LENGTHS, lengthSymbol(length), length)) outside.push(length);
    for (let distance = 1; distance <= 32_768; distance += 1) {
      if (!isIn(DISTANCES, distanceSymbol(distance), distance)) outside.push(-distance);
    }
    expect(outside).toEqual([]);
  });
});
