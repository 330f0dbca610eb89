import {
  EVALUATION_CHARTS,
  EVALUATION_MODELS,
  SUBGROUP_VALUES,
  type EvaluationStage,
  type InheritedEvaluation,
  type StageLimits,
} from '@sinebar/contracts';
import { uuidParameter } from '@sinebar/http';
import { ruleText } from '@sinebar/statistics';
import { z } from 'zod';
import { attributeKey, wholeNumber } from '../configuration/configuration-schemas.ts';
import { numberMember, reasonMember, strictMembers, textMember, timeMember, wordMember } from '../shared/body-members.ts';
import { fitsSubgroups, MAX_SUBGROUP_VALUES, subgroupProblem } from './chart-choice.ts';
import { parseRule } from './rule-text.ts';

const MAX_STAGES = 200;
const MAX_EXCLUSIONS = 5000;
const MAX_POINTS = 1000;

/** An exclusion as a client sends it; user and time are those of the server. */
export interface SentExclusion {
  measurementUuid: string;
  reason: string;
}

/** The content of a PUT. */
export interface EvaluationBody {
  state: InheritedEvaluation;
  exclusions: SentExclusion[];
  reason: string;
}

const rules = z
  .array(z.string('must be a rule such as nelson1'), 'must be a list of rules')
  .max(100, 'names more than 100 rules')
  .transform((texts, context): string[] => {
    const chosen = new Map<string, string>();
    for (const [index, text] of texts.entries()) {
      const parsed = parseRule(text);
      const problem = typeof parsed === 'string' ? parsed : chosen.has(parsed.rule) ? `the rule ${parsed.rule} is named twice` : undefined;
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, path: [index] });
      else if (typeof parsed !== 'string') chosen.set(parsed.rule, ruleText(parsed));
    }
    return [...chosen.values()];
  });

const subgroups = strictMembers({
  size: wholeNumber(1, MAX_SUBGROUP_VALUES).optional(),
  by: attributeKey.optional(),
  of: wordMember(SUBGROUP_VALUES).optional(),
}).refine(({ size, by }) => (size === undefined) !== (by === undefined), 'needs either size or by');

const LIMIT_MEMBERS = { computed: [], baseline: ['from', 'to'], given: ['centerLine', 'sigma', 'lower', 'upper'] } as const;

const limits = strictMembers({
  kind: wordMember(['computed', 'baseline', 'given']),
  from: timeMember.optional(),
  to: timeMember.optional(),
  centerLine: numberMember().optional(),
  sigma: numberMember({ above: 0 }).optional(),
  lower: numberMember().optional(),
  upper: numberMember().optional(),
}).transform((sent, context): StageLimits => {
  const refuse = (message: string, path: string[] = []) => {
    context.addIssue({ code: 'custom', message, path });
    return z.NEVER;
  };
  const { kind, from, to, centerLine, sigma, lower = -Infinity, upper = Infinity } = sent;
  const allowed: readonly string[] = ['kind', ...LIMIT_MEMBERS[kind]];
  const surplus = Object.keys(sent).find((name) => sent[name as keyof typeof sent] !== undefined && !allowed.includes(name));
  if (surplus !== undefined) return refuse(`does not belong to limits of the kind ${kind}`, [surplus]);
  if (kind === 'computed') return { kind };
  if (kind === 'baseline') {
    if (from === undefined || to === undefined) return refuse('of the kind baseline need from and to');
    if (from >= to) return refuse('must be after from', ['to']);
    return { kind, from, to };
  }
  if (centerLine === undefined) return refuse('is missing; given limits need it', ['centerLine']);
  if (sigma === undefined && sent.lower === undefined && sent.upper === undefined)
    return refuse('of the kind given need sigma, lower or upper');
  if (lower >= centerLine) return refuse('must be below centerLine', ['lower']);
  if (upper <= centerLine) return refuse('must be above centerLine', ['upper']);
  const { lower: givenLower, upper: givenUpper } = sent;
  return {
    kind,
    centerLine,
    ...(sigma !== undefined && { sigma }),
    ...(givenLower !== undefined && { lower: givenLower }),
    ...(givenUpper !== undefined && { upper: givenUpper }),
  };
});

const stage = strictMembers({ from: timeMember.optional(), reason: textMember().optional(), limits });

const stages = z
  .array(stage, 'must be a list of stages')
  .max(MAX_STAGES, `has more than ${MAX_STAGES} stages`)
  .transform((sent, context): EvaluationStage[] => {
    const sorted = [...sent].sort((a, b) => compare(a.from ?? '', b.from ?? ''));
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    for (const [i, { from }] of sorted.entries()) {
      if (i > 0 && from === sorted[i - 1]?.from) {
        refuse(from === undefined ? 'has two stages without from' : `has two stages from ${from} on`);
      }
    }
    const baselines = sorted
      .flatMap(({ limits: { ...of } }) => (of.kind === 'baseline' ? [of] : []))
      .sort((a, b) => compare(a.from, b.from));
    for (const [i, { from, to }] of baselines.entries()) {
      const before = baselines[i - 1];
      if (before && before.to > from) {
        refuse(`has baselines that overlap: from ${before.from} to ${before.to}, and from ${from} to ${to}`);
      }
    }
    return sorted.map(({ from, reason, limits: of }) => ({
      ...(from !== undefined && { from }),
      ...(reason !== undefined && { reason }),
      limits: of,
    }));
  });

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const exclusions = z
  .array(
    // User and time of the answer may be sent back.
    strictMembers({ measurementUuid: uuidParameter, reason: reasonMember, user: z.unknown().optional(), time: z.unknown().optional() }),
    'must be a list of exclusions',
  )
  .max(MAX_EXCLUSIONS, `has more than ${MAX_EXCLUSIONS} exclusions`)
  .transform((sent, context): SentExclusion[] => {
    const seen = new Map<string, number>();
    for (const [index, { measurementUuid }] of sent.entries()) {
      const first = seen.get(measurementUuid);
      if (first === undefined) seen.set(measurementUuid, index);
      else context.addIssue({ code: 'custom', message: `excludes the same measurement as [${first}]`, path: [index] });
    }
    return sent.map(({ measurementUuid, reason }) => ({ measurementUuid, reason }));
  });

const DURATION = /^P(?=.)(\d{1,4}W|(\d{1,5}D)?(T(?=\d)(\d{1,5}H)?(\d{1,6}M)?(\d{1,7}S)?)?)$/;

/** Body of a PUT. */
export const evaluationBody = strictMembers({
  chart: wordMember(EVALUATION_CHARTS).optional(),
  subgroups: subgroups.optional(),
  rules: rules.optional(),
  model: wordMember(EVALUATION_MODELS).optional(),
  required: numberMember({ min: 0.1, max: 10 }).optional(),
  stages: stages.optional(),
  exclusions: exclusions.optional(),
  owner: textMember(255).optional(),
  reaction: textMember().optional(),
  silence: z.string('must be a duration such as PT4H').regex(DURATION, 'must be a duration such as PT4H or P2D').optional(),
  autoClose: wholeNumber(1, MAX_POINTS).optional(),
  ewma: strictMembers({ lambda: numberMember({ above: 0, max: 1 }), width: numberMember({ above: 0, max: 10 }) }).optional(),
  cusum: strictMembers({ k: numberMember({ min: 0, max: 10 }), h: numberMember({ above: 0, max: 100 }) }).optional(),
  target: numberMember().optional(),
  reason: reasonMember,
}).transform(({ reason, exclusions: sent = [], ...members }, context): EvaluationBody => {
  const { chart, subgroups: groups } = members;
  if (chart !== undefined && groups !== undefined && !fitsSubgroups(chart, groups)) {
    context.addIssue({ code: 'custom', message: subgroupProblem(chart), path: ['subgroups'] });
    return z.NEVER;
  }
  const state = Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as InheritedEvaluation;
  return { state, exclusions: sent, reason };
});
