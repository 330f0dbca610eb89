import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CUSUM, DEFAULT_EWMA, usualRule } from '@sinebar/statistics';
import { assessCharacteristics } from './assessment.ts';
import type { ChartRequest } from './tasks.ts';

const INDIVIDUALS: ChartRequest = { type: 'individuals', subgroupSize: 1, sigmaMethod: 'movingRange', rules: [usualRule('nelson1')] };
const LIMITS = { lowerTolerance: 9, upperTolerance: 11 };

/** Values with a shift, and one missing value after every fourth. */
function valuesWithGaps(gap: number): number[] {
  return Array.from({ length: 200 }, (_, i) => {
    const value = 10 + Math.sin(i * i) / 5 + (i > 150 ? 0.3 : 0);
    return i % 4 === 3 ? [value, ...new Array<number>(gap).fill(NaN)] : [value];
  }).flat();
}

function assessed(values: readonly number[], chart: ChartRequest) {
  const item = {
    values: Float64Array.from(values),
    baseline: [0, values.length] as const,
    chart,
    statusLimits: LIMITS,
    limits: LIMITS,
    convention: 'aiagVda' as const,
    confidence: 0.95,
    requiredCapability: 1.33,
    model: 'auto' as const,
    modelRequestedBy: 'evaluation' as const,
  };
  const [result] = assessCharacteristics({ kind: 'assessments', items: [item] });
  const { since, ...others } = result!;
  return { ...others, since: since && { ...since, index: values.slice(0, since.index).filter((value) => !Number.isNaN(value)).length } };
}

describe('the assessment of single values', () => {
  it.each([
    ['individuals', INDIVIDUALS],
    ['EWMA', { ...INDIVIDUALS, memory: { settings: { ewma: DEFAULT_EWMA } } }],
    ['CUSUM', { ...INDIVIDUALS, memory: { settings: { cusum: DEFAULT_CUSUM } } }],
  ])('takes a gap for the same, however long it is (%s)', (_, chart) => {
    const result = assessed(valuesWithGaps(1), chart);
    expect(assessed(valuesWithGaps(40), chart)).toEqual(result);
    expect(result.stable).not.toBe('unknown');
  });

  it('says nothing of equal values', () => {
    const subgroups: ChartRequest = { ...INDIVIDUALS, type: 'xbarS', subgroupSize: 2, sigmaMethod: 'sbar' };
    expect(assessed(new Array<number>(40).fill(10.123), subgroups).stable).toBe('unknown');
  });
});
