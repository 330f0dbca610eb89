import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { likeMatches } from './like-matches.ts';

describe('Like', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['%', '', true],
    ['%', 'a\nb', true],
    ['a%', 'abc', true],
    ['a%', 'ba', false],
    ['%c', 'abc', true],
    ['%b%', 'abc', true],
    ['a%a', 'a', false],
    ['a%a', 'aa', true],
    ['a%b%c', 'a-b-c', true],
    ['a%b%b', 'ab', false],
    ['%ab%ba%', 'aba', false],
    ['a%%c', 'ac', true],
    ['a_c', 'abc', false],
    ['a_c', 'a_c', true],
    ['a*', 'abc', false],
    ['a\\%', 'a\\b', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['A%', 'abc', false],
  ])('%j on %j: %s', (pattern, text, result) => {
    expect(likeMatches(pattern, text)).toBe(result);
  });

  it('agrees with a regular expression', () => {
    const unit = fc.constantFrom('a', 'b', '_', '\\', '*', '.');
    const pattern = fc.string({ unit: fc.oneof(unit, fc.constant('%')), maxLength: 8 });
    fc.assert(
      fc.property(pattern, fc.string({ unit, maxLength: 12 }), (like, text) => {
        const source = like
          .split('%')
          .map((piece) => piece.replace(/[\\*.]/g, '\\$&'))
          .join('[^]*');
        expect(likeMatches(like, text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('needs no exponential time', () => {
    const started = process.cpuUsage();
    expect(likeMatches('%a'.repeat(5000) + 'b', 'a'.repeat(100_000))).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});
