import { describe, expect, it } from '@jest/globals';
import type { ConditionFields } from './condition-text';
import { joinRanges, rangeFrom, rangeOf, type DateRange } from './date-ranges';

const TIME = { kind: 'attribute', key: 4 } as const;
const conditions = ({ from, to }: Pick<DateRange, 'from' | 'to'>): ConditionFields[] => [
  { field: TIME, operator: '>=', values: [from.toISOString()] },
  { field: TIME, operator: '<', values: [to.toISOString()] },
];

describe('ranges of time', () => {
  it.each([
    ['onDay', '2026-05-04', new Date(2026, 4, 4), new Date(2026, 4, 5)],
    ['inWeek', '2026-05-07', new Date(2026, 4, 4), new Date(2026, 4, 11)],
    ['inWeek', '2026-05-10', new Date(2026, 4, 4), new Date(2026, 4, 11)],
    ['onDay', '2026-03-29', new Date(2026, 2, 29), new Date(2026, 2, 30)],
  ] as const)('%s of %s', (choice, day, from, to) => {
    const range = rangeOf(choice, day)!;
    expect(range).toEqual({ choice, from, to });
    expect(rangeFrom(conditions(range))).toEqual(range);
  });
  it('of no day are none', () => expect(rangeOf('onDay', '')).toBeUndefined());
  it('of other times are from one to the other', () => {
    expect(rangeFrom(conditions({ from: new Date(2026, 4, 5), to: new Date(2026, 4, 12) }))?.choice).toBe('between');
    expect(rangeFrom(conditions({ from: new Date(2026, 4, 4, 6), to: new Date(2026, 4, 5, 6) }))?.choice).toBe('between');
  });
  it('are one of two conditions, others stay alone', () => {
    const machine: ConditionFields = { field: { kind: 'attribute', key: 10 }, operator: 'In', values: ['2'] };
    const [from, to] = conditions(rangeOf('onDay', '2026-05-04')!) as [ConditionFields, ConditionFields];
    const isTime = ({ field }: ConditionFields) => field.kind === 'attribute' && field.key === 4;
    expect(joinRanges([machine, from, to, machine], isTime).map(({ length }) => length)).toEqual([1, 2, 1]);
    expect(joinRanges([from, machine, to], isTime).map(({ length }) => length)).toEqual([1, 1, 1]);
  });
});
