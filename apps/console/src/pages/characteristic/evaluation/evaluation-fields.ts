import type { Evaluation, EvaluationState, WrittenEvaluation } from '@sinebar/client';
import type { Fields } from '../../../quality/editing/draft';
import { readDuration } from '../../../quality/values/duration';
import { evaluatedOf } from '../evaluated';
import type { CharacteristicSearch } from '../search';
import { exclusionsOf } from '../view';

/** Members that the panel changes, in the order in which it shows them. */
export const MEMBERS = [
  'subgroups',
  'chart',
  'rules',
  'model',
  'required',
  'ewma',
  'cusum',
  'target',
  'stages',
  'owner',
  'reaction',
  'silence',
  'autoClose',
] as const;
export type Member = (typeof MEMBERS)[number];

/** An item whose evaluation is edited. */
export type EvaluatedKind = 'characteristic' | 'part';

/** Names the form of an evaluation. */
export function evaluationForm(kind: EvaluatedKind, uuid: string): string {
  return `evaluation of ${kind} ${uuid}`;
}

/** Begins the name of the field of a measurement that is left out; its text is the reason. */
const EXCLUSION = 'exclude:';

export function exclusionField(measurementUuid: string): string {
  return `${EXCLUSION}${measurementUuid}`;
}

/** The measurement of a field; undefined for the field of a member. */
export function excludedMeasurement(field: string): string | undefined {
  return field.startsWith(EXCLUSION) ? field.slice(EXCLUSION.length) : undefined;
}

/** What an item says itself, one text for each thing that two people may change apart from each other; members are JSON. */
export function fieldsOf(own: EvaluationState): Fields {
  const members = MEMBERS.flatMap((member) => (own[member] === undefined ? [] : [[member, JSON.stringify(own[member])]]));
  const exclusions = (own.exclusions ?? []).map(({ measurementUuid, reason }) => [exclusionField(measurementUuid), reason]);
  return Object.fromEntries([...members, ...exclusions]) as Fields;
}

/** What is stored for the fields; members that the panel does not show stay as they are. */
export function stateOf(fields: Fields, own: EvaluationState): WrittenEvaluation {
  const { exclusions: _, ...others } = own;
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !MEMBERS.some((member) => member === name)));
  const members = MEMBERS.flatMap((member) => {
    const text = fields[member] ?? '';
    return text === '' ? [] : [[member, JSON.parse(text) as unknown]];
  });
  const exclusions = Object.entries(fields).flatMap(([field, reason]) => {
    const measurementUuid = excludedMeasurement(field);
    return measurementUuid === undefined || reason === '' ? [] : [{ measurementUuid, reason }];
  });
  return { ...kept, ...(Object.fromEntries(members) as WrittenEvaluation), ...(exclusions.length > 0 && { exclusions }) };
}

/** Reads the member of a field; undefined where the level above says it. */
export function memberOf<M extends Member>(fields: Fields, member: M): Evaluation[M] | undefined {
  const text = fields[member] ?? '';
  return text === '' ? undefined : (JSON.parse(text) as Evaluation[M]);
}

/** What the address of a view says, as fields; its reasons may be empty where everybody's may not. */
export function fieldsOfView(search: CharacteristicSearch, evaluation: Evaluation, noReason: string): Fields {
  const evaluated = evaluatedOf(search, evaluation);
  const { baselineFrom: from, baselineTo: to } = search;
  const stages =
    from === undefined || to === undefined
      ? undefined
      : [...(evaluation.stages ?? []).slice(0, -1), { ...evaluation.stages?.at(-1), limits: { kind: 'baseline', from, to } }];
  const members: Readonly<Partial<Record<Member, unknown>>> = {
    ...((search.subgroup !== undefined || search.by !== undefined) && { subgroups: evaluated.subgroups, chart: evaluated.chart }),
    ...(search.chart !== undefined && { chart: evaluated.chart }),
    ...(search.rules !== undefined && { rules: evaluated.rules }),
    ...(search.model !== undefined && { model: evaluated.model }),
    ...(stages && { stages }),
  };
  const known = new Set((evaluation.exclusions ?? []).map(({ measurementUuid }) => measurementUuid));
  const exclusions = exclusionsOf(search).filter(({ measurementUuid }) => !known.has(measurementUuid));
  return Object.fromEntries([
    ...Object.entries(members).map(([member, value]) => [member, JSON.stringify(value)]),
    ...exclusions.map(({ measurementUuid, reason }) => [exclusionField(measurementUuid), reason === '' ? noReason : reason]),
  ]) as Fields;
}

/** The view without what the evaluation says for everybody now. */
export function withoutKept(search: CharacteristicSearch): CharacteristicSearch {
  const { subgroup: _1, by: _2, chart: _3, rules: _4, model: _5, baselineFrom: _6, baselineTo: _7, exclude: _8, ...others } = search;
  return others;
}

/** Why the fields cannot be saved. */
export type FieldProblem =
  'needsNumber' | 'needsOwner' | 'needsReaction' | 'needsSilence' | 'needsPoints' | 'needsLimits' | 'wrongBaseline' | 'stageTwice';

/** Most points within the limits after which an alarm closes by itself. */
const MAX_POINTS = 1000;

const isNumber = (value: unknown) => typeof value === 'number';

/** Finds the first thing that the server would refuse. */
export function problemOf(fields: Fields): FieldProblem | undefined {
  const numbers = [memberOf(fields, 'required'), memberOf(fields, 'target'), ...Object.values(memberOf(fields, 'ewma') ?? {})];
  numbers.push(...Object.values(memberOf(fields, 'cusum') ?? {}));
  if (numbers.some((value) => value !== undefined && !isNumber(value))) return 'needsNumber';
  if (memberOf(fields, 'owner')?.trim() === '') return 'needsOwner';
  if (memberOf(fields, 'reaction')?.trim() === '') return 'needsReaction';
  const silence = memberOf(fields, 'silence');
  if (silence !== undefined && readDuration(silence) === undefined) return 'needsSilence';
  const points = memberOf(fields, 'autoClose');
  if (points !== undefined && !(Number.isInteger(points) && points >= 1 && points <= MAX_POINTS)) return 'needsPoints';
  const stages = memberOf(fields, 'stages') ?? [];
  for (const { limits } of stages) {
    if (limits.kind === 'baseline' && !(Date.parse(limits.from) < Date.parse(limits.to))) return 'wrongBaseline';
    if (limits.kind !== 'given') continue;
    const { centerLine, sigma, lower, upper } = limits;
    const others = [sigma, lower, upper].filter((value) => value !== undefined);
    if (!isNumber(centerLine) || others.length === 0 || !others.every(isNumber)) return 'needsLimits';
  }
  const begins = stages.map(({ from }) => from ?? '');
  return new Set(begins).size < begins.length ? 'stageTwice' : undefined;
}

/** Fields that differ between two states of the history. */
export function changedFields(before: EvaluationState | undefined, after: EvaluationState | undefined): string[] {
  const [old, now] = [fieldsOf(before ?? {}), fieldsOf(after ?? {})];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((field) => old[field] !== now[field]);
}
