import { describe, expect, it } from '@jest/globals';
import { overlappingShifts, PlantClock } from './plant-clock.ts';

const SHIFTS = [
  { name: 'early', from: '06:00', to: '14:00' },
  { name: 'late', from: '14:00', to: '22:00' },
  { name: 'night', from: '22:00', to: '06:00' },
];
const berlin = new PlantClock({ zone: 'Europe/Berlin', shifts: SHIFTS });
const at = (time: string, clock = berlin) => {
  const { shift, day, week } = clock.at(Date.parse(time));
  return [shift, day, week];
};

describe('a plant clock', () => {
  it('tells shift, day and week by the wall clock, and gives a night to the day on which it begins', () => {
    expect(at('2026-01-05T05:00:00Z')).toEqual(['early', '2026-01-05', '2026-W02']);
    expect(at('2026-01-05T12:59:59.999Z')).toEqual(['early', '2026-01-05', '2026-W02']);
    expect(at('2026-01-05T13:00:00Z')).toEqual(['late', '2026-01-05', '2026-W02']);
    expect(at('2026-01-05T21:00:00Z')).toEqual(['night', '2026-01-05', '2026-W02']);
    expect(at('2026-01-06T04:59:59.999Z')).toEqual(['night', '2026-01-05', '2026-W02']);
    // The night from Sunday to Monday belongs to the week before.
    expect(at('2026-01-05T03:00:00Z')).toEqual(['night', '2026-01-04', '2026-W01']);
    expect(at('2027-01-01T03:00:00Z')).toEqual(['night', '2026-12-31', '2026-W53']);
  });

  it('numbers shifts, days and weeks as it names them', () => {
    for (let ms = Date.parse('1969-12-20T00:00:00Z'); ms < Date.parse('1970-01-20T00:00:00Z'); ms += 1_234_567) {
      const named = (['shift', 'day', 'week'] as const).map((group) => berlin.nameOf(group, berlin.numberAt(group, ms)));
      const { shift, day, week } = berlin.at(ms);
      expect(named).toEqual([shift, day, week]);
    }
    const noon = new PlantClock({ zone: 'UTC', shifts: [{ name: 'noon', from: '12:00', to: '13:00' }] });
    expect([noon.numberAt('shift', 0), noon.numberAt('day', NaN)]).toEqual([NaN, NaN]);
  });

  it('makes the night shorter in which the clock is set forward', () => {
    // 2026-03-29: 02:00 is followed by 03:00 at 01:00 UTC.
    const minutes = (start: string, end: string) => {
      let count = 0;
      for (let ms = Date.parse(start); ms < Date.parse(end); ms += 60_000) {
        const { shift, day } = berlin.at(ms);
        if (shift === 'night' && day === '2026-03-28') count += 1;
      }
      return count;
    };
    expect(minutes('2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toBe(7 * 60);
    expect(at('2026-03-28T20:59:59Z')).toEqual(['late', '2026-03-28', '2026-W13']);
    expect(at('2026-03-28T21:00:00Z')).toEqual(['night', '2026-03-28', '2026-W13']);
    expect(at('2026-03-29T03:59:59Z')).toEqual(['night', '2026-03-28', '2026-W13']);
    expect(at('2026-03-29T04:00:00Z')).toEqual(['early', '2026-03-29', '2026-W13']);
  });

  it('makes the night longer in which the clock is set back', () => {
    // 2026-10-25: 03:00 is followed by 02:00 at 01:00 UTC.
    expect(at('2026-10-24T20:00:00Z')).toEqual(['night', '2026-10-24', '2026-W43']);
    expect(at('2026-10-25T00:30:00Z')).toEqual(['night', '2026-10-24', '2026-W43']);
    expect(at('2026-10-25T01:30:00Z')).toEqual(['night', '2026-10-24', '2026-W43']);
    expect(at('2026-10-25T04:59:59Z')).toEqual(['night', '2026-10-24', '2026-W43']);
    expect(at('2026-10-25T05:00:00Z')).toEqual(['early', '2026-10-25', '2026-W43']);
  });

  it('does not begin a shift again when the clock shows its time twice', () => {
    const clock = new PlantClock({
      zone: 'Europe/Berlin',
      shifts: [
        { name: 'first', from: '22:00', to: '02:30' },
        { name: 'second', from: '02:30', to: '06:00' },
      ],
    });
    const shifts = ['00:15', '00:29', '00:30', '00:59', '01:00', '01:29', '01:30', '03:00'].map(
      (time) => clock.at(Date.parse(`2026-10-25T${time}:00Z`)).shift,
    );
    // 02:15, 02:29, 02:30, 02:59, and again 02:00, 02:29, 02:30, then 04:00.
    expect(shifts).toEqual(['first', 'first', 'second', 'second', 'second', 'second', 'second', 'second']);
    const spring = ['00:59', '01:00', '01:29'].map((time) => clock.at(Date.parse(`2026-03-29T${time}:00Z`)).shift);
    // 01:59, then 03:00 and 03:29.
    expect(spring).toEqual(['first', 'second', 'second']);
  });

  it('knows the days of a shift, and times between shifts', () => {
    const clock = new PlantClock({ zone: 'UTC', shifts: [{ name: 'night', from: '22:00', to: '06:00', days: [5] }] });
    // 2026-01-09 is a Friday.
    expect(at('2026-01-09T23:00:00Z', clock)).toEqual(['night', '2026-01-09', '2026-W02']);
    expect(at('2026-01-10T05:59:00Z', clock)).toEqual(['night', '2026-01-09', '2026-W02']);
    expect(at('2026-01-10T23:00:00Z', clock)).toEqual([undefined, '2026-01-10', '2026-W02']);
    expect(at('2026-01-09T05:00:00Z', clock)).toEqual([undefined, '2026-01-09', '2026-W02']);
  });

  it('agrees with the calendar of other zones at any time of some years', () => {
    for (const zone of ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Pacific/Apia']) {
      const clock = new PlantClock({ zone, shifts: [] });
      const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
      for (let ms = Date.UTC(2011, 0, 1); ms < Date.UTC(2013, 0, 1); ms += 43_100_000) {
        expect([zone, ms, clock.at(ms).day]).toEqual([zone, ms, calendar.format(ms)]);
      }
    }
  });

  it('accepts times before 1970, and those of the first and the last year', () => {
    expect(at('1969-12-31T23:30:00Z', new PlantClock({ zone: 'UTC', shifts: SHIFTS }))).toEqual(['night', '1969-12-31', '1970-W01']);
    const clock = new PlantClock({ zone: 'Europe/Berlin', shifts: [] });
    expect(at('0001-06-01T12:00:00Z', clock)[1]).toBe('0001-06-01');
    expect(at('9999-12-31T12:00:00Z', clock)[1]).toBe('9999-12-31');
  });
});

describe('overlappingShifts', () => {
  it.each([
    ['shifts that follow each other', SHIFTS, undefined],
    ['none', [], undefined],
    ['two of a day', [SHIFTS[0]!, { name: 'noon', from: '12:00', to: '13:00' }], { first: 'early', second: 'noon', day: 1 }],
    [
      'of different days',
      [
        { ...SHIFTS[0]!, days: [1] },
        { name: 'noon', from: '12:00', to: '13:00', days: [2] },
      ],
      undefined,
    ],
    [
      'a night into the next day',
      [
        { ...SHIFTS[2]!, days: [1] },
        { name: 'dawn', from: '05:00', to: '06:00', days: [2] },
      ],
      { first: 'night', second: 'dawn', day: 2 },
    ],
    [
      'the night from Sunday to Monday',
      [
        { ...SHIFTS[2]!, days: [7] },
        { name: 'dawn', from: '05:00', to: '06:00', days: [1] },
      ],
      { first: 'night', second: 'dawn', day: 1 },
    ],
    ['a whole day', [{ name: 'day', from: '00:00', to: '24:00' }], undefined],
  ])('of %s', (_, shifts, overlap) => {
    expect(overlappingShifts(shifts)).toEqual(overlap);
  });
});
