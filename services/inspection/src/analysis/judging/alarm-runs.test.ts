import { describe, expect, it } from '@jest/globals';
import { planRuns, type RunAlarm, type RunHit } from './alarm-runs.ts';

interface Alarm extends RunAlarm {
  name: string;
}

const open: Alarm = { name: 'open', isOpen: true };
const closed: Alarm = { name: 'closed', isOpen: false };

/** Points whose measurement ids are 100 and above. */
function plan(values: readonly number[], hits: readonly RunHit[], owned: Readonly<Record<number, Alarm>> = {}) {
  return planRuns({ values, idAt: (index) => 100 + index }, hits, (id) => owned[id - 100]).map(({ alarm, points }) => [
    alarm?.name ?? 'new',
    ...points,
  ]);
}

const single = (...indexes: number[]) => indexes.map((index) => ({ index, length: 1 }));
const nine = (...indexes: number[]) => indexes.map((index) => ({ index, length: 9 }));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('planRuns', () => {
  it('begins an alarm for each stretch of single points', () => {
    expect(plan(numbers(8), single(1, 2, 5))).toEqual([
      ['new', 1, 2],
      ['new', 5],
    ]);
  });

  it('passes over missing points between single ones', () => {
    expect(plan([1, 2, NaN, NaN, 3], single(1, 4))).toEqual([['new', 1, 4]]);
  });

  it('takes all points of a run', () => {
    expect(plan(numbers(12), nine(8, 9, 10))).toEqual([['new', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
  });

  it('joins runs that share a point, and no others', () => {
    expect(plan(numbers(40), nine(8, 16, 25)).map(([, first, ...others]) => [first, others.at(-1)])).toEqual([
      [0, 16],
      [17, 25],
    ]);
  });

  it('extends an open alarm that a following point touches', () => {
    expect(plan(numbers(5), single(2), { 1: open })).toEqual([['open', 2]]);
    expect(plan(numbers(5), single(2), { 3: open })).toEqual([['open', 2]]);
    expect(plan(numbers(20), nine(9), Object.fromEntries(numbers(9).map((i) => [i, open])))).toEqual([['open', 9]]);
  });

  it('adds no points where all belong to an alarm already', () => {
    expect(plan(numbers(5), single(1, 2), { 1: open, 2: open })).toEqual([['open']]);
    expect(plan(numbers(5), single(1), { 1: closed })).toEqual([]);
  });

  it('begins an alarm behind a closed one, but not with a run that shares a point with it', () => {
    expect(plan(numbers(5), single(2), { 1: closed })).toEqual([['new', 2]]);
    const ofClosed = Object.fromEntries(numbers(9).map((i) => [i, closed]));
    expect(plan(numbers(30), nine(9, 10, 16), ofClosed)).toEqual([]);
    expect(plan(numbers(30), nine(9, 10, 16, 17, 18), ofClosed)).toEqual([['new', 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]]);
  });

  it('joins a late point with the runs at its sides', () => {
    expect(plan(numbers(5), single(2), { 1: open, 3: { ...open, name: 'other' } })).toEqual([['open', 2]]);
  });

  it('ends a run at a missing point', () => {
    expect(plan([0, 1, NaN, 3, 4], [{ index: 4, length: 3 }])).toEqual([['new', 3, 4]]);
  });
});
