import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FLOW_RATES, PISTON_RINGS, QCC_SUBGROUPS, VISCOSITY } from '../oracles.fixture.ts';
import { c4, deviationConstants, rangeConstants } from './constants.ts';
import { CHART_TYPES, controlChart, DEFAULT_SIGMA_METHOD, fitsChart, type ChartType } from './control-chart.ts';
import { SIGMA_METHODS, sigmaOfSubgroups } from './sigma.ts';
import { subgroupsOf } from './subgroups.ts';

const individuals = (values: number[]) =>
  controlChart(Float64Array.from(values), { type: 'individuals', subgroupSize: 1, sigmaMethod: 'movingRange' });
const ofSubgroups = (values: number[], type: ChartType, subgroupSize: number) =>
  controlChart(Float64Array.from(values), { type, subgroupSize, sigmaMethod: DEFAULT_SIGMA_METHOD[type] });

/** Printed tables: c4, A3, B3, B4 for n = 2 to 10. */
const PRINTED = {
  c4: [0.7979, 0.8862, 0.9213, 0.94, 0.9515, 0.9594, 0.965, 0.9693, 0.9727],
  A3: [2.659, 1.954, 1.628, 1.427, 1.287, 1.182, 1.099, 1.032, 0.975],
  B3: [0, 0, 0, 0, 0.03, 0.118, 0.185, 0.239, 0.284],
  B4: [3.267, 2.568, 2.266, 2.089, 1.97, 1.882, 1.815, 1.761, 1.716],
};

describe('constants', () => {
  for (let size = 2; size <= 10; size++) {
    it(`computes c4, A3, B3 and B4 of ${size} as printed`, () => {
      const computed = deviationConstants(size);
      expect(computed.c4).toBeCloseTo(PRINTED.c4[size - 2]!, 4);
      expect(computed.A3).toBeCloseTo(PRINTED.A3[size - 2]!, 2);
      expect(Math.abs(computed.B3 - PRINTED.B3[size - 2]!)).toBeLessThan(0.0011);
      expect(Math.abs(computed.B4 - PRINTED.B4[size - 2]!)).toBeLessThan(0.0011);
    });
  }
  it('has A2, D3 and D4 that follow from d2 and d3', () => {
    for (let size = 2; size <= 25; size++) {
      const { d2, d3, A2, D3, D4 } = rangeConstants(size);
      expect(Math.abs(A2 - 3 / (d2 * Math.sqrt(size)))).toBeLessThan(0.002);
      expect(Math.abs(D4 - (1 + (3 * d3) / d2))).toBeLessThan(0.003);
      expect(Math.abs(D3 - Math.max(0, 1 - (3 * d3) / d2))).toBeLessThan(0.003);
    }
  });
  it('continues c4 without a step into the series', () => expect(c4(1001) - c4(1000)).toBeLessThan(3e-7));
  it('agrees with Γ for c4(25)', () => expect(c4(25)).toBeCloseTo(0.9896404, 6));
  it('refuses a size without constants', () => expect(() => rangeConstants(26)).toThrow('subgroups of 26 values'));
});

describe('chart of individuals', () => {
  it('agrees with the NIST handbook on flow rates', () => {
    const chart = individuals(FLOW_RATES)!;
    expect(chart.location.centerLine).toBeCloseTo(50.81, 8);
    expect(chart.variation.centerLine).toBeCloseTo(1.8778, 4);
    expect(chart.location.upper).toBeCloseTo(55.8041, 4);
    expect(chart.location.lower).toBeCloseTo(45.8159, 4);
    expect(chart.variation.upper).toBeCloseTo(6.1347, 3);
    expect(chart.variation.lower).toBe(0);
    expect(chart.sigma).toBeCloseTo(1.6647, 4);
  });
  it('agrees with qcc on viscosity', () => {
    const chart = individuals(VISCOSITY)!;
    expect(chart.location.centerLine).toBeCloseTo(34.088, 8);
    expect(chart.sigma).toBeCloseTo(0.5076521, 7);
    expect(chart.location.lower).toBeCloseTo(32.56504, 5);
    expect(chart.location.upper).toBeCloseTo(35.61096, 5);
  });
  it('agrees with qcc on viscosity without the fourth point', () => {
    const chart = individuals(VISCOSITY.toSpliced(3, 1))!;
    expect(chart.location.centerLine).toBeCloseTo(33.98947, 5);
    expect(chart.sigma).toBeCloseTo(0.4117415, 7);
    expect(chart.location.lower).toBeCloseTo(32.75425, 5);
    expect(chart.location.upper).toBeCloseTo(35.2247, 4);
  });
  it('agrees with s / c4 of qcc on viscosity', () => {
    const estimate = sigmaOfSubgroups(subgroupsOf(Float64Array.from(VISCOSITY), 20), 20, 'sbar')!;
    expect(estimate.sigma).toBeCloseTo(0.5769854, 7);
  });
  it('estimates by the median moving range', () => {
    const chart = controlChart(Float64Array.of(1, 2, 4, 4), { type: 'individuals', subgroupSize: 1, sigmaMethod: 'medianMovingRange' })!;
    expect(chart.sigma).toBeCloseTo(1 / 0.954, 12);
  });
  it('has no moving range across a missing value', () => expect(individuals([1, 2, NaN, 10, 11])!.sigma).toBeCloseTo(1 / 1.128, 12));
  it('needs two neighbouring values', () => expect(individuals([1, NaN, 2])).toBeUndefined());
});

describe('charts of subgroups', () => {
  it('leaves an incomplete subgroup out of the limits', () => {
    expect(ofSubgroups([...QCC_SUBGROUPS, 50], 'xbarR', 4)).toEqual(ofSubgroups(QCC_SUBGROUPS, 'xbarR', 4));
  });
  it('treats a subgroup with a missing value as incomplete', () => {
    expect(subgroupsOf(Float64Array.of(1, NaN, 3, 4), 2).map(({ complete, count }) => [complete, count])).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });
  it('agrees with the formulas X̄ ± A2·R̄, D3·R̄ and D4·R̄', () => {
    const chart = ofSubgroups(QCC_SUBGROUPS, 'xbarR', 4)!;
    const meanRange = (0.04 + 0.04 + 0.07) / 3;
    expect(chart.location.upper - chart.location.centerLine).toBeCloseTo(0.729 * meanRange, 10);
    expect(chart.variation.upper).toBeCloseTo(2.282 * meanRange, 10);
    expect(chart.variation.lower).toBe(0);
  });
  it('needs a complete subgroup', () => expect(ofSubgroups([1, 2, 3], 'xbarS', 4)).toBeUndefined());

  /** Two-valued subgroups whose mean range, or mean deviation, is the published one. */
  const rings = (half: number) =>
    Array.from({ length: PISTON_RINGS.subgroups }, () => [1, -1, 0, 0, 0].map((sign) => PISTON_RINGS.mean + sign * half)).flat();

  it('agrees with qcc on the R chart of piston rings', () => {
    const chart = ofSubgroups(rings(PISTON_RINGS.meanRange / 2), 'xbarR', 5)!;
    expect(chart.sigma).toBeCloseTo(PISTON_RINGS.sigmaOfRange, 6);
    expect(chart.location.lower).toBeCloseTo(73.98805, 5);
    expect(chart.location.upper).toBeCloseTo(74.0143, 4);
    expect(chart.variation.upper).toBeCloseTo(0.0481, 4);
  });
  it('agrees with qcc on the s chart of piston rings', () => {
    const chart = ofSubgroups(rings(PISTON_RINGS.meanDeviation * Math.SQRT2), 'xbarS', 5)!;
    expect(chart.sigma).toBeCloseTo(PISTON_RINGS.sigmaOfDeviation, 9);
    expect(chart.variation.upper).toBeCloseTo(PISTON_RINGS.upperLimitOfDeviation, 7);
  });
  it('pools variances', () => {
    const estimate = sigmaOfSubgroups(subgroupsOf(Float64Array.of(0, 2, 0, 4), 2), 2, 'pooled')!;
    expect(estimate.sigma).toBeCloseTo(Math.sqrt((2 + 8) / 2), 12);
    expect(estimate.degreesOfFreedom).toBe(2);
  });
  it('divides a pooled estimate by c4 when it shall be unbiased', () => {
    const subgroups = subgroupsOf(Float64Array.of(0, 2, 0, 4), 2);
    expect(sigmaOfSubgroups(subgroups, 2, 'pooled', true)!.sigma).toBeCloseTo(Math.sqrt(5) / c4(3), 12);
  });
  it('uses the degrees of freedom of R̄ and s̄', () => {
    const subgroups = subgroupsOf(Float64Array.from(QCC_SUBGROUPS), 4);
    expect(sigmaOfSubgroups(subgroups, 4, 'rbar')!.degreesOfFreedom).toBeCloseTo(0.9 * 9, 12);
    expect(sigmaOfSubgroups(subgroups, 4, 'sbar')!.degreesOfFreedom).toBeCloseTo(0.94 * 9, 12);
  });
  it('has s̄ and R̄ estimates for charts of subgroups only', () => {
    expect(CHART_TYPES.map((type) => SIGMA_METHODS.filter((method) => fitsChart(type, method)))).toEqual([
      ['movingRange', 'medianMovingRange'],
      ['rbar', 'sbar', 'pooled'],
      ['rbar', 'sbar', 'pooled'],
    ]);
  });

  it('has finite limits around the centre line for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noDefaultInfinity: true }), { maxLength: 60 }),
        fc.constantFrom(...CHART_TYPES),
        fc.integer({ min: 2, max: 25 }),
        (values, type, size) => {
          const chart = ofSubgroups(values, type, type === 'individuals' ? 1 : size);
          if (!chart) return;
          expect(chart.sigma).toBeGreaterThanOrEqual(0);
          for (const { lower, centerLine, upper } of [chart.location, chart.variation]) {
            expect(lower).toBeLessThanOrEqual(centerLine);
            expect(upper).toBeGreaterThanOrEqual(centerLine);
            expect([lower, centerLine, upper].every(Number.isFinite)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
