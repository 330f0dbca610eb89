import { z } from 'zod';

/** spec: inspection-service.md, Inspection plan entity */
export const partSchema = z.object({
  uuid: z.string(),
  /** With type marker and trailing slash: `PP:/assembly/door/`. */
  path: z.string(),
  attributes: z.record(z.string(), z.string()),
  comment: z.string().optional(),
  version: z.int(),
  timestamp: z.string(),
  charChangeDate: z.string(),
});
export type Part = z.infer<typeof partSchema>;

/** A characteristic has the members of a part, but for `charChangeDate`. */
export type Characteristic = Omit<Part, 'charChangeDate'>;

/** With `withHistory`: earlier states, newest first. */
export type WithHistory<Item> = Item & { history?: Item[] };

/** spec: inspection-service.md, ServiceInformation */
export const serviceInformationSchema = z.object({
  serverName: z.string(),
  version: z.string(),
  securityEnabled: z.boolean(),
  edition: z.string(),
  /** Estimates; -1 until they are computed for the first time. */
  partCount: z.int(),
  characteristicCount: z.int(),
  measurementCount: z.int(),
  valueCount: z.int(),
  featureList: z.array(z.string()),
  inspectionPlanTimestamp: z.string(),
  measurementTimestamp: z.string(),
  configurationTimestamp: z.string(),
  catalogTimestamp: z.string(),
});
export type ServiceInformation = z.infer<typeof serviceInformationSchema>;
