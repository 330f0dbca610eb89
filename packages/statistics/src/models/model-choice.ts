import type { SpecificationLimits } from '../capability/limits.ts';
import { momentsOf, type Moments } from '../descriptive/moments.ts';
import { sortValues } from '../descriptive/quantiles.ts';
import { andersonDarling } from '../normality/anderson-darling.ts';
import { drawFromBlocks, MAX_FITTED_VALUES } from './sample/drawn-values.ts';
import { fitModel, type FitOptions, type ModelFit } from './fits.ts';
import { REQUESTED_MODELS, type ModelName } from './fitted-model.ts';
import { goodnessOfFit, type GoodnessOfFit } from './goodness-of-fit.ts';
import { MIN_VALUES_FOR_MODELS, type KeptModel } from './kept-model.ts';
import { moveFromBoundaries, spreadWithinSteps, stepOf } from './sample/value-steps.ts';
import { weightedSample, type WeightedSample } from './sample/weighted-sample.ts';

/** What an evaluation asks for; with an upper natural boundary the families are mirrored. */
export const MODEL_REQUESTS = ['auto', ...REQUESTED_MODELS] as const;
export type ModelRequest = (typeof MODEL_REQUESTS)[number];

export interface ModelChoiceInput {
  /** In the order of measurement, NaN for a missing value. */
  readonly values: Float64Array;
  /** Mean, spread and range of all values, where they are known. */
  readonly moments?: Moments | undefined;
  /** Natural boundaries. */
  readonly limits: Pick<SpecificationLimits, 'lowerBoundary' | 'upperBoundary'>;
  readonly request: ModelRequest;
  /** The model that was chosen before, which stays unless another one is clearly better. */
  readonly kept?: ModelName | undefined;
  /** A choice that is taken as it is; only its fit is compared with the values. */
  readonly chosen?: KeptModel | undefined;
}

/** The model of values, and what it was chosen from. */
export interface ModelChoice {
  /** What was done: `auto` also where the model that was asked for is not possible. */
  readonly request: ModelRequest;
  /** Absent where the spread is not defined or 0. */
  readonly fit: ModelFit | undefined;
  /** All models that were fitted, the best first; empty where normal was taken without a comparison. */
  readonly candidates: readonly ModelFit[];
  /** Whether the candidates count as doubt about the model: the criterion chose among them, or few values are nearly rejected as normal. */
  readonly isCompared: boolean;
  readonly goodness: GoodnessOfFit | undefined;
  /** Whether the values contradict the chosen model. */
  readonly isRejected: boolean;
  /** The fitted values: spread within their step, drawn from many. */
  readonly sample: WeightedSample;
  readonly fitOptions: FitOptions;
  /** How many values were drawn, where not all were fitted. */
  readonly drawn: number | undefined;
  /** The values of a coarse gauge, spread within their step, ascending; absent for any other gauge. */
  readonly spread: Float64Array | undefined;
  /** Sentences about the choice. */
  readonly notes: readonly string[];
}

type Side = 'lower' | 'upper' | 'none' | 'both';

const WITHOUT_BOUNDARY: readonly ModelName[] = ['normal', 'lognormal', 'weibull', 'lognormalMirrored', 'weibullMirrored'];
const ABOVE_BOUNDARY: readonly ModelName[] = ['foldedNormal', 'rayleigh', 'weibull', 'gamma', 'lognormal', 'normal'];
const MIRRORED: Partial<Record<ModelName, ModelName>> = {
  lognormal: 'lognormalMirrored',
  weibull: 'weibullMirrored',
  gamma: 'gammaMirrored',
  foldedNormal: 'foldedNormalMirrored',
  rayleigh: 'rayleighMirrored',
};
const NEEDS_BOUNDARY: ReadonlySet<string> = new Set(['gamma', 'foldedNormal', 'rayleigh'] satisfies ModelRequest[]);

/** Normal is left below the first p value and taken again only above the second one. */
const SIGNIFICANCE = 0.05;
const RETURN_SIGNIFICANCE = 0.15;

/** Below this number of values the test takes many skewed ones for normal: up to this p value, the other models count as doubt. */
const MIN_UNDOUBTED_VALUES = 100;
const DOUBTED_SIGNIFICANCE = 0.4;

/** Normal wins against a criterion that is better by no more than this. */
const NORMAL_MARGIN = 0.5;

/** A kept model loses only against a criterion that is better by this. */
const KEPT_MARGIN = 4;

/** A² that contradicts a model, of at most so many values. */
const MAX_STATISTIC = 1.5;
const MAX_STATISTIC_FOLDED = 2.5;
const MAX_TESTED_VALUES = 1000;

/** A step that is larger than this part of the standard deviation blurs a fit. */
export const COARSE_STEP = 0.1;

/** Said anew of a kept model, because it depends on the values. */
const REJECTED = 'No model fits these values: the indices are those of the nearest one.';

const WORDS: Readonly<Record<ModelName, string>> = {
  normal: 'normal',
  lognormal: 'lognormal',
  weibull: 'Weibull',
  gamma: 'gamma',
  foldedNormal: 'folded normal',
  rayleigh: 'Rayleigh',
  student: 'Student',
  lognormalMirrored: 'mirrored lognormal',
  weibullMirrored: 'mirrored Weibull',
  gammaMirrored: 'mirrored gamma',
  foldedNormalMirrored: 'mirrored folded normal',
  rayleighMirrored: 'mirrored Rayleigh',
};

/** @returns a sentence where the model cannot be asked for with these limits */
export function refusalOfModel(request: ModelRequest, limits: ModelChoiceInput['limits']): string | undefined {
  if (!NEEDS_BOUNDARY.has(request) || sideOf(limits) !== 'none') return undefined;
  return `The ${WORDS[request as ModelName]} model needs a natural boundary.`;
}

/** The choice in plain form. @param count of the values that it was made for */
export function keptModelOf({ fit, candidates, isCompared, notes }: ModelChoice, count: number): KeptModel {
  return { ...(fit && { fit }), candidates, isCompared, notes: notes.filter((note) => note !== REJECTED), count };
}

/** Chooses the model of values as `request` says, and fits it. */
export function chooseModel(input: ModelChoiceInput): ModelChoice {
  const { limits, kept } = input;
  const refusal = refusalOfModel(input.request, limits);
  const request = refusal === undefined ? input.request : 'auto';
  const notes: string[] = refusal === undefined ? [] : [`${refusal} The values choose another one.`];
  const present = input.values.includes(NaN) ? input.values.filter((value) => !Number.isNaN(value)) : input.values;
  const moments = input.moments ?? momentsOf(present);
  const prepared = prepare(present, moments, limits);
  const { sorted, step, spread } = prepared;
  const sample = weightedSample(sorted);
  const drawn = present.length > sorted.length ? sorted.length : undefined;
  if (drawn !== undefined) notes.push(`The model is fitted to ${drawn} of ${present.length} values, drawn evenly.`);
  const deviation = moments?.standardDeviation;
  if (step !== undefined && deviation !== undefined && deviation > 0 && step > deviation) {
    notes.push('The gauge is too coarse: its step is larger than the standard deviation.');
  }
  const side = sideOf(limits);
  const boundary = side === 'upper' ? limits.upperBoundary : limits.lowerBoundary;
  const fitOptions: FitOptions = { boundary, resolution: step };
  const fitAll = (names: readonly ModelName[]) =>
    names
      .flatMap((name) => fitModel(name, sample, isBounded(name, side) ? fitOptions : { resolution: step }) ?? [])
      .sort((first, second) => first.aicc - second.aicc);
  const concluded = (fit: ModelFit | undefined, candidates: readonly ModelFit[] = [], isCompared = false): ModelChoice => {
    const goodness = fit && goodnessOfFit(fit, sample);
    const isRejected = fit !== undefined && fit.name !== 'normal' && isContradicted(fit, sorted, goodness);
    if (isRejected) notes.push(REJECTED);
    if (fit && kept && kept !== fit.name) notes.push(`The model changed from ${WORDS[kept]} to ${WORDS[fit.name]}.`);
    return { request, fit, candidates, isCompared, goodness, isRejected, sample, fitOptions, drawn, spread, notes };
  };
  const [normal] = deviation !== undefined && deviation > 0 ? fitAll(['normal']) : [];
  if (!normal) return concluded(undefined);
  if (input.chosen?.fit) {
    notes.splice(0, notes.length, ...input.chosen.notes);
    return concluded(input.chosen.fit, input.chosen.candidates, input.chosen.isCompared);
  }

  const names = namesFor(side);
  const isBeyond = isBeyondBoundary(moments!, limits);
  if (isBeyond && request !== 'normal') {
    notes.push('A value is beyond the natural boundary, so the normal model is used.');
    return concluded(normal);
  }
  if (request !== 'auto') {
    const wanted = directed(request, side);
    const candidates = wanted === 'normal' ? [] : fitAll([...new Set([...names, wanted])]);
    const fit = wanted === 'normal' ? normal : candidates.find(({ name }) => name === wanted);
    if (!fit) notes.push(`The ${WORDS[wanted]} model could not be fitted to these values, so the normal model is used.`);
    return concluded(fit ?? normal, candidates);
  }
  if (present.length < MIN_VALUES_FOR_MODELS) return concludedForFew(present.length, side, normal, { notes, fitAll, concluded });
  if (side === 'both') {
    notes.push('There are natural boundaries on both sides, so the normal model is used.');
    return concluded(normal);
  }
  const pValue = side === 'none' ? (andersonDarling(sorted)?.pValue ?? 1) : 0;
  const isKeptOther = kept !== undefined && kept !== 'normal';
  if (pValue >= SIGNIFICANCE && !(isKeptOther && pValue <= RETURN_SIGNIFICANCE)) {
    const isDoubted = present.length < MIN_UNDOUBTED_VALUES && pValue < DOUBTED_SIGNIFICANCE;
    return isDoubted ? concluded(normal, fitAll(names), true) : concluded(normal);
  }
  const candidates = fitAll(names);
  return concluded(best(candidates, normal, kept), candidates, true);
}

function concludedForFew(
  count: number,
  side: Side,
  normal: ModelFit,
  tools: {
    readonly notes: string[];
    readonly fitAll: (names: readonly ModelName[]) => ModelFit[];
    readonly concluded: (fit: ModelFit, candidates?: readonly ModelFit[]) => ModelChoice;
  },
): ModelChoice {
  tools.notes.push(`${count} values are few: below ${MIN_VALUES_FOR_MODELS} the model is not chosen by them.`);
  if (side !== 'lower' && side !== 'upper') return tools.concluded(normal);
  const candidates = tools.fitAll([directed('foldedNormal', side), 'normal']);
  const folded = candidates.find(({ name }) => name !== 'normal');
  return tools.concluded(folded ?? normal, candidates);
}

/** The smallest criterion, with an advantage for normal and for the model that was kept. */
function best(candidates: readonly ModelFit[], normal: ModelFit, kept: ModelName | undefined): ModelFit {
  const first = candidates[0] ?? normal;
  const previous = candidates.find(({ name }) => name === kept && name !== 'normal');
  if (previous) return first.aicc <= previous.aicc - KEPT_MARGIN ? first : previous;
  return normal.aicc <= first.aicc + NORMAL_MARGIN ? normal : first;
}

function isContradicted(fit: ModelFit, sorted: Float64Array, goodness: GoodnessOfFit | undefined): boolean {
  const tested =
    sorted.length > MAX_TESTED_VALUES ? goodnessOfFit(fit, weightedSample(drawFromBlocks(sorted, MAX_TESTED_VALUES))) : goodness;
  const isFolded = fit.name === 'foldedNormal' || fit.name === 'foldedNormalMirrored';
  return tested === undefined || tested.statistic > (isFolded ? MAX_STATISTIC_FOLDED : MAX_STATISTIC);
}

/** Draws from many values, spreads those of a coarse gauge, and sorts. */
function prepare(
  present: Float64Array,
  moments: Moments | undefined,
  limits: ModelChoiceInput['limits'],
): { readonly sorted: Float64Array; readonly step: number | undefined; readonly spread: Float64Array | undefined } {
  const drawn = drawFromBlocks(present, MAX_FITTED_VALUES);
  const sorted = sortValues(drawn.slice());
  const step = stepOf(sorted);
  const deviation = moments?.standardDeviation ?? 0;
  const boundaries = { lower: limits.lowerBoundary, upper: limits.upperBoundary };
  if (step === undefined || !(step > COARSE_STEP * deviation)) {
    return { sorted: moveFromBoundaries(sorted, step ?? smallestStep(sorted), boundaries), step, spread: undefined };
  }
  const spread = sortValues(spreadWithinSteps(drawn, step, boundaries));
  return { sorted: spread, step, spread };
}

/** The smallest distance of different values, in place of the step of computed values. */
function smallestStep(sorted: Float64Array): number {
  let smallest = Infinity;
  for (let i = 1; i < sorted.length; i++) {
    const distance = sorted[i]! - sorted[i - 1]!;
    if (distance > 0 && distance < smallest) smallest = distance;
  }
  return Number.isFinite(smallest) ? smallest : 0;
}

function sideOf({ lowerBoundary, upperBoundary }: ModelChoiceInput['limits']): Side {
  if (lowerBoundary !== undefined) return upperBoundary === undefined ? 'lower' : 'both';
  return upperBoundary === undefined ? 'none' : 'upper';
}

function isBeyondBoundary({ minimum, maximum }: Moments, { lowerBoundary, upperBoundary }: ModelChoiceInput['limits']): boolean {
  return (lowerBoundary !== undefined && minimum < lowerBoundary) || (upperBoundary !== undefined && maximum > upperBoundary);
}

function namesFor(side: Side): readonly ModelName[] {
  if (side === 'none') return WITHOUT_BOUNDARY;
  return side === 'upper' ? ABOVE_BOUNDARY.map((name) => MIRRORED[name] ?? name) : ABOVE_BOUNDARY;
}

/** The model that a request means on its side of a boundary. */
function directed(request: Exclude<ModelRequest, 'auto'>, side: Side): ModelName {
  return side === 'upper' ? (MIRRORED[request] ?? request) : request;
}

/** Whether the boundary is the threshold of the model. */
function isBounded(name: ModelName, side: Side): boolean {
  if (side === 'none') return false;
  return name.endsWith('Mirrored') === (side === 'upper');
}
