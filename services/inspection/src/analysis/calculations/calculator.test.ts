import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usualRule } from '@sinebar/statistics';
import { Calculator } from './calculator.ts';
import type { ChartRequest, JudgedSeries } from './tasks.ts';

const CHART: ChartRequest = { type: 'individuals', subgroupSize: 1, sigmaMethod: 'movingRange', rules: [usualRule('nelson1')] };

describe('the rules of 1,000 values', () => {
  let calculator: Calculator;
  beforeAll(() => {
    calculator = new Calculator(1);
  });
  afterAll(() => calculator.close());

  /** Judges a series whose last value is far away. @returns the broken points, and whether a thread took the values along */
  const judge = async (chart: ChartRequest) => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => (i === 999 ? 20 : 10 + Math.sin(i * i) / 5));
    const item: JudgedSeries = { values, baseline: [0, values.length], chart, model: { limits: {}, request: 'normal' } };
    const [judgement] = await calculator.run<'judgements'>({ kind: 'judgements', items: [item] }, AbortSignal.timeout(60_000));
    return { broken: judgement!.broken.filter(({ on }) => on === 'location').map(({ index }) => index), isInThread: values.length === 0 };
  };

  it('are judged in a thread where a model is fitted to them', async () => {
    expect(await judge(CHART)).toEqual({ broken: [999], isInThread: true });
  });

  it('are judged at once where the limits are given', async () => {
    const given = { kind: 'given', centerLine: 10, sigma: 0.2 } as const;
    expect(await judge({ ...CHART, given })).toEqual({ broken: [999], isInThread: false });
  });
});
