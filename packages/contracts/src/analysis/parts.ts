import { z } from 'zod';
import { instabilitySchema, limitsSchema, modelNameSchema, time, uuid, valueStatusSchema } from './shapes.ts';

/** Where the newest value of a characteristic stands. */
export const NOW_STATUSES = ['inLimits', 'inWarning', 'belowTolerance', 'aboveTolerance', 'noLimits', 'noData'] as const;
const nowStatusSchema = z.enum(NOW_STATUSES).describe('Where the newest value stands; noLimits: there are none, noData: there is no value');
export type NowStatus = z.infer<typeof nowStatusSchema>;

/** What may be expected of the process of a characteristic. */
export const PROCESS_STATUSES = ['capable', 'uncertain', 'notCapable', 'notStable', 'unknown'] as const;
const processStatusSchema = z
  .enum(PROCESS_STATUSES)
  .describe('As `assessment.capable` of a summary says: yes, uncertain, no, notStable, unknown');
export type ProcessStatus = z.infer<typeof processStatusSchema>;

const statusCountsSchema = z
  .object({
    now: z.object({
      inLimits: z.int(),
      inWarning: z.int(),
      belowTolerance: z.int(),
      aboveTolerance: z.int(),
      noLimits: z.int(),
      noData: z.int(),
    }),
    process: z.object({ capable: z.int(), uncertain: z.int(), notCapable: z.int(), notStable: z.int(), unknown: z.int() }),
  })
  .meta({ id: 'StatusCounts', description: 'Characteristics by the status of their newest value, and by that of their process' });
export type StatusCounts = z.infer<typeof statusCountsSchema>;

/** Says of how many characteristics the index of a model and the status of the process are older than their values. */
const pendingShape = {
  pending: z
    .int()
    .optional()
    .describe('Characteristics whose `process`, and index of a model, is older than their values or not known yet; absent for none'),
  asOf: time.optional().describe('The oldest time of these'),
};

const indexValuesSchema = z.object({ p: z.number().optional(), pk: z.number().optional() });

/** Figures of the characteristics below a part. A figure that is not defined is absent. */
export const partOverviewSchema = z
  .object({
    total: z.int().describe('Characteristics below the part that the request chooses, on all pages'),
    offset: z.int(),
    totals: statusCountsSchema.describe('Of all characteristics below the part, also those that `statuses` or `find` leaves out'),
    ...pendingShape,
    characteristics: z.array(
      z.object({
        uuid,
        path: z.string(),
        name: z.string(),
        count: z.int().describe('Values with a number'),
        last: z.object({ time: time.optional(), value: z.number(), status: valueStatusSchema, measurementUuid: uuid }).optional(),
        mean: z.number().optional(),
        standardDeviation: z.number().optional(),
        now: nowStatusSchema,
        process: processStatusSchema,
        overall: indexValuesSchema
          .optional()
          .describe('Pp and Ppk as `capability` of a summary has them: of the model, else of normal values'),
        model: z
          .object({ name: modelNameSchema, asOf: time })
          .optional()
          .describe('The model of `overall` and when it was fitted; absent where it is normal'),
        since: instabilitySchema
          .optional()
          .describe('Where a process that is not stable began to differ, as it is kept; not of a selection'),
        asOf: time.optional().describe('Time of `process`, and of an index of a model, where it is older than the values'),
        within: indexValuesSchema.optional().describe('Cp and Cpk (Cw and Cwk), from the mean moving range'),
        limits: limitsSchema,
        sparkline: z.array(z.number()).describe('The newest values, at most 32, oldest first'),
      }),
    ),
  })
  .meta({ id: 'PartOverview' });
export type PartOverview = z.infer<typeof partOverviewSchema>;

/** Direct children of a part, in plan order, with the counts of all characteristics at and below each. */
export const partChildrenSchema = z
  .object({
    children: z.array(
      z.object({
        kind: z.enum(['part', 'characteristic']),
        uuid,
        name: z.string(),
        hasChildren: z.boolean(),
        characteristics: z.int().describe('Characteristics that are counted'),
        statuses: statusCountsSchema,
      }),
    ),
    ...pendingShape,
  })
  .meta({ id: 'PartChildren' });
export type PartChildren = z.infer<typeof partChildrenSchema>;

/** Both statuses and Ppk of every characteristic below a part, in plan order. */
export const partStatusesSchema = z
  .object({
    characteristics: z
      .array(
        z.union([z.tuple([uuid, nowStatusSchema, processStatusSchema]), z.tuple([uuid, nowStatusSchema, processStatusSchema, z.number()])]),
      )
      .describe('Uuid, status of the newest value, status of the process, and Ppk where it is defined'),
    ...pendingShape,
  })
  .meta({ id: 'PartStatuses' });
export type PartStatuses = z.infer<typeof partStatusesSchema>;

/** Changes of the statuses of characteristics below a part, the newest first. */
export const partChangesSchema = z
  .object({
    total: z.int().describe('Changes on all pages'),
    offset: z.int(),
    changes: z.array(
      z.object({
        time: time.describe('Of the measurement that led to it; without one, or where it has no time, when the change was noticed'),
        characteristicUuid: uuid,
        path: z.string(),
        name: z.string(),
        measurementUuid: uuid.optional().describe('The newest measurement with a value at this change; absent where it is deleted'),
        status: z.enum(['now', 'process']),
        from: z.union([nowStatusSchema, processStatusSchema]),
        to: z.union([nowStatusSchema, processStatusSchema]),
      }),
    ),
  })
  .meta({ id: 'PartChanges' });
export type PartChanges = z.infer<typeof partChangesSchema>;
