import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import { shownSeries, type ShownSeries } from '../control/shown-series.ts';
import { toleranceScale, type ToleranceScale } from '../drawing/tolerance-scale.ts';

/** A characteristic as far as comparisons draw it. */
export interface Compared {
  readonly uuid: string;
  readonly name: string;
  readonly parentName: string;
  readonly unit: string;
  readonly decimals: number;
  readonly summary: CharacteristicSummary;
  readonly series: CharacteristicSeries;
  readonly shown: ShownSeries;
  /** Places values in percent of the tolerance; without a tolerance, of three standard deviations. */
  readonly percent: (value: number) => number;
  readonly hasTolerance: boolean;
  readonly walls: readonly (-1 | 1)[];
}

/** Percent of the tolerance that a comparison shows on each side. */
export const REACH = 125;

type Input = Pick<Compared, 'uuid' | 'name' | 'parentName' | 'unit' | 'decimals' | 'summary' | 'series'> & Pick<ShownSeries, 'slots'>;

/** @param slots colours and shapes of the groups of the series, where it is split */
export function comparedOf({ slots, ...input }: Input): Compared {
  const { summary, series } = input;
  // The tolerance of a characteristic that counts holds for its counts, which are the values, not for shares or rates.
  const { countChart: _, ...values } = series;
  const scale = toleranceScale(summary.limits) ?? spreadScale(summary);
  return {
    ...input,
    shown: { ...shownSeries(values, summary.limits), ...(slots && { slots }) },
    percent: (value) => scale.ratio(value) * 100,
    hasTolerance: scale.walls.length > 0,
    walls: scale.walls,
  };
}

function spreadScale({ mean = 0, standardDeviation = 1 }: CharacteristicSummary): Pick<ToleranceScale, 'ratio' | 'walls'> {
  const reach = 3 * standardDeviation || 1;
  return { ratio: (value) => (value - mean) / reach, walls: [] };
}
