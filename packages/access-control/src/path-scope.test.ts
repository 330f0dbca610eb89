import { describe, expect, it } from '@jest/globals';
import { PathScope, rangeEnd, type PathScopeJson } from './path-scope.ts';

describe('path scope', () => {
  it('includes a subtree with its root, and no part whose name only begins alike [D8.2]', () => {
    const scope = PathScope.below('pa/');
    expect(scope.includes('pa/')).toBe(true);
    expect(scope.includes('pa/pb/cx/')).toBe(true);
    expect(scope.includes('pab/')).toBe(false);
    expect(scope.includes('')).toBe(false);
    expect(PathScope.EVERYTHING.includes('')).toBe(true);
    expect(PathScope.NOTHING.includes('pa/')).toBe(false);
  });

  it('has ranges of paths, nested ones merged', () => {
    expect(PathScope.below('pb/', 'pa/', 'pa/pc/').ranges).toEqual([
      { first: 'pa/', end: 'pa0' },
      { first: 'pb/', end: 'pb0' },
    ]);
  });

  it('has one range without an end for everything', () => {
    expect(PathScope.below('', 'pa/').ranges).toEqual([{ first: '', end: undefined }]);
    expect(PathScope.NOTHING.ranges).toEqual([]);
  });

  it('agrees with the rule in memory at the limits of a range', () => {
    const [lower, upper] = ['pa/', rangeEnd('pa/')];
    for (const path of ['p', 'pa', 'pa.', 'pa/', 'pa/ca/', 'pa/\u{10ffff}/', 'pa0', 'pb/']) {
      const inRange =
        Buffer.compare(Buffer.from(path), Buffer.from(lower)) >= 0 && Buffer.compare(Buffer.from(path), Buffer.from(upper)) < 0;
      expect([path, inRange]).toEqual([path, PathScope.below('pa/').includes(path)]);
    }
  });

  it.each([
    ['everything', PathScope.EVERYTHING, '"all"'],
    ['nothing', PathScope.NOTHING, '[]'],
    ['two subtrees', PathScope.below('pb/', 'pa/'), '[{"prefix":"pa/"},{"prefix":"pb/"}]'],
  ])('is stored as JSON and restored: %s', (_, scope, json) => {
    expect(JSON.stringify(scope)).toBe(json);
    expect(PathScope.fromJSON(JSON.parse(json) as PathScopeJson)).toEqual(scope);
  });

  it('refuses a prefix without final slash', () => {
    expect(() => rangeEnd('pa')).toThrow('must end in "/"');
  });
});
