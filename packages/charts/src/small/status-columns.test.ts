import { describe, expect, it } from '@jest/globals';
import { countStatuses, statusColumns, type Status } from './status-columns.ts';

describe('statusColumns', () => {
  it('gives each characteristic its own column where there is room', () => {
    expect(statusColumns(['inLimits', 'outOfTolerance'], 10, 100)).toEqual([
      { x: 35, status: 'inLimits' },
      { x: 85, status: 'outOfTolerance' },
    ]);
  });
  it('shows the worst of those that share a column', () => {
    const many: Status[] = Array.from({ length: 100_000 }, (_, i) => (i === 70_001 ? 'outOfTolerance' : 'inLimits'));
    const columns = statusColumns(many, 0, 400);
    expect(columns).toHaveLength(200);
    expect(columns.filter(({ status }) => status === 'outOfTolerance')).toHaveLength(1);
  });
  it('shows a judged one before one without limits, and that before one without data', () => {
    expect(statusColumns(['noLimits', 'inLimits', 'noData', 'noLimits'], 0, 4)).toMatchObject([
      { status: 'inLimits' },
      { status: 'noLimits' },
    ]);
  });
  it('has no columns without characteristics', () => {
    expect(statusColumns([], 0, 100)).toEqual([]);
  });
});

describe('countStatuses', () => {
  it('counts each status', () => {
    expect(countStatuses(['noData', 'inLimits', 'inLimits'])).toEqual({
      inLimits: 2,
      inWarning: 0,
      outOfTolerance: 0,
      noLimits: 0,
      noData: 1,
    });
  });
});
