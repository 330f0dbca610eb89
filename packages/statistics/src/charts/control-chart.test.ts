import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FLOW_RATES, VISCOSITY } from '../oracles.fixture.ts';
import { c4, deviationConstants, rangeConstants } from './constants.ts';
import { CHART_TYPES, fitsChart, individualsChart } from './control-chart.ts';
import { groupChart, limitsOfGroup } from './group-chart.ts';
import { cutGroups, groupFigures } from './grouping.ts';
import { SIGMA_METHODS } from './sigma.ts';

const individuals = (values: number[]) => individualsChart(Float64Array.from(values));

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
    const grouping = { starts: Uint32Array.of(0, 20), sizes: Uint16Array.of(20) };
    const chart = groupChart(groupFigures(Float64Array.from(VISCOSITY), grouping), 'xbarS', 'sbar')!;
    expect(chart.sigma).toBeCloseTo(0.5769854, 7);
  });
  it('estimates by the median moving range', () => {
    const chart = individualsChart(Float64Array.of(1, 2, 4, 4), 'medianMovingRange')!;
    expect(chart.sigma).toBeCloseTo(1 / 0.954, 12);
  });
  it('has no moving range across a missing value', () => expect(individuals([1, 2, NaN, 10, 11])!.sigma).toBeCloseTo(1 / 1.128, 12));
  it('needs two neighbouring values', () => expect(individuals([1, NaN, 2])).toBeUndefined());
});

describe('estimates of sigma', () => {
  it('fit charts of single values or of subgroups', () => {
    expect(CHART_TYPES.map((type) => SIGMA_METHODS.filter((method) => fitsChart(type, method)))).toEqual([
      ['movingRange', 'medianMovingRange'],
      ['rbar', 'sbar', 'pooled'],
      ['rbar', 'sbar', 'pooled'],
    ]);
  });
});

describe('limits', () => {
  it('are finite and around the centre line for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noDefaultInfinity: true }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom('rbar', 'sbar', 'pooled'),
        (numbers, size, method) => {
          const values = Float64Array.from(numbers);
          const ofGroups = () => {
            const grouping = cutGroups(values, { by: 'size', size, of: 'measurements' });
            const chart = groupChart(groupFigures(values, grouping), method === 'rbar' ? 'xbarR' : 'xbarS', method);
            return chart && { ...chart, ...limitsOfGroup(chart, size) };
          };
          const chart = size === 1 ? individualsChart(values) : ofGroups();
          if (!chart) return;
          expect(chart.sigma).toBeGreaterThanOrEqual(0);
          for (const { lower, centerLine, upper } of [chart.location, chart.variation!]) {
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
