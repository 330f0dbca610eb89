import { z } from 'zod';
import { controlLimitsSchema, time, uuid } from './shapes.ts';

const countShape = {
  type: z.enum(['p', 'np', 'c', 'u', 'laneyP']),
  rate: z.number().describe('Share of nonconforming parts, or nonconformities per unit, from which the limits follow'),
  sigmaZ: z.number().optional().describe('Of `laneyP`: factor by which points scatter more widely than the binomial distribution'),
  location: controlLimitsSchema.optional().describe('Where all samples have one size'),
  baseline: z.object({ from: time.optional(), to: time.optional(), count: z.int() }),
};

/** The chart of a characteristic that counts; limits follow from the size of each sample. */
export const countChartSchema = z.object(countShape).meta({ id: 'CountChart' });
export type CountChartAnswer = z.infer<typeof countChartSchema>;

export const countSeriesSchema = z
  .object({
    ...countShape,
    points: z
      .array(
        z.object({
          index: z.int().describe('0-based point of the chart, over all points'),
          time: time.optional(),
          measurementUuid: uuid,
          count: z.int(),
          size: z.number(),
          value: z.number().describe('Share, number or rate, as the chart has it'),
          centerLine: z.number(),
          lower: z.number(),
          upper: z.number(),
          isBeyond: z.boolean(),
          group: z.int().optional().describe('Index in `grouped.groups`'),
        }),
      )
      .describe(
        'The newest points that are shown, as many as asked for, with the limits of their stage; samples that are left out are absent',
      ),
  })
  .meta({ id: 'CountSeries' });

/** The rate of a characteristic that counts, in place of an index. */
export const countRateSchema = z
  .object({
    unit: z.enum(['partsPerMillion', 'perUnit']).describe('partsPerMillion: nonconforming parts; perUnit: nonconformities'),
    value: z.number(),
    lower: z.number().describe('Exact bound of the binomial or the Poisson distribution'),
    upper: z.number(),
    confidence: z.number(),
    count: z.int().describe('Sum of the counts that are used'),
    size: z.number().describe('Sum of their sizes'),
  })
  .meta({ id: 'CountRate' });
