import { describe, expect, it } from '@jest/globals';
import { readDuration, writeDuration } from './duration';

describe('a duration', () => {
  it.each([
    ['PT4H', { count: 4, unit: 'hours' }, 'PT4H'],
    ['P2D', { count: 2, unit: 'days' }, 'P2D'],
    ['P1W', { count: 7, unit: 'days' }, 'P7D'],
    ['PT90M', { count: 90, unit: 'minutes' }, 'PT90M'],
    ['PT1H30M', { count: 90, unit: 'minutes' }, 'PT90M'],
    ['PT24H', { count: 1, unit: 'days' }, 'P1D'],
    ['PT45S', { count: 45, unit: 'seconds' }, 'PT45S'],
  ] as const)('%s is %j, and is written as %s', (text, said, written) => {
    expect(readDuration(text)).toEqual(said);
    expect(writeDuration(said)).toBe(written);
  });

  it.each(['', '4 hours', 'P', 'PT0S'])('is not read from the text %j', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });
});
