import { z } from 'zod';

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
