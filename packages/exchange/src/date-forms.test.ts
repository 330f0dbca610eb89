import { describe, expect, it } from '@jest/globals';
import { parseTime, shownOrder, type DateOrder } from './date-forms.ts';
import { TimeReader } from './time-reader.ts';

const inBerlin = (text: string, order?: DateOrder) => new TimeReader('Europe/Berlin', order).read(text);

describe('dates of all formats', () => {
  it.each([
    ['05.07.2026/13:08:07', '2026-07-05T11:08:07Z'],
    ['5.7.26/1:8:7', '2026-07-04T23:08:07Z'],
    ['5.7.2026 13:8', '2026-07-05T11:08:00Z'],
    ['26-07-05/13:08:07', '2026-07-05T11:08:07Z'],
    ['05-07-2026 13:08', '2026-07-05T11:08:00Z'],
    ['2026-1-30 5:8:2', '2026-01-30T04:08:02Z'],
    ['2026/01/05 10:00:00', '2026-01-05T09:00:00Z'],
    ['2026.01.05 10:00:00', '2026-01-05T09:00:00Z'],
    ['05.07.2026/24:00:00', '2026-07-05T22:00:00Z'],
    ['31.12.2026/24:00', '2026-12-31T23:00:00Z'],
    ['2026-01-01 10:00:00+00:00', '2026-01-01T10:00:00Z'],
    ['2026-01-01 10:00:00.123456+0100', '2026-01-01T09:00:00.123Z'],
    ['2026-01-01T10:00:00.1234567Z', '2026-01-01T10:00:00.1234567Z'],
    ['2026-01-01T10:00:00-05', '2026-01-01T15:00:00Z'],
    ['2026-01-01 10:00 UTC', '2026-01-01T10:00:00Z'],
    ['01-Jan-2026 10:00', '2026-01-01T09:00:00Z'],
    ['1/Mrz/2026, 10:00', '2026-03-01T09:00:00Z'],
    ['05.Okt.2026 10:00', '2026-10-05T08:00:00Z'],
    ['Jul 5, 2026 1:08:07 PM', '2026-07-05T11:08:07Z'],
    ['2026-Dec-01', '2026-11-30T23:00:00Z'],
    ['20260705', '2026-07-04T22:00:00Z'],
    ['20260705T130807Z', '2026-07-05T13:08:07Z'],
  ])('%s [D11.8]', (text, expected) => {
    expect(inBerlin(text)).toBe(expected);
  });

  it('with slashes follow the order', () => {
    expect(inBerlin('7/5/2026 1:8:7 PM', 'mdy')).toBe('2026-07-05T11:08:07Z');
    expect(inBerlin('5/7/2026, 1:08:07\u202fPM', 'dmy')).toBe('2026-07-05T11:08:07Z');
    expect(inBerlin('26/07/05 13:08', 'ymd')).toBe('2026-07-05T11:08:00Z');
    expect(inBerlin('07-05-2026 13:08', 'mdy')).toBe('2026-07-05T11:08:00Z');
  });

  it('with slashes need an order', () => {
    expect(parseTime('05/03/2026 10:00:00')).toBe('ambiguous');
    expect(parseTime('25/12/2026')).toBe('ambiguous');
    expect(parseTime('5/6/2026', 'ymd')).toBe('ambiguous');
    expect([shownOrder('05/03/2026'), shownOrder('25/12/2026'), shownOrder('12/25/26 10:00'), shownOrder('2026/12/25')]).toEqual([
      undefined,
      'dmy',
      'mdy',
      undefined,
    ]);
  });

  it.each([
    '31.02.2026/10:00:00',
    '13/13/2026',
    '05.07.2026/24:00:01',
    '05.07.2026/25:00',
    '05.07.2026 13:00 PM',
    '5.7.6',
    '5.7/2026',
    '123.1.2026',
    '01-Foo-2026',
    '2026-01-01 10:00+15:00',
    '10:00',
    '20261301',
    '4711',
    '',
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});
