import { z } from 'zod';

/** Value attributes by attribute key; `1` is the measured value. */
const valueAttributesSchema = z.record(z.string(), z.string());

/** Counts of the values of one measurement by their limits (spec: decisions.md 5.4). */
const measurementStatusSchema = z.object({
  id: z.enum(['Green', 'Yellow', 'Red']),
  count: z.int(),
  uuid: z.array(z.string()).optional().describe('Uuids of the characteristics; with `Detailed` only'),
});
export type MeasurementStatus = z.infer<typeof measurementStatusSchema>;

/** Values that count as Green because nothing limits them (spec: decisions.md 5.4). */
const valuesWithoutLimitsSchema = measurementStatusSchema.omit({ id: true });

/** spec: inspection-service.md, Measurement; decisions.md 5.5 */
export const measurementSchema = z
  .object({
    uuid: z.string(),
    partUuid: z.string(),
    attributes: z.record(z.string(), z.string()).describe('By attribute key; `4` is the time'),
    lastModified: z.string().describe('ISO 8601, UTC, milliseconds'),
    created: z.string(),
    comment: z.string().optional(),
    status: z.array(measurementStatusSchema).optional().describe('With `statistics` only'),
    noLimits: valuesWithoutLimitsSchema
      .optional()
      .describe('Values that `Green` counts although their characteristic has no limits; with `statistics` only, absent without any'),
  })
  .meta({ id: 'Measurement' });
export type Measurement = z.infer<typeof measurementSchema>;

/** spec: inspection-service.md, Values */
export const measurementWithValuesAnswerSchema = z
  .object({
    ...measurementSchema.shape,
    characteristics: z
      .record(z.string(), valueAttributesSchema)
      .describe('By uuid of the characteristic; values by attribute key, `1` is the measured value'),
  })
  .meta({ id: 'MeasurementWithValues' });
export type MeasurementWithValues = z.infer<typeof measurementWithValuesAnswerSchema>;
