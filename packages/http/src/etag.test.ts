import { describe, expect, it } from '@jest/globals';
import { matchesEtag } from './etag.ts';

describe('entity tags in conditions', () => {
  it.each(['"a-1"', 'W/"a-1"', '*', ' * ', '"x", "a-1"', '"x",W/"a-1" , "y"', 'a-1', '"a, b", "a-1"'])('match "a-1" with %s', (header) => {
    expect(matchesEtag(header, '"a-1"')).toBe(true);
    expect(matchesEtag(header, 'W/"a-1"')).toBe(true);
  });

  it.each([undefined, '', '"a-10"', '"A-1"', '"x a-1"', 'W/', '"*"', '""'])('do not match "a-1" with %j', (header) => {
    expect(matchesEtag(header, '"a-1"')).toBe(false);
    expect(matchesEtag(header, '"a-1"', 'strong')).toBe(false);
  });

  it('are compared strongly for changes', () => {
    expect(matchesEtag('"a-1"', '"a-1"', 'strong')).toBe(true);
    expect(matchesEtag('*', '"a-1"', 'strong')).toBe(true);
    expect(matchesEtag('W/"a-1"', '"a-1"', 'strong')).toBe(false);
    expect(matchesEtag('"a-1"', 'W/"a-1"', 'strong')).toBe(false);
    expect(matchesEtag('W/"a-1", "a-1"', '"a-1"', 'strong')).toBe(true);
  });
});
