import { describe, expect, it } from '@jest/globals';
import { isReadable, rangeEnd, readableCondition } from './readable-parts.js';

describe('readable parts', () => {
  it('sees a subtree with its root, and no part whose name only begins alike', () => {
    const readable = [{ prefix: 'pa/' }];
    expect(isReadable(readable, 'pa/')).toBe(true);
    expect(isReadable(readable, 'pa/pb/cx/')).toBe(true);
    expect(isReadable(readable, 'pab/')).toBe(false);
    expect(isReadable(readable, '')).toBe(false);
    expect(isReadable('all', '')).toBe(true);
    expect(isReadable([], 'pa/')).toBe(false);
  });

  it('compiles ranges to index conditions, nested ones folded into the outer', () => {
    const { sql, values } = readableCondition([{ prefix: 'pb/' }, { prefix: 'pa/' }, { prefix: 'pa/pc/' }], 'item.path', 3);
    expect(sql).toBe('((item.path >= $3 AND item.path < $4) OR (item.path >= $5 AND item.path < $6))');
    expect(values).toEqual(['pa/', 'pa0', 'pb/', 'pb0']);
  });

  it('lets everything or nothing through without parameters', () => {
    expect(readableCondition('all', 'path', 1)).toEqual({ sql: 'TRUE', values: [] });
    expect(readableCondition([{ prefix: '' }], 'path', 1)).toEqual({ sql: 'TRUE', values: [] });
    expect(readableCondition([], 'path', 1)).toEqual({ sql: 'FALSE', values: [] });
  });

  it('agrees with the pure rule at the borders of a range', () => {
    const [lower, upper] = ['pa/', rangeEnd('pa/')];
    for (const path of ['p', 'pa', 'pa.', 'pa/', 'pa/ca/', 'pa/\u{10ffff}/', 'pa0', 'pb/']) {
      const inRange =
        Buffer.compare(Buffer.from(path), Buffer.from(lower)) >= 0 && Buffer.compare(Buffer.from(path), Buffer.from(upper)) < 0;
      expect([path, inRange]).toEqual([path, isReadable([{ prefix: 'pa/' }], path)]);
    }
  });

  it('refuses a prefix without its closing slash', () => {
    expect(() => rangeEnd('pa')).toThrow('must end in "/"');
  });
});
