import { describe, expect, it } from '@jest/globals';
import { parseHttpDate } from './http-date.ts';

const time = Date.UTC(2026, 10, 20, 10, 0, 0);

describe('HTTP dates', () => {
  it.each(['Fri, 20 Nov 2026 10:00:00 GMT', 'Friday, 20-Nov-26 10:00:00 GMT', 'Fri Nov 20 10:00:00 2026'])('are read from %s', (text) => {
    expect(parseHttpDate(text, 2026)).toBe(time);
  });

  it.each<[text: string, iso: string]>([
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59.000Z'],
    ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
    ['Mon, 01 Jan 0001 00:00:00 GMT', '0001-01-01T00:00:00.000Z'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59.000Z'],
  ])('read %s as %s', (text, iso) => {
    expect(new Date(parseHttpDate(text) as number).toISOString()).toBe(iso);
  });

  it('place years of two digits at most fifty years ahead', () => {
    const yearOf = (digits: string) => new Date(parseHttpDate(`Friday, 01-Jan-${digits} 00:00:00 GMT`, 2026) as number).getUTCFullYear();
    expect(yearOf('76')).toBe(2076);
    expect(yearOf('77')).toBe(1977);
    expect(yearOf('99')).toBe(1999);
    expect(yearOf('00')).toBe(2000);
  });

  it.each([
    undefined,
    '',
    'yesterday',
    '0',
    '2026-11-20T10:00:00Z',
    '1795168800000',
    'Fri, 20 Nov 2026 10:00:00',
    'Fri, 20 Nov 2026 10:00:00 UTC',
    'Fri, 20 Nov 2026 10:00:00 +0000',
    'Fri, 20 Nov 2026 10:00:00 GMT, Fri, 20 Nov 2026 11:00:00 GMT',
    'fri, 20 nov 2026 10:00:00 gmt',
    'Fri, 20 Nov 26 10:00:00 GMT',
    'Fri, 2 Nov 2026 10:00:00 GMT',
    'Sun, 30 Feb 2026 10:00:00 GMT',
    'Thu, 29 Feb 2026 10:00:00 GMT',
    'Sun, 00 Nov 2026 10:00:00 GMT',
    'Fri, 20 Nov 2026 24:00:00 GMT',
    'Fri, 20 Nov 2026 10:60:00 GMT',
    '20 Nov 2026 10:00:00 GMT',
    '"Fri, 20 Nov 2026 10:00:00 GMT"',
  ])('do not read %j', (text) => {
    expect(parseHttpDate(text, 2026)).toBeUndefined();
  });
});
