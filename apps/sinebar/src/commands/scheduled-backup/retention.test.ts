import { describe, expect, it } from '@jest/globals';
import { lastDue } from './backup-schedule.ts';
import { backupName, expiredNames, timeOfName } from './retention.ts';

const DAY_MS = 86_400_000;
const nightsUntil = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) => backupName(new Date(Date.parse(last) - (count - 1 - index) * DAY_MS)));
const keptOf = (names: string[], retention: Parameters<typeof expiredNames>[1]) => {
  const expired = expiredNames(names, retention);
  return names.filter((name) => !expired.includes(name));
};

describe('retention of scheduled backups', () => {
  it('keeps seven days, and the last backup of four weeks', () => {
    // 2026-11-28 is a Saturday; weeks end with Sunday.
    expect(keptOf(nightsUntil('2026-11-28T02:00:00Z', 60), { daily: 7, weekly: 4 })).toEqual([
      '2026-11-08T0200Z',
      '2026-11-15T0200Z',
      ...nightsUntil('2026-11-28T02:00:00Z', 7),
    ]);
  });

  it('ends with the same backups when it is applied each night', () => {
    let kept: string[] = [];
    for (const name of nightsUntil('2026-11-28T02:00:00Z', 60)) kept = keptOf([...kept, name], { daily: 7, weekly: 4 });
    expect(kept).toEqual(keptOf(nightsUntil('2026-11-28T02:00:00Z', 60), { daily: 7, weekly: 4 }));
  });

  it('keeps the newest of a day, and counts only days that have one', () => {
    const names = ['2026-01-01T0200Z', '2026-06-01T0200Z', '2026-06-01T1200Z', '2026-06-09T0200Z'];
    expect(keptOf(names, { daily: 3, weekly: 0 })).toEqual(['2026-01-01T0200Z', '2026-06-01T1200Z', '2026-06-09T0200Z']);
  });

  it('never removes the newest backup, nor a folder that no schedule has made', () => {
    const names = [
      '2026-01-31',
      'before-the-update',
      '2026-13-01T0200Z',
      '2026-01-31T0200Z',
      '2026-02-01T0200Z',
      '.2026-02-01T0200Z.removed',
    ];
    expect(expiredNames(names, { daily: 0, weekly: 0 })).toEqual(['2026-01-31T0200Z']);
  });

  it('reads the time from the name that it gives', () => {
    expect(backupName(new Date('2026-01-31T02:05:59.999Z'))).toBe('2026-01-31T0205Z');
    expect(timeOfName('2026-01-31T0205Z')).toEqual(new Date('2026-01-31T02:05:00Z'));
  });
});

describe('the last time at which a backup is due', () => {
  it.each([
    ['2026-01-31T02:00:00Z', '2026-01-31T02:00:00.000Z'],
    ['2026-01-31T01:59:59Z', '2026-01-30T02:00:00.000Z'],
    ['2026-01-31T23:59:59Z', '2026-01-31T02:00:00.000Z'],
    ['2026-01-01T00:00:00Z', '2025-12-31T02:00:00.000Z'],
  ])('is at %s %s', (now, due) => {
    expect(lastDue(new Date(now), 120).toISOString()).toBe(due);
  });
});
