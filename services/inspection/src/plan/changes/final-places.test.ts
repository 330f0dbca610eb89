import { describe, expect, it } from '@jest/globals';
import { parseMarkedPath, storedPath } from '@sinebar/query-language';
import { FinalPlaces } from './final-places.ts';

const stored = (path: string) => storedPath(parseMarkedPath(path));

describe('final paths', () => {
  it('move items below a moved item too', () => {
    const places = new FinalPlaces([{ from: stored('P:/a/'), to: stored('PP:/z/b/') }]);
    expect(places.finalPathOf(stored('PPC:/a/x/y/'))).toBe(stored('PPPC:/z/b/x/y/'));
    expect(places.finalPathOf(stored('P:/ab/'))).toBe(stored('P:/ab/'));
    expect(places.currentPathOf(stored('PPPC:/z/b/x/y/'))).toBe(stored('PPC:/a/x/y/'));
    expect(places.currentPathOf(stored('P:/z/'))).toBe(stored('P:/z/'));
  });

  it('follow the nearest moved item above', () => {
    const places = new FinalPlaces([
      { from: stored('P:/a/'), to: stored('P:/b/') },
      { from: stored('PP:/a/x/'), to: stored('P:/x/') },
      { from: stored('P:/b/'), to: stored('P:/a/') },
    ]);
    expect(places.finalPathOf(stored('PPP:/a/x/y/'))).toBe(stored('PP:/x/y/'));
    expect(places.finalPathOf(stored('PP:/a/y/'))).toBe(stored('PP:/b/y/'));
    expect(places.currentPathOf(stored('PP:/a/q/'))).toBe(stored('PP:/b/q/'));
  });

  it('support slashes and backslashes in names', () => {
    const places = new FinalPlaces([{ from: stored('P:/a\\\\/'), to: stored('P:/b/') }]);
    expect(places.finalPathOf(stored('PP:/a\\\\/x\\/y/'))).toBe(stored('PP:/b/x\\/y/'));
    expect(places.finalPathOf(stored('P:/a\\/x/'))).toBe(stored('P:/a\\/x/'));
  });
});
