import { describe, expect, it } from '@jest/globals';
import { childPathOf, namesOf, ownerPathOf, parentPathOf, plainPathFrom, plainPathOf } from './plan-path';

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
    expect(plainPathOf('PP:/Car door/Frame/')).toBe('/Car door/Frame');
  });

  it.each([
    ['PPC:/Car door/Frame/Gap left/', 'PP:/Car door/Frame/'],
    ['PCC:/Car door/Gap/X/', 'PC:/Car door/Gap/'],
    ['P:/Car door/', '/'],
    ['PC:/a\\/b/c/', 'P:/a\\/b/'],
  ])('%s lies below %s', (path, parent) => {
    expect(parentPathOf(path)).toBe(parent);
  });

  it.each([
    ['PPCC:/Car door/Frame/Gap/X/', 'PP:/Car door/Frame/'],
    ['C:/Gap/', '/'],
  ])('%s belongs to the part %s', (path, owner) => {
    expect(ownerPathOf(path)).toBe(owner);
  });

  it('writes a name with a slash below another item', () => {
    expect(childPathOf('P:/Car door/', 'characteristic', 'a/b')).toBe('PC:/Car door/a\\/b/');
  });

  it('writes a name below the root', () => {
    expect(childPathOf('/', 'part', 'Car door')).toBe('P:/Car door/');
  });

  it('writes names as a path without marker', () => {
    expect(plainPathFrom(['a/b', 'c'])).toBe('/a\\/b/c');
  });

  it('writes the root as a slash', () => {
    expect(plainPathOf('/')).toBe('/');
  });
});
