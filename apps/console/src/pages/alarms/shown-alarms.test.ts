import { describe, expect, it } from '@jest/globals';
import { alarmAnswer } from '../../testing/alarm-answers.fixture';
import { checkedRange, mergeAlarms } from './shown-alarms';

const alarm = (uuid: string, minute: number, state: 'raised' | 'acknowledged' = 'raised') =>
  alarmAnswer({ uuid, state, raised: `2026-03-02T08:${String(minute).padStart(2, '0')}:00.000Z` });
const [A, B, C] = [alarm('a', 30), alarm('b', 20), alarm('c', 10)];
const NOTHING: ReadonlySet<string> = new Set();

/** Uuids of the rows; those that are gone in brackets. */
function merged(kept: readonly (typeof A)[], latest: readonly (typeof A)[], more: { listedSince?: string; changed?: string[] } = {}) {
  const { rows, fresh } = mergeAlarms({
    kept,
    latest,
    listedSince: more.listedSince,
    changed: new Set(more.changed ?? []),
  });
  return { rows: rows.map(({ alarm: { uuid }, isGone }) => (isGone ? `(${uuid})` : uuid)).join(' '), fresh };
}

describe('the rows of the inbox', () => {
  it('stay where they are when alarms come, which are counted', () => {
    expect(merged([B, C], [A, B, C])).toEqual({ rows: 'b c', fresh: 1 });
    expect(merged([A, C], [A, B, C])).toEqual({ rows: 'a c', fresh: 1 });
  });

  it('go on below with older alarms', () => {
    expect(merged([A], [A, B, C])).toEqual({ rows: 'a b c', fresh: 0 });
    expect(merged([], [A, B])).toEqual({ rows: 'a b', fresh: 0 });
  });

  it('go on below with alarms that were raised at the same time', () => {
    const [d, e, f] = [alarm('d', 20), alarm('e', 20), alarm('f', 20)];
    expect(merged([A, B], [A, B, d, e, C])).toEqual({ rows: 'a b d e c', fresh: 0 });
    expect(merged([B, d], [f, B, d, e])).toEqual({ rows: 'b d e', fresh: 1 });
    expect(merged([B, d, e], [B, d], { listedSince: d.raised })).toEqual({ rows: 'b d e', fresh: 0 });
  });

  it('have the newest state', () => {
    const { rows } = mergeAlarms({ kept: [A], latest: [alarm('a', 30, 'acknowledged')], listedSince: undefined, changed: NOTHING });
    expect(rows[0]?.alarm.state).toBe('acknowledged');
  });

  it('say which alarm has left the list, but for those that the reader has changed', () => {
    expect(merged([A, B, C], [A, C])).toEqual({ rows: 'a (b) c', fresh: 0 });
    expect(merged([A, B, C], [A, C], { changed: ['b'] })).toEqual({ rows: 'a c', fresh: 0 });
  });

  it('say nothing about alarms that are older than those that were listed', () => {
    expect(merged([B, C], [A, B], { listedSince: B.raised })).toEqual({ rows: 'b c', fresh: 1 });
  });
});

describe('a range of alarms', () => {
  const uuids = ['a', 'b', 'c', 'd'];
  it.each([
    [['b', 'd'], 'b c d'],
    [['d', 'b'], 'b c d'],
    [['x', 'b'], 'b'],
  ] as const)('from %j is %s', ([from, to], checked) => {
    expect([...checkedRange(uuids, [from, to], NOTHING)].sort().join(' ')).toBe(checked);
  });
});
