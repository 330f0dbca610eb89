import { describe, expect, it } from '@jest/globals';
import type { AssessedSeries } from '../assessment/assessed-series.ts';
import type { KeptAssessment } from './assessment-fields.ts';
import { emptiedChanges, newestValues } from './status-changes.ts';

describe('changes by new values', () => {
  const LIMITS = { lowerTolerance: 0, upperTolerance: 10 };
  const PRESENT = 1_000_000;
  /** A series of one value for each time from 1 on, whose ids are the times. */
  const seriesOf = (...values: number[]): AssessedSeries => ({
    assessed: { characteristic: { id: 7 } } as AssessedSeries['assessed'],
    values: Float64Array.from(values),
    timeAt: (index) => index + 1,
    idAt: (index) => index + 1,
  });
  const upTo = (time: number) => ({ lastTime: time, lastId: time });

  it('have the times of their measurements', () => {
    const { changes, now } = newestValues(seriesOf(5, -1, 5), { limits: LIMITS, previous: undefined, seen: upTo(3), present: PRESENT });
    expect(now).toBe('inLimits');
    expect(changes.map(({ time, after }) => [time, after])).toEqual([
      [1, 'inLimits'],
      [2, 'belowTolerance'],
      [3, 'inLimits'],
    ]);
  });
  it('are told once where a value comes between the figures and the reading of the values', () => {
    const first = newestValues(seriesOf(5, -1, 5), { limits: LIMITS, previous: undefined, seen: upTo(2), present: PRESENT });
    expect(first.now).toBe('belowTolerance');
    const previous = { now: first.now, ...upTo(2) } as KeptAssessment;
    const second = newestValues(seriesOf(5, -1, 5), { limits: LIMITS, previous, seen: upTo(3), present: PRESENT });
    expect(second.changes.map(({ time, before, after }) => [time, before, after])).toEqual([[3, 'belowTolerance', 'inLimits']]);
  });
  it('have the present time after other limits', () => {
    const previous = { now: 'inLimits', ...upTo(1) } as KeptAssessment;
    const { changes } = newestValues(seriesOf(11), { limits: LIMITS, previous, seen: upTo(1), present: PRESENT });
    expect(changes.map(({ time, after }) => [time, after])).toEqual([[PRESENT, 'aboveTolerance']]);
  });
});

describe('changes of a characteristic without values', () => {
  const listed = (now: 'inLimits' | 'noData', process: 'capable' | 'unknown') =>
    emptiedChanges(7, { now, process }, 0).map(({ kind, before, after }) => `${kind} ${before} ${after}`);

  it('are those of both statuses', () => {
    expect(listed('inLimits', 'capable')).toEqual(['now inLimits noData', 'process capable unknown']);
  });
  it('are none of a status that said so before, when all values were excluded', () => {
    expect(listed('noData', 'unknown')).toEqual([]);
  });
});
