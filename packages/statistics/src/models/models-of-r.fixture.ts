import { readFileSync } from 'node:fs';
import type { ModelName, ModelParameters } from './fitted-model.ts';

/** A data set with figures of R 4.2.2; the file names how they were made. */
export interface ModelOfR {
  readonly name: string;
  readonly values: readonly number[];
  readonly lower: number | null;
  readonly upper: number | null;
  readonly naturalBoundary: number | null;
  readonly andersonDarlingNormal: number;
  readonly fits: Readonly<Partial<Record<ModelName, FitOfR>>>;
  readonly chosen: ModelName;
  readonly index: IndicesOfR;
  readonly normalIndex: IndicesOfR;
}

interface FitOfR {
  readonly parameters: ModelParameters;
  readonly logLikelihood: number;
  readonly aicc: number;
  readonly percentiles: readonly [number, number, number];
  readonly thresholdAtEdge: boolean;
}

interface IndicesOfR {
  readonly p?: number;
  readonly pk: number;
  readonly pl?: number;
  readonly pu?: number;
}

const file = JSON.parse(readFileSync(new URL('models-of-r.fixture.json', import.meta.url), 'utf8')) as {
  readonly models: readonly ModelOfR[];
  readonly tolerance: readonly { readonly n: number; readonly twoSided: number; readonly oneSided: number }[];
};

export const MODELS_OF_R = file.models;

/** Factors for a content of 0.99 and a confidence of 0.95. */
export const TOLERANCE_FACTORS_OF_R = file.tolerance;

/** Limits as the functions of this package take them. */
export function limitsOf({ lower, upper, naturalBoundary }: ModelOfR) {
  return {
    ...(lower !== null && { lowerTolerance: lower }),
    ...(upper !== null && { upperTolerance: upper }),
    ...(naturalBoundary !== null && { lowerBoundary: naturalBoundary }),
  };
}
