import { describe, expect, it } from '@jest/globals';
import { MOST_PIECE_BYTES, MatchFinder } from './match-finder.js';

/** Names that begin alike and end with their number. */
const name = (number: number) => `"},"01234567-89ab-cdef-0123-${String(number).padStart(12, '0')}"`;

describe('what comes again', () => {
  it('is found where the same name was last, though many begin alike', () => {
    const finder = new MatchFinder();
    const text = Buffer.from(`${name(1)}:1,${name(2)}:2,${name(1)}:3,${name(2)}:4 end`);
    finder.append(text);
    const places = [0, 1, 2, 3].map((i) => i * (name(1).length + 3));
    expect(places.map((at) => finder.seek(at)).slice(2)).toEqual([name(1).length + 1, name(2).length + 1]);
    expect(finder.found).toBe(places[1]);
  });

  it('is not what ends with the text, nor what is too far before', () => {
    const finder = new MatchFinder();
    finder.append(Buffer.from(`${name(1)} ${name(1)}`));
    expect(finder.seek(0)).toBe(0);
    expect(finder.seek(name(1).length + 1)).toBe(name(1).length);
    expect(finder.seek(finder.end - 7)).toBe(0);
    finder.append(Buffer.alloc(32 * 1024, 'x'));
    finder.append(Buffer.from(name(1)));
    expect(finder.seek(finder.begin)).toBe(0);
  });

  it.each([0, 2 ** 31 - MOST_PIECE_BYTES - 1000, 2 ** 32 - MOST_PIECE_BYTES - 1000, 2 ** 32 - 50])(
    'is found in pieces from the place %s of the whole on',
    (origin) => {
      const finder = new MatchFinder(origin);
      const piece = Buffer.from(name(1).padEnd(1000, ' '))
        .toString()
        .repeat(MOST_PIECE_BYTES / 1024);
      const lengths = new Set<number>();
      for (let i = 0; i < 4; i += 1) {
        finder.append(Buffer.from(piece));
        for (let at = finder.begin; at + 1000 <= finder.end; at += 1000) {
          const length = finder.seek(at);
          if (at === 0) continue;
          expect(at - finder.found).toBe(1000);
          lengths.add(length);
        }
      }
      expect([...lengths]).toEqual([258]);
    },
  );

  it('is forgotten when the same is gone through again', () => {
    const finder = new MatchFinder();
    finder.append(Buffer.from(`${name(1)} ${name(1)}`));
    const places = [0, name(1).length + 1];
    const first = places.map((at) => finder.seek(at));
    finder.forget();
    expect(places.map((at) => finder.seek(at))).toEqual(first);
  });
});
