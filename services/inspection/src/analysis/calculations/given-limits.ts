import { rangeConstants, type ControlLimits, type GroupChart, type IndividualsChart } from '@sinebar/statistics';
import type { GivenLimits } from './tasks.ts';

/** A spread that somebody gives is known as well as one of very many values. */
const GIVEN_FREEDOM = 1_000_000;

/** Limits of the mean of `size` values; a limit that is not given lies as far from the centre line as the other one, or 3 sigma. */
export function givenLocation({ centerLine, lower, upper }: GivenLimits, sigma: number, usualSize: number, size: number): ControlLimits {
  const scale = Math.sqrt(usualSize / size);
  const reach = (3 * sigma) / Math.sqrt(usualSize);
  return {
    centerLine,
    lower: centerLine - (lower === undefined ? reach : centerLine - lower) * scale,
    upper: centerLine + (upper === undefined ? reach : upper - centerLine) * scale,
  };
}

function givenSigma({ centerLine, sigma, lower, upper }: GivenLimits, size: number): number {
  if (sigma !== undefined) return sigma;
  const below = centerLine - (lower ?? 2 * centerLine - upper!);
  const above = (upper ?? 2 * centerLine - lower!) - centerLine;
  return ((below + above) / 6) * Math.sqrt(size);
}

/** The chart of single values by limits that are given. */
export function givenIndividuals(given: GivenLimits): IndividualsChart {
  const sigma = givenSigma(given, 1);
  const { d2, D4 } = rangeConstants(2);
  const meanRange = d2 * sigma;
  return {
    sigma,
    degreesOfFreedom: GIVEN_FREEDOM,
    location: givenLocation(given, sigma, 1, 1),
    variation: { centerLine: meanRange, lower: 0, upper: D4 * meanRange },
  };
}

/** The chart of subgroups by limits that are given. */
export function givenGroups(
  given: GivenLimits,
  { type, sigmaMethod, subgroupSize }: Pick<GroupChart, 'type' | 'sigmaMethod'> & { subgroupSize: number },
): GroupChart {
  return { type, sigmaMethod, sigma: givenSigma(given, subgroupSize), degreesOfFreedom: GIVEN_FREEDOM, centerLine: given.centerLine };
}
