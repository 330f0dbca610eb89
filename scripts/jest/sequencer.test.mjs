import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../bootstrap.mjs';
import LongestFirst, { LONG_FILES } from './sequencer.mjs';

const [longest, second] = Object.keys(LONG_FILES);
const NEW = 'packages/new/src/new.test.ts';
const SIZES = { [join(ROOT, NEW)]: 2000 };

/** Sorts files as jest gives them, without a cache of earlier runs. */
function sorted(names) {
  const context = { config: { cache: false }, hasteFS: { getSize: (path) => SIZES[path] ?? null } };
  return new LongestFirst({})
    .sort(names.map((name) => ({ path: join(ROOT, name), context })))
    .map(({ path }) => path.slice(ROOT.length + 1));
}

describe('the order of files in a clone that has run no tests', () => {
  it('begins with the longest', () => expect(sorted([NEW, second, longest])).toEqual([longest, second, NEW]));

  it.each(Object.keys(LONG_FILES))('knows %s, which exists', (name) => expect(existsSync(join(ROOT, name))).toBe(true));
});
