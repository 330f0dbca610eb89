import { describe, expect, it } from '@jest/globals';
import type { Measurement } from '@sinebar/client';
import { countsOf, statusesInPlanOrder, worstOf } from './value-statuses';

const MEASUREMENT: Measurement = {
  uuid: 'm',
  partUuid: 'p',
  attributes: {},
  lastModified: '2026-05-08T21:41:52.000Z',
  created: '2026-05-08T21:41:52.000Z',
  status: [
    { id: 'Green', count: 3, uuid: ['a', 'd', 'e'] },
    { id: 'Yellow', count: 1, uuid: ['b'] },
    { id: 'Red', count: 0, uuid: [] },
  ],
  noLimits: { count: 1, uuid: ['e'] },
};

describe('statuses of the values of a measurement', () => {
  it('are counted', () => {
    expect(countsOf(MEASUREMENT)).toEqual({ values: 4, out: 0, warning: 1, noLimits: 1 });
  });

  it.each([
    [{ values: 3, out: 1, warning: 1, noLimits: 0 }, 'outOfTolerance'],
    [{ values: 3, out: 0, warning: 1, noLimits: 0 }, 'inWarning'],
    [{ values: 3, out: 0, warning: 0, noLimits: 0 }, 'inLimits'],
    [{ values: 3, out: 0, warning: 0, noLimits: 2 }, 'inLimits'],
    [{ values: 3, out: 0, warning: 0, noLimits: 3 }, 'noLimits'],
    [{ values: 0, out: 0, warning: 0, noLimits: 0 }, 'noData'],
  ])('of %j the worst is %s', (counts, status) => {
    expect(worstOf(counts)).toBe(status);
  });

  it('are listed in plan order, with the missing ones', () => {
    expect(statusesInPlanOrder(MEASUREMENT, ['e', 'd', 'c', 'b'])).toEqual(['noLimits', 'inLimits', 'noData', 'inWarning']);
  });
});
