import {
  INHERITED_MEMBERS,
  type EvaluationChart,
  type EvaluationSource,
  type EvaluationSources,
  type EvaluationStage,
  type InheritedEvaluation,
} from '@sinebar/contracts';
import { fitsKind, fitsSubgroups, usualChart, usualSubgroups } from './chart-choice.ts';

/** The own members of a part or characteristic. */
export interface EvaluationLevel {
  kind: 'characteristic' | 'part';
  uuid: string;
  /** Stored path. */
  path: string;
  state: InheritedEvaluation;
}

/** Members that attributes of a characteristic say, with their keys. */
export type EvaluationAttributes = { [Member in keyof InheritedEvaluation]?: { value: InheritedEvaluation[Member]; key: number } };

/** Members that the server says where nothing else does. */
export interface EvaluationDefaults {
  required: number;
  /** Whether somebody has set the required value, or it is the usual one. */
  requiredSource: 'setting' | 'default';
}

/** The members that every effective evaluation has. */
export type EffectiveMembers = InheritedEvaluation & {
  [Member in 'chart' | 'subgroups' | 'rules' | 'model' | 'required' | 'stages' | 'ewma' | 'cusum']: NonNullable<
    InheritedEvaluation[Member]
  >;
};

export interface EffectiveEvaluation {
  members: EffectiveMembers;
  sources: EvaluationSources;
  /** A chart of a level that does not fit the characteristic, and so has no effect. */
  unfittingChart?: EvaluationChart;
}

/** Whether the values of a characteristic are counts; undefined for parts, which hold defaults for both kinds. */
export type CountingKind = boolean | undefined;

const SERVER = {
  subgroups: { size: 1 },
  rules: ['nelson1'],
  model: 'auto',
  stages: [],
  ewma: { lambda: 0.2, width: 3 },
  cusum: { k: 0.5, h: 4 },
} as const;

/**
 * Takes each member from the nearest level that has it, then from the attributes, then from the server.
 * Where chart and subgroups of two levels do not fit, those of the nearer level stay and the other ones are the usual ones.
 * Charts that do not fit the characteristic are passed over.
 * @param levels the nearest first
 */
export function effectiveEvaluation(
  levels: readonly EvaluationLevel[],
  attributes: EvaluationAttributes,
  { required }: EvaluationDefaults,
  counts: CountingKind,
): EffectiveEvaluation {
  const members: InheritedEvaluation = {};
  const sources: EvaluationSources = {};
  const take = <M extends keyof InheritedEvaluation>(member: M, value: InheritedEvaluation[M], source: EvaluationSource) => {
    members[member] = value;
    sources[member] = source;
  };
  const hasEffect = ({ state }: EvaluationLevel, member: keyof InheritedEvaluation) =>
    state[member] !== undefined && (member !== 'chart' || fitsKind(state.chart!, counts));
  const levelOf = (member: keyof InheritedEvaluation) => levels.findIndex((level) => hasEffect(level, member));
  for (const member of INHERITED_MEMBERS) {
    const level = levels[levelOf(member)];
    if (level) take(member, level.state[member], { kind: level.kind, uuid: level.uuid });
    else if (attributes[member]) take(member, attributes[member].value, { kind: 'attribute', key: attributes[member].key });
  }
  const complete = { ...structuredClone(SERVER), required };
  for (const [member, value] of Object.entries(complete)) {
    const name = member as keyof typeof complete;
    if (members[name] === undefined) take(name, value as InheritedEvaluation[typeof name], { kind: 'server' });
  }
  const { chart, subgroups } = members;
  if (chart === undefined) take('chart', usualChart(subgroups!), { kind: 'server' });
  else if (!fitsSubgroups(chart, subgroups!)) {
    const isChartNearer = sources.subgroups?.kind === 'server' || levelOf('chart') < levelOf('subgroups');
    if (isChartNearer) take('subgroups', usualSubgroups(chart), { kind: 'server' });
    else take('chart', usualChart(subgroups!), { kind: 'server' });
  }
  const unfittingChart = levels.find(({ state }) => state.chart !== undefined)?.state.chart;
  const isUnfitting = unfittingChart !== undefined && !fitsKind(unfittingChart, counts);
  return { members: members as EffectiveMembers, sources, ...(isUnfitting && { unfittingChart }) };
}

/** Numbers of attributes of a characteristic by their keys; `null` where there is none. */
export type AttributeNumbers = Readonly<Record<number, number | null | undefined>>;

/** Keys of attributes with control limits. */
export const CONTROL_LIMIT_ATTRIBUTES = { centerLine: 8011, lower: 8012, upper: 8013 } as const;

/** Keys of attributes; the type of a characteristic is K2004 of AQDEF. */
const KEYS = { required: 8520, ...CONTROL_LIMIT_ATTRIBUTES, type: 12_004 } as const;

/** Types of characteristics whose values are counts, with their usual chart: 5 and 6 are kinds of errors on a sheet. */
const COUNT_CHART_OF_TYPE: ReadonlyMap<number, EvaluationChart> = new Map([
  [1, 'p'],
  [5, 'u'],
  [6, 'u'],
]);

export const COUNTING_TYPES: readonly number[] = [...COUNT_CHART_OF_TYPE.keys()];

/** Whether the values of a characteristic are counts. */
export function isCounting(numbers: AttributeNumbers): boolean {
  return COUNT_CHART_OF_TYPE.has(numbers[KEYS.type] ?? NaN);
}
/** Keys of the attributes that an evaluation follows from (K-fields of AQDEF). */
export const EVALUATION_ATTRIBUTES: readonly number[] = Object.values(KEYS);

/** Reads what the attributes of a characteristic say. Limits without a centre have it in the middle; others are not complete. */
export function evaluationOfAttributes(numbers: AttributeNumbers): EvaluationAttributes {
  const required = numbers[KEYS.required] ?? undefined;
  const lower = numbers[KEYS.lower] ?? undefined;
  const upper = numbers[KEYS.upper] ?? undefined;
  const middle = lower === undefined || upper === undefined ? undefined : lower / 2 + upper / 2;
  const centerLine = numbers[KEYS.centerLine] ?? middle;
  const isUsable =
    centerLine !== undefined &&
    (lower !== undefined || upper !== undefined) &&
    (lower ?? -Infinity) < centerLine &&
    centerLine < (upper ?? Infinity);
  const key = lower === undefined ? KEYS.upper : KEYS.lower;
  const stages: EvaluationStage[] | undefined = isUsable
    ? [{ limits: { kind: 'given', centerLine, ...(lower !== undefined && { lower }), ...(upper !== undefined && { upper }) } }]
    : undefined;
  const chart = COUNT_CHART_OF_TYPE.get(numbers[KEYS.type] ?? NaN);
  return {
    ...(chart && { chart: { value: chart, key: KEYS.type } }),
    ...(required !== undefined && required > 0 && { required: { value: required, key: KEYS.required } }),
    ...(stages && { stages: { value: stages, key } }),
  };
}
