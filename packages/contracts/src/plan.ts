import { z } from 'zod';

/** spec: inspection-service.md, Inspection plan entity */
const planItemShape = {
  uuid: z.string(),
  path: z.string().describe('With type marker and trailing slash: `PP:/assembly/door/`'),
  attributes: z.record(z.string(), z.string()).describe('By attribute key'),
  comment: z.string().optional(),
  version: z.int(),
  timestamp: z.string().describe('ISO 8601, UTC, milliseconds'),
};
const partShape = { ...planItemShape, charChangeDate: z.string() };
const HISTORY = 'With `withHistory`: earlier states, newest first';

export const partSchema = z
  .object({ ...partShape, history: z.array(z.object(partShape)).optional().describe(HISTORY) })
  .meta({ id: 'Part' });
export type Part = z.infer<z.ZodObject<typeof partShape>>;

/** A characteristic has the members of a part except `charChangeDate`. */
export const characteristicSchema = z
  .object({ ...planItemShape, history: z.array(z.object(planItemShape)).optional().describe(HISTORY) })
  .meta({ id: 'Characteristic' });
export type Characteristic = z.infer<z.ZodObject<typeof planItemShape>>;

/** An item with its earlier states, newest first (`withHistory`). */
export type WithHistory<Item> = Item & { history?: Item[] };

/** spec: inspection-service.md, ServiceInformation */
export const serviceInformationSchema = z
  .object({
    serverName: z.string(),
    version: z.string(),
    securityEnabled: z.boolean(),
    edition: z.string(),
    partCount: z.int().describe('An estimate, as the other counts; -1 until it is computed for the first time'),
    characteristicCount: z.int(),
    measurementCount: z.int(),
    valueCount: z.int(),
    featureList: z.array(z.string()),
    inspectionPlanTimestamp: z.string(),
    measurementTimestamp: z.string(),
    configurationTimestamp: z.string(),
    catalogTimestamp: z.string(),
  })
  .meta({ id: 'ServiceInformation' });
export type ServiceInformation = z.infer<typeof serviceInformationSchema>;
