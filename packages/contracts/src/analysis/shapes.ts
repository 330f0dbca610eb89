import { z } from 'zod';
import { REQUESTED_MODELS } from '../evaluation/models.ts';

export const time = z.string().describe('ISO 8601, UTC');
export const uuid = z.string();
export const overridden = z.array(z.string()).optional().describe('Members of the evaluation that parameters of the request replace');
export const notes = z.array(z.string()).optional().describe('Sentences that say why a figure is absent');

export const controlLimitsSchema = z.object({ centerLine: z.number(), lower: z.number(), upper: z.number() });

export const indexSchema = z.object({
  name: z.string().describe('In the convention that was asked for'),
  value: z.number(),
  lower: z.number().optional().describe('Lower bound of the confidence interval'),
  upper: z.number().optional(),
});

export const countingIndexSchema = indexSchema.extend({ from: z.enum(['normal', 'model']) });

export const valueStatusSchema = z
  .enum(['inLimits', 'inWarning', 'belowTolerance', 'aboveTolerance'])
  .describe('inWarning: beyond a warning limit and within the tolerance');

const limitShape = {
  nominal: z.number().optional(),
  target: z.number().optional(),
  lowerTolerance: z.number().optional(),
  upperTolerance: z.number().optional(),
  lowerWarning: z.number().optional(),
  upperWarning: z.number().optional(),
  lowerBoundary: z.number().optional().describe('Natural boundary, which stands in place of the tolerance'),
  upperBoundary: z.number().optional(),
};

export const limitsSchema = z
  .object({
    ...limitShape,
    sources: z.partialRecord(z.object(limitShape).keyof(), z.int()).describe('Key of the attribute that each limit came from'),
  })
  .meta({ id: 'CharacteristicLimits' });
export type CharacteristicLimits = z.infer<typeof limitsSchema>;

/** Models that an answer may name; `auto` of an evaluation chooses among them. */
export const modelNameSchema = z.enum([...REQUESTED_MODELS, 'gammaMirrored', 'foldedNormalMirrored', 'rayleighMirrored']);
export type ModelName = z.infer<typeof modelNameSchema>;

export const instabilitySchema = z.object({
  kind: z.enum(['points', 'step', 'drift']).describe('Points too far out, a step of the mean, or a mean that drifts from there'),
  on: z.enum(['location', 'variation']),
  time: time.optional(),
  measurementUuid: uuid,
  from: z.number().optional().describe('Level before a step, or at the beginning of a drift'),
  to: z.number().optional().describe('Level behind a step, or at the end of a drift'),
});
