import { describe, expect, it } from '@jest/globals';
import { parseMarkedPath, storedPath } from '@sinebar/query-language';
import { FinalPaths } from './final-paths.ts';

const stored = (path: string) => storedPath(parseMarkedPath(path));

describe('final paths', () => {
  it('move items below a moved item too', () => {
    const finalPaths = new FinalPaths([{ from: stored('P:/a/'), to: stored('PP:/z/b/') }]);
    expect(finalPaths.finalPathOf(stored('PPC:/a/x/y/'))).toBe(stored('PPPC:/z/b/x/y/'));
    expect(finalPaths.finalPathOf(stored('P:/ab/'))).toBe(stored('P:/ab/'));
    expect(finalPaths.currentPathOf(stored('PPPC:/z/b/x/y/'))).toBe(stored('PPC:/a/x/y/'));
    expect(finalPaths.currentPathOf(stored('P:/z/'))).toBe(stored('P:/z/'));
  });

  it('follow the nearest moved item above', () => {
    const finalPaths = new FinalPaths([
      { from: stored('P:/a/'), to: stored('P:/b/') },
      { from: stored('PP:/a/x/'), to: stored('P:/x/') },
      { from: stored('P:/b/'), to: stored('P:/a/') },
    ]);
    expect(finalPaths.finalPathOf(stored('PPP:/a/x/y/'))).toBe(stored('PP:/x/y/'));
    expect(finalPaths.finalPathOf(stored('PP:/a/y/'))).toBe(stored('PP:/b/y/'));
    expect(finalPaths.currentPathOf(stored('PP:/a/q/'))).toBe(stored('PP:/b/q/'));
  });

  it('support slashes and backslashes in names', () => {
    const finalPaths = new FinalPaths([{ from: stored('P:/a\\\\/'), to: stored('P:/b/') }]);
    expect(finalPaths.finalPathOf(stored('PP:/a\\\\/x\\/y/'))).toBe(stored('PP:/b/x\\/y/'));
    expect(finalPaths.finalPathOf(stored('P:/a\\/x/'))).toBe(stored('P:/a\\/x/'));
  });
});
