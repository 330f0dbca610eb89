import { PathScope } from '@sinebar/access-control';
import { describe, expect, it } from '@jest/globals';
import { pathCondition } from './path-condition.ts';

describe('condition on paths', () => {
  it('has a range for each subtree, for the index', () => {
    const { text, values } = pathCondition(PathScope.below('pb/', 'pa/', 'pa/pc/'), 'item.path');
    expect(text).toBe('((item.path >= $1 AND item.path < $2) OR (item.path >= $3 AND item.path < $4))');
    expect(values).toEqual(['pa/', 'pa0', 'pb/', 'pb0']);
  });

  it('needs no parameters for everything or nothing', () => {
    expect(pathCondition(PathScope.EVERYTHING, 'path')).toMatchObject({ text: 'TRUE', values: [] });
    expect(pathCondition(PathScope.NOTHING, 'path')).toMatchObject({ text: 'FALSE', values: [] });
  });
});
