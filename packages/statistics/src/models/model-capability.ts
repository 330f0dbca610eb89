import { capabilityIndices, INDEX_NAMES, type Convention, type Index, type Indices } from '../capability/indices.ts';
import { indexLimits, type SpecificationLimits } from '../capability/limits.ts';
import type { PartsPerMillion } from '../capability/parts-per-million.ts';
import { momentsOf, type Moments } from '../descriptive/moments.ts';
import type { FitOptions, ModelFit } from './fits.ts';
import type { ModelDescription, ModelName, ModelParameters } from './fitted-model.ts';
import type { GoodnessOfFit } from './goodness-of-fit.ts';
import { indicesOfPercentiles, MODEL_INDEX_KEYS, percentilesOf, type Percentiles } from './indices-of-model.ts';
import { chooseModel, type ModelChoice, type ModelRequest } from './model-choice.ts';
import { fittedModel } from './model-functions.ts';
import { modelIntervals, type ModelIntervals } from './model-intervals.ts';

export interface CapabilityInput {
  /** In the order of measurement, NaN for a missing value. */
  readonly values: Float64Array;
  /** Mean, spread and range of all values, where they are known. */
  readonly moments?: Moments | undefined;
  readonly limits: SpecificationLimits;
  /** Spread within subgroups or between neighbours, where there is a chart. */
  readonly within?: { readonly sigma: number; readonly degreesOfFreedom: number } | undefined;
  readonly convention: Convention;
  /** Between 0 and 1, such as 0.95. */
  readonly confidence: number;
  /** The model of the values, where it has been chosen already; then `request` and `kept` have no effect. */
  readonly choice?: ModelChoice | undefined;
  readonly request: ModelRequest;
  /** Who asked for a model other than `auto`. */
  readonly requestedBy?: 'evaluation' | 'request' | undefined;
  /** The model that was chosen before. */
  readonly kept?: ModelName | undefined;
}

export interface NamedIndex extends Index {
  readonly name: string;
}

export type NamedIndices = { readonly sigma: number } & { readonly [K in keyof Indices]?: NamedIndex };

export interface ModelCapability extends ModelDescription {
  readonly chosenBy: 'auto' | 'evaluation' | 'request';
  readonly parameters: ModelParameters;
  readonly logLikelihood: number;
  readonly aicc: number;
  readonly percentiles: Percentiles;
  readonly p?: NamedIndex;
  readonly pk?: NamedIndex;
  readonly pl?: NamedIndex;
  readonly pu?: NamedIndex;
  readonly andersonDarling?: GoodnessOfFit;
  readonly expectedPartsPerMillion?: PartsPerMillion;
  /** How many values were drawn, where not all were fitted. */
  readonly drawn?: number;
  /** All models that were fitted, the best first. */
  readonly candidates: readonly { readonly name: ModelName; readonly aicc: number; readonly pk?: number }[];
}

export interface Capability {
  readonly convention: Convention;
  readonly confidence: number;
  /** The index that counts; absent where it is not defined. */
  readonly pk?: NamedIndex & { readonly from: 'normal' | 'model' };
  readonly normal: { readonly overall: NamedIndices; readonly within?: NamedIndices };
  /** Absent where the model is normal. */
  readonly model?: ModelCapability;
}

export interface CapabilityEvaluation {
  /** Absent without a tolerance, with crossed limits, and where the spread is 0 or not defined. */
  readonly capability: Capability | undefined;
  /** The model of the values, also where it is normal, and how it was fitted. */
  readonly model: ModelDescription | undefined;
  readonly fitOptions: FitOptions;
  /** Whether no model fits, so that the verdict is at most uncertain. */
  readonly isModelRejected: boolean;
  /** The values of a coarse gauge, spread within their step, ascending; absent for any other gauge. */
  readonly spread: Float64Array | undefined;
  /** Sentences about the model. */
  readonly notes: readonly string[];
}

/** Candidates whose criterion is within this of the chosen one widen its intervals. */
const DOUBT_MARGIN = 4;

/** Chooses the model of values and computes every index: of the normal distribution, and of the model beside them. */
export function evaluateCapability(input: CapabilityInput): CapabilityEvaluation {
  const moments = input.moments ?? momentsOf(input.values);
  const choice = input.choice ?? chooseModel({ ...input, moments });
  const { fit, fitOptions, isRejected, spread, notes } = choice;
  const model = fit && { name: fit.name, parameters: fit.parameters };
  return { capability: moments && capabilityOf(input, moments, choice), model, fitOptions, isModelRejected: isRejected, spread, notes };
}

function capabilityOf(input: CapabilityInput, moments: Moments, choice: ModelChoice): Capability | undefined {
  const { limits, convention, confidence } = input;
  const given = indexLimits(limits);
  const { standardDeviation: sigma, mean, count } = moments;
  if (!given || (given.lower === undefined && given.upper === undefined) || !sigma) return undefined;
  const names = INDEX_NAMES[convention];
  const common = { mean, count, confidence };
  const overall = capabilityIndices({ ...common, limits, sigma, degreesOfFreedom: count - 1 });
  const { target: _target, ...withoutTarget } = limits;
  const within = input.within && input.within.sigma > 0 ? input.within : undefined;
  const normal: Capability['normal'] = {
    overall: { sigma, ...named(overall, names.overall) },
    ...(within && {
      within: { sigma: within.sigma, ...named(capabilityIndices({ ...common, limits: withoutTarget, ...within }), names.within) },
    }),
  };
  const base = { convention, confidence };
  const { fit } = choice;
  if (!fit || fit.name === 'normal') {
    const pk = overall.pk && (choice.isCompared ? widened({ pk: overall.pk }, input, choice, overall).pk : overall.pk);
    return { ...base, ...(pk && { pk: { name: names.overall.pk, ...pk, from: 'normal' as const } }), normal };
  }
  const model = modelCapability(fit, input, choice, overall);
  return { ...base, ...(model.pk && { pk: { ...model.pk, from: 'model' as const } }), normal, model };
}

function modelCapability(fit: ModelFit, input: CapabilityInput, choice: ModelChoice, normal: Indices): ModelCapability {
  const { limits, confidence } = input;
  const { sample, fitOptions, goodness, drawn } = choice;
  const { name, parameters, logLikelihood, aicc } = fit;
  const own = modelIntervals(fit, { sample, limits, confidence, fitOptions });
  const intervals = choice.isCompared ? widened(own, input, choice, normal) : own;
  const expected = expectedPartsPerMillionOf(fit, limits);
  return {
    name,
    chosenBy: choice.request === 'auto' ? 'auto' : (input.requestedBy ?? 'request'),
    parameters,
    logLikelihood,
    aicc,
    percentiles: percentilesOf(fittedModel(fit)),
    ...named(intervals, INDEX_NAMES[input.convention].overall),
    ...(goodness && { andersonDarling: goodness }),
    ...(expected && { expectedPartsPerMillion: expected }),
    ...(drawn !== undefined && { drawn }),
    candidates: choice.candidates.map((candidate) => {
      const pk = candidate.name === 'normal' ? normal.pk?.value : indicesOfPercentiles(percentilesOf(fittedModel(candidate)), limits).pk;
      return { name: candidate.name, aicc: candidate.aicc, ...(pk !== undefined && { pk }) };
    }),
  };
}

/** Extends intervals to those of all candidates that are nearly as likely, so that the doubt about the model is in them. */
function widened(own: ModelIntervals, input: CapabilityInput, choice: ModelChoice, normal: Indices): ModelIntervals {
  const { fit, candidates, sample, fitOptions } = choice;
  const { limits, confidence } = input;
  const others = candidates.filter(({ name, aicc }) => name !== fit!.name && aicc <= fit!.aicc + DOUBT_MARGIN);
  const all = others.map((other) => (other.name === 'normal' ? normal : modelIntervals(other, { sample, limits, confidence, fitOptions })));
  const intervals: { -readonly [K in keyof ModelIntervals]: ModelIntervals[K] } = {};
  for (const key of MODEL_INDEX_KEYS) {
    const index = own[key];
    if (!index) continue;
    const bounded = [own, ...all].flatMap((each) => (each[key]?.lower === undefined ? [] : [each[key]]));
    intervals[key] =
      index.lower === undefined
        ? index
        : {
            value: index.value,
            lower: Math.min(...bounded.map(({ lower }) => lower!)),
            upper: Math.max(...bounded.map(({ upper }) => upper!)),
          };
  }
  return intervals;
}

/** The shares of the model beyond the tolerances. */
function expectedPartsPerMillionOf(fit: ModelFit, { lowerTolerance, upperTolerance }: SpecificationLimits): PartsPerMillion | undefined {
  const model = fittedModel(fit);
  const below = lowerTolerance === undefined ? undefined : model.cdf(lowerTolerance) * 1e6;
  const above = upperTolerance === undefined ? undefined : model.survival(upperTolerance) * 1e6;
  if (below === undefined && above === undefined) return undefined;
  return { ...(below !== undefined && { below }), ...(above !== undefined && { above }), total: (below ?? 0) + (above ?? 0) };
}

function named<K extends keyof Indices>(
  indices: { readonly [key in K]?: Index },
  names: Readonly<Record<keyof Indices, string>>,
): { readonly [key in K]?: NamedIndex } {
  const entries = Object.entries(indices) as [K, Index][];
  return Object.fromEntries(entries.map(([key, index]) => [key, { name: names[key], ...index }])) as { [key in K]?: NamedIndex };
}
