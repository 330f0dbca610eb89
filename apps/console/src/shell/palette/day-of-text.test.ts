import { describe, expect, it } from '@jest/globals';
import { dayOfText } from './day-of-text';

const NOW = new Date(2026, 4, 20, 12);
const written = (text: string, language: 'en' | 'de' = 'en') => {
  const day = dayOfText(text, language, NOW);
  return day && [day.from, day.to].map((at) => `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`).join(' ');
};

describe('a date that people type', () => {
  it.each([
    ['2026-05-08', 'en'],
    ['08.05.2026', 'de'],
    ['8.5.26', 'de'],
    ['8.5.', 'de'],
    ['8/5/2026', 'en'],
    ['8/5', 'en'],
    ['8 May 2026', 'en'],
    ['8 may', 'en'],
    ['8. Mai 2026', 'de'],
  ] as const)('%s in %s is a day', (text, language) => {
    expect(written(text, language)).toBe('2026-5-8 2026-5-9');
  });

  it('is the last such day without a year', () => {
    expect(written('31.12.', 'de')).toBe('2025-12-31 2026-1-1');
    expect(written('20 May')).toBe('2026-5-20 2026-5-21');
  });

  it.each(['31.2.2026', '8.5', '20.012', 'SN-8', '8 ma', '8 Hinge', '2026-13-01'])('is not %s', (text) => {
    expect(written(text)).toBeUndefined();
  });
});
