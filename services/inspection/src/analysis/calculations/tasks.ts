import type { CharacteristicSummary } from '@sinebar/contracts';
import type { ChartType, Convention, RuleSetting, SigmaMethod, SpecificationLimits } from '@sinebar/statistics';

/** Type, subgroups, estimate and rules of a chart; they fit each other. */
export interface ChartRequest {
  readonly type: ChartType;
  readonly subgroupSize: number;
  readonly sigmaMethod: SigmaMethod;
  readonly unbiased: boolean;
  readonly rules: readonly RuleSetting[];
}

/** Values in the order of measurement, NaN where one is missing, and the range from which control limits follow. */
export interface ChartValues {
  readonly values: Float64Array;
  /** Indices of the first value of the baseline and of the one after it. */
  readonly baseline: readonly [number, number];
}

export interface SummaryTask extends ChartValues {
  readonly kind: 'summary';
  readonly chart: ChartRequest;
  /** Limits that a status depends on, as `statistics` of measurements uses them. */
  readonly statusLimits: SpecificationLimits;
  /** The same limits for indices, natural boundaries apart from tolerances. */
  readonly limits: SpecificationLimits;
  readonly convention: Convention;
  readonly confidence: number;
  readonly requiredCapability: number;
}

export interface ChartTask extends ChartValues {
  readonly kind: 'chart';
  readonly chart: ChartRequest;
  /** Indices of the first value that is shown and of the one after the last; values without a number count only in subgroups. */
  readonly shown: readonly [number, number];
  /** Only the newest broken rules among those shown, this many at most: a message of millions would hold the event loop. */
  readonly mostHits: number;
  /** Subgroups are listed only where no more are shown. */
  readonly mostSubgroups: number;
}

export interface ProbabilityTask {
  readonly kind: 'probability';
  readonly values: Float64Array;
  readonly points: number;
}

export interface CorrelationTask {
  readonly kind: 'correlation';
  /** Pairs at equal indices; neither value is missing. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly confidence: number;
}

/** Work on many values that reads and writes nothing. */
export type Task = SummaryTask | ChartTask | ProbabilityTask | CorrelationTask;

/** Figures of a summary that follow from its values alone; times and names are added by the service. */
export type SummaryFigures = Omit<
  CharacteristicSummary,
  'characteristicUuid' | 'partUuid' | 'path' | 'missing' | 'firstTime' | 'lastTime' | 'limits' | 'chart' | 'assessment'
> & {
  readonly chart: ChartFigures | undefined;
  readonly assessment: Omit<CharacteristicSummary['assessment'], 'required'>;
  readonly notes: string[];
};

/** A control chart without the times of its baseline. */
export type ChartFigures = Omit<NonNullable<CharacteristicSummary['chart']>, 'baseline'>;
