import type { CharacteristicGroups, CharacteristicSummary, PlantSettingsState, ProcessStatus, StageLimits } from '@sinebar/contracts';
import type {
  ChartType,
  Convention,
  CountChartType,
  GroupChart,
  Grouping,
  IndividualsChart,
  KeptModel,
  MemorySettings,
  ModelDescription,
  ModelName,
  ModelRequest,
  Moments,
  Percentiles,
  RuleSetting,
  SigmaMethod,
  Since,
  SpecificationLimits,
  Stability,
  Stable,
} from '@sinebar/statistics';
import type { TimeGroup } from '../../evaluation/settings/plant-clock.ts';

/** Type, subgroups, estimate and rules of a chart; they fit each other. */
export interface ChartRequest {
  /** Absent where it follows from the sizes of the subgroups. */
  readonly type?: ChartType;
  /** 1 for single values; of no meaning with `subgroupBy`. */
  readonly subgroupSize: number;
  /** Key of the measurement attribute whose value consecutive members share. */
  readonly subgroupBy?: number;
  /** Absent for the one that the type uses. */
  readonly sigmaMethod?: SigmaMethod;
  readonly rules: readonly RuleSetting[];
  /** Whether subgroups are counted in values, so that a measurement without one is no member. */
  readonly ofValues?: boolean;
  /** A chart that remembers earlier points, from the target on; by default from the centre line. */
  readonly memory?: { readonly settings: MemorySettings; readonly target?: number };
  /** Limits that are given instead of computed. */
  readonly given?: GivenLimits;
}

export type GivenLimits = Extract<StageLimits, { kind: 'given' }>;

/** Values in the order of measurement, NaN where one is missing or left out, and the range from which control limits follow. */
export interface ChartValues {
  readonly values: Float64Array;
  /** Absent for single values. */
  readonly grouping?: Grouping;
  /** Indices of the first value of the baseline and of the one after it; subgroups with one of them belong to it. */
  readonly baseline: readonly [number, number];
  /** Index of the first value that the limits hold for, by default 0; rules are not applied to earlier ones. */
  readonly stageStart?: number;
}

/** A part of the values with limits of its own. */
export interface StageRange {
  /** Index of its first value and of the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly baseline: readonly [number, number];
  readonly given?: GivenLimits | undefined;
}

/** From what the model of the values is chosen. */
export interface ModelChoiceRequest {
  readonly limits: Pick<SpecificationLimits, 'lowerBoundary' | 'upperBoundary'>;
  readonly request: ModelRequest;
}

/** The model that a characteristic had before. */
export interface EarlierModel {
  /** Taken as it is until it is outdated; absent where something else than the values has changed. */
  readonly kept?: KeptModel | undefined;
  /** Name of its family, which stays unless another one is clearly better. */
  readonly name?: ModelName | undefined;
}

/** Values with everything that their assessment depends on. */
export interface AssessedValues extends ChartValues {
  /** Whether the values are counts, which have no model and no index. */
  readonly areCounts?: boolean;
  readonly chart: ChartRequest;
  /** Limits that a status depends on, as `statistics` of measurements uses them. */
  readonly statusLimits: SpecificationLimits;
  /** The same limits for indices, natural boundaries apart from tolerances. */
  readonly limits: SpecificationLimits;
  readonly convention: Convention;
  readonly confidence: number;
  readonly requiredCapability: number;
  readonly model: ModelRequest;
  readonly modelRequestedBy: 'evaluation' | 'request';
  readonly earlier?: EarlierModel | undefined;
}

export interface SummaryTask extends AssessedValues {
  readonly kind: 'summary';
  /** Moments as tables show them, which are summed in another order. */
  readonly keptMoments?: Pick<Moments, 'count' | 'mean' | 'standardDeviation'> | undefined;
  /** When the kept model was fitted, ISO 8601. */
  readonly fittedAt?: string | undefined;
  /** Share of all values that the tolerance interval holds, 0 to 1. */
  readonly content: number;
}

export interface ChartTask extends ChartValues {
  readonly kind: 'chart';
  readonly chart: ChartRequest;
  readonly model: ModelChoiceRequest & { readonly earlier?: EarlierModel | undefined };
  /** The stages before the newest one, whose limits are shown, too. */
  readonly earlierStages: readonly StageRange[];
  /** Indices of the first value that is shown and of the one after the last; values without a number count only in subgroups. */
  readonly shown: readonly [number, number];
  /** Only the newest broken rules among those shown, this many at most: a message of millions would hold the event loop. */
  readonly mostHits: number;
  /** Subgroups are listed only where no more are shown. */
  readonly mostSubgroups: number;
}

/** The chart of a characteristic that counts. */
export interface CountRequest {
  readonly type: CountChartType;
  readonly rules: readonly RuleSetting[];
}

/** Counts in the order of measurement without missing ones, with the size of each sample. */
export interface CountTask {
  readonly values: Float64Array;
  /** NaN without one; a negative number for a text that is no number. */
  readonly sizes: Float64Array;
  readonly chart: CountRequest;
  /** In ascending time, at least one. */
  readonly stages: readonly StageRange[];
}

export interface CountSummaryTask extends CountTask {
  readonly kind: 'countSummary';
  readonly statusLimits: SpecificationLimits;
  readonly confidence: number;
}

export interface CountChartTask extends CountTask {
  readonly kind: 'countChart';
  readonly shown: readonly [number, number];
  readonly mostHits: number;
  readonly mostPoints: number;
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

/** By what values are grouped: hashes of an attribute, NaN without one, or the time. */
export type GroupKeys =
  | { readonly hashes: Float64Array }
  | { readonly times: Float64Array; readonly group: TimeGroup; readonly settings: Pick<PlantSettingsState, 'zone' | 'shifts'> };

/** Assigns values to groups. */
export interface AssignmentTask {
  readonly kind: 'assignment';
  /** NaN for a missing value. */
  readonly values: Float64Array;
  readonly keys: GroupKeys;
}

/** Figures of groups, and tests whether they differ. */
export interface GroupsTask extends Omit<AssignmentTask, 'kind'> {
  readonly kind: 'groups';
  readonly statusLimits: SpecificationLimits;
  readonly limits: SpecificationLimits;
  readonly confidence: number;
  readonly model: ModelRequest;
  readonly modelRequestedBy: 'evaluation' | 'request';
  /** Of values that are counts. */
  readonly counts?: Pick<CountTask, 'sizes'> & { readonly type: CountChartType };
}

/** A group without the texts of its attribute. */
export interface FoundGroup {
  /** Index of its first value. */
  readonly first: number;
  /** Shift, day or week; absent for attributes. */
  readonly name?: string;
  /** Whether its measurements have the attribute, or a shift. */
  readonly hasKey: boolean;
  /** Number of keys that are not told apart. */
  readonly others?: number;
}

export interface AssignmentResult {
  readonly indexes: Int32Array;
  readonly groups: readonly FoundGroup[];
}

export interface GroupsResult {
  readonly groups: readonly {
    readonly found: FoundGroup;
    readonly figures: Omit<CharacteristicGroups['groups'][number], 'value' | 'text' | 'others'>;
  }[];
  readonly tests: CharacteristicGroups['tests'];
  readonly notes: string[];
}

/** Assesses many characteristics. */
export interface AssessmentsTask {
  readonly kind: 'assessments';
  readonly items: readonly AssessedValues[];
}

/** Control limits by which further points can be judged. */
export type Control = ControlOfIndividuals | ControlOfGroups;

/** Limits in the unit of the points, which are normal scores where the values have another model. */
export interface ControlOfIndividuals {
  readonly type: 'individuals';
  readonly chart: IndividualsChart;
  readonly model?: ModelDescription;
}

export interface ControlOfGroups {
  readonly type: 'groups';
  readonly chart: GroupChart;
  /** Size of a complete group. */
  readonly subgroupSize: number;
  readonly given?: GivenLimits | undefined;
}

/** Values of a characteristic of which rules of its chart are judged: all of them, or the newest with limits that were computed before. */
export interface JudgedSeries extends ChartValues {
  readonly chart: ChartRequest;
  readonly model: ModelChoiceRequest & { readonly earlier?: EarlierModel | undefined };
  /** Absent where the limits are given, or follow from the values. */
  readonly control?: Control | undefined;
  /** Present for values that are counts, which have no missing ones. */
  readonly counts?: CountRequest & { readonly sizes: Float64Array; readonly given?: GivenLimits | undefined };
}

/** Judges many characteristics. */
export interface JudgementsTask {
  readonly kind: 'judgements';
  readonly items: readonly JudgedSeries[];
}

/** A point that breaks a rule of its chart. */
export interface BrokenRule {
  /** The last value or group of the run; of single values a missing one counts, too. */
  readonly index: number;
  readonly rule: string;
  /** Number of points that the rule looks at. */
  readonly length: number;
  readonly on: 'location' | 'variation';
  /** Value that the chart shows at this point, and the limits there. */
  readonly value: number;
  readonly limits: { readonly lower?: number; readonly upper?: number; readonly centerLine?: number };
}

export interface Judgement {
  readonly broken: readonly BrokenRule[];
  /** Points that computed limits rest on; absent for other limits. */
  readonly basisCount?: number;
}

/** The assessment of one characteristic. */
export interface AssessmentResult {
  readonly process: ProcessStatus;
  /** Of a model that is not normal. */
  readonly percentiles?: Percentiles;
  /** Absent without values. */
  readonly model?: KeptModel;
  /** Whether the model is the one that was kept. */
  readonly isKept: boolean;
  readonly stable: Stable;
  /** `index` is that of a value, of a subgroup the first one. */
  readonly since?: Since;
  /** Control limits of the newest stage; absent where they are given, or there are too few values. */
  readonly limits?: { readonly control: Control; /** Points of the baseline. */ readonly points: number };
}

/** Work on many values that reads and writes nothing. */
export type Task =
  | SummaryTask
  | ChartTask
  | CountSummaryTask
  | CountChartTask
  | ProbabilityTask
  | CorrelationTask
  | AssignmentTask
  | GroupsTask
  | AssessmentsTask
  | JudgementsTask;

/** Figures of a summary that follow from its values alone; times and names are added by the service. */
export type SummaryFigures = Omit<
  CharacteristicSummary,
  'characteristicUuid' | 'partUuid' | 'path' | 'missing' | 'firstTime' | 'lastTime' | 'limits' | 'chart' | 'assessment'
> & {
  readonly chart: ChartFigures | undefined;
  readonly stability: Stability | undefined;
  readonly assessment: Omit<CharacteristicSummary['assessment'], 'required' | 'since' | 'reasons'>;
  readonly notes: string[];
};

/** A control chart without the times of its baseline. */
export type ChartFigures = Omit<NonNullable<CharacteristicSummary['chart']>, 'baseline'>;
