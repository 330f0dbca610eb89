import { describe, expect, it } from '@jest/globals';
import { PathScope, rangeEnd } from './path-scope.js';

describe('path scope', () => {
  it('sees a subtree with its root, and no part whose name only begins alike', () => {
    const scope = PathScope.below('pa/');
    expect(scope.includes('pa/')).toBe(true);
    expect(scope.includes('pa/pb/cx/')).toBe(true);
    expect(scope.includes('pab/')).toBe(false);
    expect(scope.includes('')).toBe(false);
    expect(PathScope.EVERYTHING.includes('')).toBe(true);
    expect(PathScope.NOTHING.includes('pa/')).toBe(false);
  });

  it('compiles ranges to index conditions, nested ones folded into the outer', () => {
    const { sql, values } = PathScope.below('pb/', 'pa/', 'pa/pc/').condition('item.path', 3);
    expect(sql).toBe('((item.path >= $3 AND item.path < $4) OR (item.path >= $5 AND item.path < $6))');
    expect(values).toEqual(['pa/', 'pa0', 'pb/', 'pb0']);
  });

  it('lets everything or nothing through without parameters', () => {
    expect(PathScope.EVERYTHING.condition('path', 1)).toEqual({ sql: 'TRUE', values: [] });
    expect(PathScope.below('', 'pa/').condition('path', 1)).toEqual({ sql: 'TRUE', values: [] });
    expect(PathScope.NOTHING.condition('path', 1)).toEqual({ sql: 'FALSE', values: [] });
  });

  it('agrees with the pure rule at the borders of a range', () => {
    const [lower, upper] = ['pa/', rangeEnd('pa/')];
    for (const path of ['p', 'pa', 'pa.', 'pa/', 'pa/ca/', 'pa/\u{10ffff}/', 'pa0', 'pb/']) {
      const inRange =
        Buffer.compare(Buffer.from(path), Buffer.from(lower)) >= 0 && Buffer.compare(Buffer.from(path), Buffer.from(upper)) < 0;
      expect([path, inRange]).toEqual([path, PathScope.below('pa/').includes(path)]);
    }
  });

  it('refuses a prefix without its closing slash', () => {
    expect(() => rangeEnd('pa')).toThrow('must end in "/"');
  });
});
