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
    { id: 'Green', count: 2, uuid: ['a', 'd'] },
    { id: 'Yellow', count: 1, uuid: ['b'] },
    { id: 'Red', count: 0, uuid: [] },
  ],
};

describe('statuses of the values of a measurement', () => {
  it('are counted', () => {
    expect(countsOf(MEASUREMENT)).toEqual({ values: 3, out: 0, warning: 1 });
  });

  it.each([
    [{ values: 3, out: 1, warning: 1 }, 'outOfTolerance'],
    [{ values: 3, out: 0, warning: 1 }, 'inWarning'],
    [{ values: 3, out: 0, warning: 0 }, 'inLimits'],
    [{ values: 0, out: 0, warning: 0 }, 'noData'],
  ])('of %j the worst is %s', (counts, status) => {
    expect(worstOf(counts)).toBe(status);
  });

  it('are listed in plan order, with the missing ones', () => {
    expect(statusesInPlanOrder(MEASUREMENT, ['d', 'c', 'b', 'a'])).toEqual(['inLimits', 'noData', 'inWarning', 'inLimits']);
  });
});
