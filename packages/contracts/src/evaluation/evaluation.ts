import { z } from 'zod';
import { EVALUATION_MODELS } from './models.ts';

/** Charts that an evaluation may choose; the last five are of characteristics that count. */
export const EVALUATION_CHARTS = ['individuals', 'xbarR', 'xbarS', 'ewma', 'cusum', 'p', 'np', 'c', 'u', 'laneyP'] as const;
export type EvaluationChart = (typeof EVALUATION_CHARTS)[number];

export const SUBGROUP_VALUES = ['measurements', 'values'] as const;

const time = z.string().describe('ISO 8601, UTC');

const limitsSchema = z
  .union([
    z.object({ kind: z.literal('computed') }).describe('From the values of the stage'),
    z.object({ kind: z.literal('baseline'), from: time, to: time }).describe('From the values of this time'),
    z
      .object({
        kind: z.literal('given'),
        centerLine: z.number(),
        sigma: z.number().optional(),
        lower: z.number().optional(),
        upper: z.number().optional(),
      })
      .describe('As they are; `lower` and `upper` need not be symmetric'),
  ])
  .meta({ id: 'StageLimits' });
export type StageLimits = z.infer<typeof limitsSchema>;

const stageSchema = z.object({
  from: time.optional().describe('Absent for a stage from the first measurement on'),
  reason: z.string().optional(),
  limits: limitsSchema,
});
export type EvaluationStage = z.infer<typeof stageSchema>;

const exclusionSchema = z.object({
  measurementUuid: z.string(),
  reason: z.string(),
  user: z.string().optional().describe('Who excluded it; absent without sign-in'),
  time,
});
export type EvaluationExclusion = z.infer<typeof exclusionSchema>;

const subgroupsSchema = z.object({
  size: z.int().optional().describe('Consecutive values'),
  by: z.int().optional().describe('Key of a measurement attribute: consecutive measurements with the same value'),
  of: z.enum(SUBGROUP_VALUES).optional().describe('By default `measurements`: a missing value belongs to its group'),
});
export type EvaluationSubgroups = z.infer<typeof subgroupsSchema>;

/** Members that one level may leave to the level above. */
const inheritedShape = {
  chart: z.enum(EVALUATION_CHARTS).optional(),
  subgroups: subgroupsSchema.optional(),
  rules: z.array(z.string()).optional().describe('Such as `nelson2`, or `nelson2:7` with another length of the run'),
  model: z.enum(EVALUATION_MODELS).optional(),
  required: z.number().optional().describe('Index that a capable characteristic needs'),
  stages: z.array(stageSchema).optional().describe('Parts of the series with control limits of their own, in ascending time'),
  owner: z.string().optional(),
  reaction: z.string().optional(),
  silence: z.string().optional().describe('Time without measurements after which an alarm is raised, ISO 8601'),
  autoClose: z.int().optional().describe('Points within the limits after which an alarm is closed'),
  ewma: z.object({ lambda: z.number(), width: z.number() }).optional(),
  cusum: z.object({ k: z.number(), h: z.number() }).optional(),
  target: z.number().optional(),
};

/** What one level says itself. */
export const evaluationStateSchema = z
  .object({ ...inheritedShape, exclusions: z.array(exclusionSchema).optional() })
  .meta({ id: 'EvaluationState' });
export type EvaluationState = z.infer<typeof evaluationStateSchema>;
export type InheritedEvaluation = Omit<EvaluationState, 'exclusions'>;

/** Members that come from the nearest level that has them. */
export const INHERITED_MEMBERS = Object.keys(inheritedShape) as (keyof InheritedEvaluation)[];

const sourceSchema = z
  .object({
    kind: z.enum(['characteristic', 'part', 'attribute', 'server']),
    uuid: z.string().optional().describe('The characteristic or part; absent for one that the caller may not read'),
    key: z.int().optional().describe('The attribute'),
  })
  .meta({ id: 'EvaluationSource' });
export type EvaluationSource = z.infer<typeof sourceSchema>;
export type EvaluationSources = Partial<Record<keyof InheritedEvaluation, EvaluationSource>>;

/** How a characteristic is evaluated, or by default the characteristics below a part. */
export const evaluationSchema = z
  .object({
    ...inheritedShape,
    exclusions: z.array(exclusionSchema).describe('Of all levels'),
    sources: z.partialRecord(z.object(inheritedShape).keyof(), sourceSchema).describe('Where each member comes from'),
    own: evaluationStateSchema.describe('What this item says itself: change it and send it back'),
    revision: z.int().describe('Of the own state, 0 without one'),
  })
  .meta({ id: 'Evaluation' });
export type Evaluation = z.infer<typeof evaluationSchema>;

export const evaluationHistorySchema = z.array(
  z
    .object({
      revision: z.int(),
      time,
      user: z.string().optional(),
      reason: z.string(),
      state: evaluationStateSchema.optional().describe('The whole own state; absent after a deletion'),
    })
    .meta({ id: 'EvaluationRevision' }),
);
export type EvaluationHistory = z.infer<typeof evaluationHistorySchema>;

/** Own states at and below a part, parents before children. */
export const evaluationListSchema = z.array(
  z.object({ entity: z.enum(['Part', 'Characteristic']), uuid: z.string(), state: evaluationStateSchema }).meta({ id: 'ItemEvaluation' }),
);
export type EvaluationList = z.infer<typeof evaluationListSchema>;
