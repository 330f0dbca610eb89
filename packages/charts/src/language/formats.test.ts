import { describe, expect, it } from '@jest/globals';
import { formatsOf } from './formats.ts';

const now = () => new Date(2026, 10, 1);
const en = formatsOf('en', now);
const de = formatsOf('de', now);

describe('numbers', () => {
  it.each([
    [en.number(20.01, 3), '20.010'],
    [de.number(20.01, 3), '20,010'],
    [en.number(-0.2, 1), '\u22120.2'],
    [en.number(-0.01, 1), '0.0'],
    [en.count(5000), '5,000'],
    [de.count(5000), '5.000'],
    [de.number(-1234.5, 2), '\u22121.234,50'],
    [en.signed(0.053, 3), '+0.053'],
    [en.signed(-0.053, 3), '\u22120.053'],
    [en.signed(0.0001, 3), '0.000'],
    [en.percent(0.5), '50\u00A0%'],
    [de.number(1.7e308), '1,7E308'],
    [en.number(-1.7e308, 3), '\u22121.7E308'],
    [en.number(999_999_999_999_999), '999,999,999,999,999'],
    [en.number(1e-300), '1E\u2212300'],
    [en.number(2e-12, 10), '2E\u221212'],
    [en.number(2e-12, 3), '0.000'],
    [en.number(0, 10), '0.0000000000'],
    [en.size(1_400_000), '1.4\u00A0MB'],
    [en.size(0), '0\u00A0B'],
  ])('%s is written as %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});

describe('dates', () => {
  const at = new Date(2026, 4, 8, 21, 41);
  it.each([
    [en.longDate(at), 'Friday 8 May 2026'],
    [de.day(at), '8. Mai'],
    [en.time(at), '21:41'],
    [en.dayTime(at.toISOString()), '8 May 21:41'],
    [en.day(new Date(2025, 11, 31)), '31 Dec 2025'],
    [de.dayTime(new Date(2027, 0, 1, 6).toISOString()), '1. Jan. 2027 06:00'],
  ])('%s is written as %s', (written, expected) => {
    expect(written.replace(',', '')).toBe(expected);
  });

  it('are near moments in words', () => {
    expect(en.ago(at, new Date(2026, 4, 8, 23, 41))).toBe('2 hours ago');
  });
});

describe('names', () => {
  it('are compared with their numbers', () => {
    expect(['Flush 10', 'Flush 2'].sort(en.compare)).toEqual(['Flush 2', 'Flush 10']);
  });
});
