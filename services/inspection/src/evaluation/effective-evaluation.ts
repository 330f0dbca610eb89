import {
  INHERITED_MEMBERS,
  type EvaluationSource,
  type EvaluationSources,
  type EvaluationStage,
  type InheritedEvaluation,
} from '@sinebar/contracts';
import { fitsSubgroups, usualChart, usualSubgroups } from './chart-choice.ts';

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
}

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
 * @param levels the nearest first
 */
export function effectiveEvaluation(
  levels: readonly EvaluationLevel[],
  attributes: EvaluationAttributes,
  { required }: EvaluationDefaults,
): EffectiveEvaluation {
  const members: InheritedEvaluation = {};
  const sources: EvaluationSources = {};
  const take = <M extends keyof InheritedEvaluation>(member: M, value: InheritedEvaluation[M], source: EvaluationSource) => {
    members[member] = value;
    sources[member] = source;
  };
  const levelOf = (member: keyof InheritedEvaluation) => levels.findIndex(({ state }) => state[member] !== undefined);
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
  return { members: members as EffectiveMembers, sources };
}

/** Numbers of attributes of a characteristic by their keys; `null` where there is none. */
export type AttributeNumbers = Readonly<Record<number, number | null | undefined>>;

const KEYS = { required: 8520, centerLine: 8011, lower: 8012, upper: 8013 } as const;
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
  return {
    ...(required !== undefined && required > 0 && { required: { value: required, key: KEYS.required } }),
    ...(stages && { stages: { value: stages, key } }),
  };
}
