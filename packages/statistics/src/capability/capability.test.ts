import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupChart } from '../charts/group-chart.ts';
import { cutGroups, groupFigures } from '../charts/grouping.ts';
import { momentsOf } from '../descriptive/moments.ts';
import { PISTON_RINGS, QCC_SUBGROUPS } from '../oracles.fixture.ts';
import { capabilityIndices, INDEX_NAMES, type Index } from './indices.ts';
import { countStatuses, indexLimits, statusOf, type SpecificationLimits } from './limits.ts';
import { expectedPartsPerMillion, observedPartsPerMillion } from './parts-per-million.ts';

const indices = (mean: number, sigma: number, limits: SpecificationLimits, count = 100) =>
  capabilityIndices({ mean, sigma, limits, count, degreesOfFreedom: count - 1, confidence: 0.95 });

function expectIndex(index: Index | undefined, value: number, lower: number, upper: number, digits: number): void {
  expect(index?.value).toBeCloseTo(value, digits);
  expect(index?.lower).toBeCloseTo(lower, digits);
  expect(index?.upper).toBeCloseTo(upper, digits);
}

describe('capabilityIndices', () => {
  it('agrees with the NIST handbook 6.1.6', () => {
    const { p, pk, pl, pu } = indices(16, 2, { lowerTolerance: 8, upperTolerance: 20 });
    expect(p?.value).toBeCloseTo(1, 12);
    expect(pk?.value).toBeCloseTo(0.6667, 4);
    expect(pu?.value).toBeCloseTo(0.6667, 4);
    expect(pl?.value).toBeCloseTo(1.3333, 4);
  });

  describe('agrees with the tests of qcc', () => {
    const values = Float64Array.from(QCC_SUBGROUPS);
    const grouping = cutGroups(values, { by: 'size', size: 4, of: 'measurements' });
    const chart = groupChart(groupFigures(values, grouping), 'xbarR', 'rbar')!;
    const { mean, standardDeviation } = momentsOf(values)!;
    const limits = { lowerTolerance: 9.9, upperTolerance: 10.1, target: 10 };
    const within = indices(mean, chart.sigma, limits, 12);
    const overall = indices(mean, standardDeviation!, limits, 12);

    it('on Cp', () => expectIndex(within.p, 1.372667, 0.80846, 1.937713, 5));
    it('on Cpl', () => expect(within.pl?.value).toBeCloseTo(1.4413, 6));
    it('on Cpu and Cpk', () => expectIndex(within.pk, 1.304033, 0.727408, 1.880659, 5));
    it('on Cpm', () => expect(within.pm?.value).toBeCloseTo(1.344463, 6));
    it('on Pp', () => expectIndex(overall.p, 1.612598, 0.949773, 2.27641, 5));
    it('on Ppk', () => expectIndex(overall.pk, 1.531968, 0.864608, 2.199329, 5));
    it('on an upper tolerance only', () => {
      const upper = indices(mean, chart.sigma, { upperTolerance: 10.1 }, 12);
      expect(upper.pk?.value).toBeCloseTo(1.304033, 6);
      expect(Object.keys(upper)).toEqual(['pk', 'pu']);
    });
  });

  describe('agrees with qcc on piston rings', () => {
    const limits = { lowerTolerance: 73.95, upperTolerance: 74.05, target: 74.02 };
    const count = PISTON_RINGS.subgroups * PISTON_RINGS.size;
    const within = indices(PISTON_RINGS.mean, PISTON_RINGS.meanRange / 2.326, limits, count);
    const overall = indices(PISTON_RINGS.mean, PISTON_RINGS.overallDeviation, limits, count);

    it('on Cp', () => expectIndex(within.p, 1.703, 1.491, 1.915, 3));
    it('on Cpl', () => expect(within.pl?.value).toBeCloseTo(1.743, 3));
    it('on Cpk', () => expectIndex(within.pk, 1.663, 1.448, 1.878, 3));
    it('on Cpm', () => expect(within.pm?.value).toBeCloseTo(0.786, 3));
    it('on Pp', () => expect(overall.p?.value).toBeCloseTo(1.6551, 4));
    it('on Ppk', () => expect(overall.pk?.value).toBeCloseTo(1.6162, 3));
  });

  it.each([
    [0.166, 0.0457, 1.71, 1.46],
    [0.25, 0.0292, 1.71, 2.28],
  ])('agrees with AIAG-VDA figure 7-6 on a natural boundary (mean %d)', (mean, sigma, pk, p) => {
    const bounded = indices(mean, sigma, { lowerBoundary: 0, upperTolerance: 0.4 });
    expect(bounded.pk?.value).toBeCloseTo(pk, 2);
    expect(bounded.p?.value).toBeCloseTo(p, 2);
    expect(bounded.pl).toBeUndefined();
  });

  it('has none without limits', () => expect(indices(1, 1, {})).toEqual({}));
  it('has none with boundaries only', () => expect(indices(1, 1, { lowerBoundary: 0, upperBoundary: 2 })).toEqual({}));
  it('has none where σ is 0', () => expect(indices(1, 0, { lowerTolerance: 0, upperTolerance: 2 })).toEqual({}));
  it('has none where limits are crossed', () => expect(indices(1, 1, { lowerTolerance: 2, upperTolerance: 0 })).toEqual({}));
  it('has a negative k index for a mean beyond the tolerance', () => expect(indices(5, 1, { upperTolerance: 2 }).pk?.value).toBe(-1));
  it('has no interval without degrees of freedom', () => {
    expect(
      capabilityIndices({ mean: 1, sigma: 1, limits: { upperTolerance: 4 }, count: 1, degreesOfFreedom: 0, confidence: 0.95 }).pk,
    ).toEqual({
      value: 1,
    });
  });

  it('has finite figures only, the k index at most C, and each value within its interval', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        number,
        number,
        number,
        number,
        fc.integer({ min: 2, max: 1e6 }),
        (mean, spread, lowerTolerance, upperTolerance, count) => {
          const found = indices(mean, Math.abs(spread), { lowerTolerance, upperTolerance }, count);
          for (const index of Object.values(found) as Index[]) {
            expect(Object.values(index).every(Number.isFinite)).toBe(true);
            if (index.lower === undefined || index.upper === undefined) continue;
            expect(index.lower).toBeLessThanOrEqual(index.value);
            expect(index.upper).toBeGreaterThanOrEqual(index.value);
          }
          if (found.p && found.pk) expect(found.pk.value).toBeLessThanOrEqual(found.p.value * (1 + 1e-9));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('names the indices by convention', () => {
    expect(INDEX_NAMES.aiagVda).toMatchObject({ overall: { pk: 'Ppk' }, within: { pk: 'Cwk' } });
    expect(INDEX_NAMES.minitab).toMatchObject({ overall: { pk: 'Ppk' }, within: { pk: 'Cpk' } });
  });
});

describe('limits', () => {
  const limits = { lowerTolerance: 1, lowerWarning: 2, upperWarning: 8, upperTolerance: 9 };
  it.each([
    [0.9, 'belowTolerance'],
    [1, 'inWarning'],
    [2, 'inLimits'],
    [8, 'inLimits'],
    [8.1, 'inWarning'],
    [9, 'inWarning'],
    [9.1, 'aboveTolerance'],
  ])('finds %d %s', (value, status) => expect(statusOf(value, limits)).toBe(status));
  it('counts no missing value', () => {
    expect(countStatuses(Float64Array.of(0, 5, NaN, 8.5, 10, 11), limits)).toEqual({
      inLimits: 1,
      inWarning: 1,
      belowTolerance: 1,
      aboveTolerance: 2,
    });
  });
  it('takes the width from a tolerance and a natural boundary', () => {
    expect(indexLimits({ lowerBoundary: 0, upperTolerance: 1 })).toEqual({ upper: 1, width: [0, 1] });
  });
});

describe('parts per million', () => {
  it('counts what is beyond', () => {
    expect(observedPartsPerMillion({ belowTolerance: 8, aboveTolerance: 12 }, 5000, { lowerTolerance: 0, upperTolerance: 1 })).toEqual({
      below: 1600,
      above: 2400,
      total: 4000,
    });
  });
  it('expects 2700 beyond three standard deviations', () => {
    expect(expectedPartsPerMillion(0, 1, { lowerTolerance: -3, upperTolerance: 3 })?.total).toBeCloseTo(2699.796, 3);
  });
  it('expects 3.4 beyond six, with the mean 1.5 off', () => {
    expect(expectedPartsPerMillion(1.5, 1, { upperTolerance: 6 })?.above).toBeCloseTo(3.3977, 4);
  });
  it('keeps its digits far from the mean', () => {
    expect(expectedPartsPerMillion(0, 1, { upperTolerance: 10 })!.above! / 7.619853024160527e-18).toBeCloseTo(1, 9);
  });
  it('has none without a tolerance', () => expect(expectedPartsPerMillion(0, 1, {})).toBeUndefined());
  it('has none where σ is 0', () => expect(expectedPartsPerMillion(0, 0, { upperTolerance: 1 })).toBeUndefined());
});
