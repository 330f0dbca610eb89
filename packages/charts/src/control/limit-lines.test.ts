import { describe, expect, it } from '@jest/globals';
import type { CharacteristicSummary } from '@sinebar/contracts';
import { texts } from '../texts.ts';
import { limitLines } from './limit-lines.ts';

const CHART = {
  type: 'individuals',
  location: { centerLine: 20, lower: 19, upper: 21 },
} as NonNullable<CharacteristicSummary['chart']>;
const centre = (chart: typeof CHART) => limitLines({ sources: {} }, chart, 2, texts.en).find(({ value }) => value === 20)?.name;

describe('the lines of a chart of single values', () => {
  it('name the centre after what it is: the mean, or the median of a model', () => {
    expect(centre(CHART)).toBe('mean');
    expect(centre({ ...CHART, scores: { model: 'weibull' } })).toBe('median');
  });
});
