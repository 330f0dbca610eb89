import { describe, expect, it } from '@jest/globals';
import { GrammarError } from './grammar-error.ts';
import {
  childMarkedPath,
  formatMarkedPath,
  parseMarkedPath,
  parseUnmarkedPath,
  storedPartPath,
  storedPath,
  unmarkedPartPath,
} from './plan-path.ts';

describe('paths with a type marker', () => {
  it('reads one letter per element [I48, D4.2]', () => {
    expect(parseMarkedPath('PPC:/assembly/Door/x/')).toEqual([
      { kind: 'part', name: 'assembly' },
      { kind: 'part', name: 'Door' },
      { kind: 'characteristic', name: 'x' },
    ]);
    expect(parseMarkedPath('C:/below the root/')).toEqual([{ kind: 'characteristic', name: 'below the root' }]);
  });

  it.each(['/', 'P:/', ':/'])('reads %s as the root', (text) => {
    expect(parseMarkedPath(text)).toEqual([]);
  });

  it('returns slashes and backslashes in names unchanged [I48, D4.2]', () => {
    const text = 'PC:/a\\/b\\\\/c\\\\\\/d/';
    const path = parseMarkedPath(text);
    expect(path.map(({ name }) => name)).toEqual(['a/b\\', 'c\\/d']);
    expect(formatMarkedPath(path)).toBe(text);
  });

  it('are built for child items', () => {
    const part = childMarkedPath('/', { kind: 'part', name: 'a:b' });
    expect(part).toBe('P:/a:b/');
    expect(childMarkedPath(part, { kind: 'characteristic', name: 'x/y' })).toBe('PC:/a:b/x\\/y/');
  });

  it.each([
    ['', /type marker/],
    ['/a/', /type marker/],
    ['X:/a/', /type marker/],
    ['P:/a/b/', /1 letters but the path has 2 elements/],
    ['PP:/a/', /2 letters but the path has 1 elements/],
    ['PCP:/a/b/c/', /cannot lie below a characteristic .*at character 3/],
    ['PP:/a//', /A name is empty .*at character 7/],
    ['P:/a\\b/', /backslash .*at character 5/],
    ['P:/a\\', /backslash/],
    ['P:/a\0/', /U\+0000/],
    ['P:/\ud800/', /surrogate/],
    [`P:/${'n'.repeat(256)}/`, /longer than 255/],
    [`${'P'.repeat(9)}:/${`${'n'.repeat(250)}/`.repeat(9)}`, /longer than 2000 bytes/],
  ])('refuses %j and names the position', (text, message) => {
    expect(() => parseMarkedPath(text)).toThrow(GrammarError);
    expect(() => parseMarkedPath(text)).toThrow(message);
  });
});

describe('paths without marker', () => {
  it.each([
    ['/a/b', ['a', 'b']],
    ['a/b/', ['a', 'b']],
    ['/', []],
    ['', []],
    ['/Straße/', ['Strasse']],
  ])('reads %j [D4.2]', (text, names) => {
    expect(parseUnmarkedPath(text)).toEqual(names);
  });
});

describe('stored paths', () => {
  it('fold case, composition and sharp s, and distinguish kinds [I131, D4.3]', () => {
    expect(storedPath(parseMarkedPath('PC:/TÜR/Maß/'))).toBe('ptür/cmass/');
    expect(storedPartPath(['u\u0308'])).toBe(storedPartPath(['Ü']));
    expect(storedPath(parseMarkedPath('P:/x/'))).not.toBe(storedPath(parseMarkedPath('C:/x/')));
  });

  it.each(['/', '/a', '/a/b', '/pp/p', '/a\\/b/c\\\\', '/\\\\/\\/', '/line\nbreak/ü'])(
    'of the part %j are written without marker again',
    (path) => {
      expect(unmarkedPartPath(storedPartPath(parseUnmarkedPath(path)))).toBe(path);
    },
  );

  it('of a characteristic are not written as the path of a part', () => {
    expect(() => unmarkedPartPath(storedPath(parseMarkedPath('PC:/a/b/')))).toThrow('not the stored path of a part');
  });

  it('are no prefix of an item that is not below', () => {
    expect(storedPartPath(['a/b']).startsWith(storedPartPath(['a']))).toBe(false);
    expect(storedPartPath(['a\\', 'b']).startsWith(storedPartPath(['a\\']))).toBe(true);
  });
});
