import { describe, expect, it } from '@jest/globals';
import { lastShift } from './last-shift';

const WEEKDAYS = [1, 2, 3, 4, 5];
const BERLIN = {
  zone: 'Europe/Berlin',
  shifts: [
    { name: 'early', from: '06:00', to: '14:00', days: WEEKDAYS },
    { name: 'late', from: '14:00', to: '22:00', days: WEEKDAYS },
    { name: 'night', from: '22:00', to: '06:00', days: WEEKDAYS },
  ],
};

describe('the last shift', () => {
  it.each([
    ['2026-05-08T10:00:00Z', 'night', '2026-05-07T20:00:00.000Z', '2026-05-08T04:00:00.000Z'],
    ['2026-05-08T12:00:00Z', 'early', '2026-05-08T04:00:00.000Z', '2026-05-08T12:00:00.000Z'],
    ['2026-05-08T11:59:59Z', 'night', '2026-05-07T20:00:00.000Z', '2026-05-08T04:00:00.000Z'],
    // Nobody works between Saturday at 6 and Monday at 6.
    ['2026-05-11T09:00:00Z', 'night', '2026-05-08T20:00:00.000Z', '2026-05-09T04:00:00.000Z'],
    ['2026-12-02T14:00:00Z', 'early', '2026-12-02T05:00:00.000Z', '2026-12-02T13:00:00.000Z'],
  ])('before %s is %s', (now, name, from, to) => {
    const shift = lastShift(BERLIN, new Date(now));
    expect(shift.name).toBe(name);
    expect(shift.from.toISOString()).toBe(from);
    expect(shift.to.toISOString()).toBe(to);
  });

  it.each([
    ['forward', '2026-03-29T08:00:00Z', 7],
    ['back', '2026-10-25T08:00:00Z', 9],
  ])('of a night in which the clock is set %s ends when the clock says so', (_, now, hours) => {
    const { from, to } = lastShift({ ...BERLIN, shifts: [{ name: 'night', from: '22:00', to: '06:00' }] }, new Date(now));
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(hours);
  });

  it('is the last 24 hours without shifts', () => {
    const now = new Date('2026-05-08T10:00:00Z');
    expect(lastShift({ zone: 'UTC', shifts: [] }, now)).toEqual({ from: new Date('2026-05-07T10:00:00Z'), to: now });
  });
});
