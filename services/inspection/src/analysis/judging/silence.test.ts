import { describe, expect, it } from '@jest/globals';
import { PlantClock } from '../../evaluation/settings/plant-clock.ts';
import { elapsedInShifts, millisecondsOf } from './silence.ts';

const HOUR_MS = 3_600_000;

describe('silence', () => {
  it.each([
    ['PT4H', 4 * HOUR_MS],
    ['P2D', 48 * HOUR_MS],
    ['P1W', 168 * HOUR_MS],
    ['P1DT2H30M10S', 26 * HOUR_MS + 30 * 60_000 + 10_000],
  ])('reads the duration %s', (duration, ms) => {
    expect(millisecondsOf(duration)).toBe(ms);
  });

  it('counts the time in shifts only', () => {
    const clock = new PlantClock({ zone: 'UTC', shifts: [{ name: 'early', from: '06:00', to: '14:00', days: [1, 2, 3, 4, 5] }] });
    const at = (text: string) => Date.parse(`${text}:00Z`);
    // The time runs from Friday to Monday.
    expect(elapsedInShifts(clock, at('2026-01-09T13:00'), at('2026-01-12T07:30'), Infinity)).toBe(2.5 * HOUR_MS);
    expect(elapsedInShifts(clock, at('2026-01-09T15:00'), at('2026-01-12T06:00'), Infinity)).toBe(0);
    expect(elapsedInShifts(clock, at('2026-01-09T06:00'), at('2026-03-01T06:00'), HOUR_MS)).toBe(HOUR_MS);
  });
});
