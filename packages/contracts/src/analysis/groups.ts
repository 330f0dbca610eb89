import { z } from 'zod';
import { countRateSchema } from './counts.ts';
import { countingIndexSchema, modelNameSchema, notes, overridden } from './shapes.ts';

const groupNameShape = {
  value: z.string().optional().describe('As measurements hold it, or the name of the shift, `2026-01-31`, `2026-W05`; absent without one'),
  text: z.string().optional().describe('Text of the entry of a catalog'),
  others: z.int().optional().describe('Number of values that this last entry joins: those beyond the first 99'),
};
const groupBySchema = z.union([z.int(), z.enum(['shift', 'day', 'week'])]);

const testShape = { statistic: z.number(), df1: z.number(), df2: z.number(), pValue: z.number() };

/** Figures of the values of one characteristic by an attribute of their measurements, or by shift, day or week. */
export const characteristicGroupsSchema = z
  .object({
    by: groupBySchema,
    groups: z
      .array(
        z.object({
          ...groupNameShape,
          count: z.int(),
          mean: z.number(),
          standardDeviation: z.number().optional().describe('Absent for one value'),
          minimum: z.number(),
          maximum: z.number(),
          outOfTolerance: z.int(),
          pk: countingIndexSchema.optional().describe('Index that counts, as in a summary of these values alone'),
          model: modelNameSchema.optional().describe('The model of `pk`; absent where it is normal'),
          rate: countRateSchema.optional().describe('Of a characteristic that counts, in place of an index'),
          box: z.object({
            lowerQuartile: z.number(),
            median: z.number(),
            upperQuartile: z.number(),
            lowerWhisker: z.number(),
            upperWhisker: z.number(),
            outliers: z.array(z.number()).describe('At most 200, the farthest first'),
          }),
        }),
      )
      .describe('At most 100, in the order in which they first come'),
    tests: z.object({
      welch: z
        .object({ ...testShape, explained: z.number().describe('Share of the variance of all values that the means explain') })
        .optional()
        .describe("Welch's test whether means differ, of the groups whose values differ"),
      brownForsythe: z.object(testShape).optional().describe('Whether spreads differ'),
      rates: z
        .object({ statistic: z.number(), df: z.int(), pValue: z.number() })
        .optional()
        .describe("Of a characteristic that counts, in place of the others: Pearson's test whether rates differ"),
    }),
    overridden,
    notes,
  })
  .meta({ id: 'CharacteristicGroups' });
export type CharacteristicGroups = z.infer<typeof characteristicGroupsSchema>;

/** The groups of the points of a series. */
export const groupedSchema = z.object({
  by: groupBySchema,
  groups: z.array(z.object(groupNameShape)).describe('`group` of a point is an index of this list'),
});
