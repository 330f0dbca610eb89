import { expect, it } from '@jest/globals';
import { countSeriesAnswer, countSummaryAnswer } from '../../testing/analysis-answers.fixture';
import { comparedOf } from './compared';

it('compares counts with their tolerance, not shares', () => {
  const series = countSeriesAnswer();
  const named = { uuid: 'c', name: 'Scratches', parentName: 'Car door', unit: '', decimals: 0 };
  const { shown } = comparedOf({ ...named, summary: countSummaryAnswer(), series });
  expect(shown.entries.map(({ mean }) => mean)).toEqual(series.values!.map(({ value }) => value));
});
