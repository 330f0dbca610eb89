import { describe, expect, it } from '@jest/globals';
import { dueAt, WallClock, type Timing } from './due-time.ts';

const BERLIN = new WallClock('Europe/Berlin');
const due = (from: string, timing: Partial<Timing>, clock = BERLIN) =>
  new Date(dueAt(Date.parse(from), { digest: null, quietHours: null, ...timing }, clock)).toISOString();

describe('the time at which alarms are told', () => {
  it.each<[string, Partial<Timing>, string, string]>([
    ['at once', {}, '2026-03-02T10:00:07.123Z', '2026-03-02T10:00:07.123Z'],
    ['every half hour', { digest: { everyMinutes: 30 } }, '2026-03-02T10:00:07Z', '2026-03-02T10:30:00.000Z'],
    ['every half hour, on it', { digest: { everyMinutes: 30 } }, '2026-03-02T10:30:00Z', '2026-03-02T10:30:00.000Z'],
    ['at the next of two times', { digest: { at: ['06:00', '14:00'] } }, '2026-03-02T10:00:00Z', '2026-03-02T13:00:00.000Z'],
    ['tomorrow', { digest: { at: ['06:00', '14:00'] } }, '2026-03-02T13:00:00.001Z', '2026-03-03T05:00:00.000Z'],
    ['exactly at the time', { digest: { at: ['14:00'] } }, '2026-03-02T13:00:00Z', '2026-03-02T13:00:00.000Z'],
    ['a few seconds after the time', { digest: { at: ['14:00'] } }, '2026-03-02T13:00:30Z', '2026-03-03T13:00:00.000Z'],
    ['after quiet hours over midnight', { quietHours: { from: '22:00', to: '05:30' } }, '2026-03-02T22:10:00Z', '2026-03-03T04:30:00.000Z'],
    ['before quiet hours', { quietHours: { from: '22:00', to: '05:30' } }, '2026-03-02T20:59:59Z', '2026-03-02T20:59:59.000Z'],
    ['at the end of quiet hours', { quietHours: { from: '12:00', to: '13:00' } }, '2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000Z'],
    ['in quiet hours of a day', { quietHours: { from: '12:00', to: '13:00' } }, '2026-03-02T11:30:00Z', '2026-03-02T12:00:00.000Z'],
    [
      'after quiet hours that hold the time of a digest',
      { digest: { at: ['23:00'] }, quietHours: { from: '22:00', to: '06:00' } },
      '2026-03-02T10:00:00Z',
      '2026-03-03T05:00:00.000Z',
    ],
    ['over the night in which the clock is set forward', { digest: { at: ['06:00'] } }, '2026-03-28T20:00:00Z', '2026-03-29T04:00:00.000Z'],
    ['over the night in which the clock is set back', { digest: { at: ['06:00'] } }, '2026-10-24T20:00:00Z', '2026-10-25T05:00:00.000Z'],
    ['by a time that the clock leaves out', { digest: { at: ['02:30'] } }, '2026-03-28T20:00:00Z', '2026-03-29T01:30:00.000Z'],
  ])('is %s', (_what, timing, from, expected) => {
    expect(due(from, timing)).toBe(expected);
  });

  it('never lies before the alarm, in any zone', () => {
    for (const zone of ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns']) {
      const clock = new WallClock(zone);
      for (let hour = 0; hour < 24 * 366; hour += 7) {
        const ms = Date.UTC(2026, 0, 1, hour, 13, 7);
        const at = dueAt(ms, { digest: { at: ['02:15'] }, quietHours: null }, clock);
        expect(at).toBeGreaterThanOrEqual(ms);
        expect(at - ms).toBeLessThanOrEqual(26 * 3_600_000);
      }
    }
  });
});
