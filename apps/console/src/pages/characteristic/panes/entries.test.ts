import { describe, expect, it } from '@jest/globals';
import { shownSeries } from '@sinebar/charts';
import { countSeriesAnswer, seriesAnswer } from '../../../testing/analysis-answers.fixture';
import { placeLeftOut } from './entries';

const MEASUREMENT = '91ab4d20-0000-4000-8000-000000000099';
const values = [{ measurementUuid: MEASUREMENT, time: '2026-03-02T08:04:30.000Z', value: 7 }];
const leftOut = [{ measurementUuid: MEASUREMENT, reason: 'spilled' }] as never;

describe('values that are left out', () => {
  it('stand before the next point at their value', () => {
    expect(placeLeftOut(shownSeries(seriesAnswer(), {}), values, leftOut)).toEqual([{ position: 5, value: 7, reason: 'spilled' }]);
  });
  it('stand at their share where all samples have one size', () => {
    expect(placeLeftOut(shownSeries(countSeriesAnswer(), {}), values, leftOut)).toEqual([{ position: 5, value: 0.07, reason: 'spilled' }]);
  });
  it('have no height where samples differ in size', () => {
    const { countChart, ...series } = countSeriesAnswer();
    const points = countChart!.points.map((point) => ({ ...point, size: 100 + point.index }));
    const shown = shownSeries({ ...series, countChart: { ...countChart!, points } }, {});
    expect(placeLeftOut(shown, values, leftOut)).toEqual([{ position: 5, reason: 'spilled' }]);
  });
});
