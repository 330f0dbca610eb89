import { describe, expect, it } from '@jest/globals';
import { decimalsOf } from '../values/decimals';
import { namesOf, partPathOf } from './plan-path';

describe('paths of the plan', () => {
  it.each([
    ['/', []],
    ['P:/Car door/', ['Car door']],
    ['PPC:/Car door/Frame/Gap left/', ['Car door', 'Frame', 'Gap left']],
    ['PC:/a\\/b/c\\\\d/', ['a/b', 'c\\d']],
  ])('%s has the names %j', (path, names) => {
    expect(namesOf(path)).toEqual(names);
  });

  it('writes a part path without marker', () => {
    expect(partPathOf('PP:/Car door/Frame/')).toBe('/Car door/Frame');
  });

  it('writes the root as a slash', () => {
    expect(partPathOf('/')).toBe('/');
  });
});

describe('digits of figures', () => {
  it.each([
    [['20', '19.95', '20.053'], 3],
    [['20'], 0],
    [['1e-7', '2.5'], 1],
    [[undefined, 20.05], 2],
    [['5.'], 0],
    [['1.12345678901234'], 10],
    [[], 0],
  ])('%j have %i', (values, decimals) => {
    expect(decimalsOf(values)).toBe(decimals);
  });
});
