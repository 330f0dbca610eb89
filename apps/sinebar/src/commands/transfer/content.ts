import { alarmSchema, evaluationListSchema, noteSchema, RAW_DATA_ENTITIES } from '@sinebar/contracts';
import type { AnyAttributeDefinition, AttributeOwner, Catalog, ConfigurationAnswer } from '@sinebar/client';
import { z } from 'zod';

/** Names of the entries of an archive; docs/export-format.md describes them. */
export const ENTRIES = {
  configuration: 'configuration.json',
  catalogs: 'catalogs.json',
  above: 'plan/above.jsonl',
  parts: 'plan/parts.jsonl',
  characteristics: 'plan/characteristics.jsonl',
  /** Absent in archives of earlier releases. */
  evaluations: 'plan/evaluations.jsonl',
  /** Absent in archives of earlier releases. */
  notes: 'notes.jsonl',
  /** Absent in archives of format 1. */
  alarms: 'alarms.jsonl',
  /** Followed by a number and `.jsonl`. */
  measurements: 'measurements/',
  /** Followed by a number; `.jsonl` for the list, without for the bytes. */
  fileLists: 'files/list-',
  files: 'files/content-',
} as const;

/** Formats a number so that the order of names is the order of numbers. */
export function numbered(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(9, '0')}`;
}

const attributes = z.record(z.string(), z.string());
const comment = z.string().exactOptional();

export const itemSchema = z.object({ uuid: z.uuid(), path: z.string(), attributes, comment });
export type Item = z.infer<typeof itemSchema>;

export const evaluationSchema = evaluationListSchema.element;
export { alarmSchema, noteSchema };

export const measurementSchema = z.object({
  uuid: z.uuid(),
  partUuid: z.uuid(),
  attributes,
  comment,
  characteristics: z.record(z.uuid(), attributes),
});
export type ArchivedMeasurement = z.infer<typeof measurementSchema>;

export const fileSchema = z.object({
  entity: z.enum(RAW_DATA_ENTITIES),
  uuid: z.string(),
  key: z.int(),
  fileName: z.string(),
  mimeType: z.string(),
  size: z.int().nonnegative(),
  /** MD5 as 32 hexadecimal digits, computed while reading. */
  md5: z.string().regex(/^[0-9a-f]{32}$/),
  /** Name of the entry with the bytes. */
  content: z.string(),
});
export type ArchivedFile = z.infer<typeof fileSchema>;

const definition: z.ZodType<AnyAttributeDefinition> = z.discriminatedUnion('definitionType', [
  z.object({
    definitionType: z.literal('AttributeDefinition'),
    key: z.int(),
    description: z.string(),
    type: z.enum(['AlphaNumeric', 'Integer', 'Float', 'DateTime']),
    length: z.int().optional(),
  }),
  z.object({ definitionType: z.literal('CatalogAttributeDefinition'), key: z.int(), description: z.string(), catalog: z.uuid() }),
]);

/** Owners in the order of creation: catalogs need the attributes of their entries, the others the catalogs. */
export const OWNERS = ['catalog', 'part', 'characteristic', 'measurement', 'value'] as const satisfies readonly AttributeOwner[];

export const configurationSchema = z.object(
  Object.fromEntries(OWNERS.map((owner) => [owner, z.array(definition)])) as Record<AttributeOwner, z.ZodArray<typeof definition>>,
);
export type ArchivedConfiguration = Record<AttributeOwner, AnyAttributeDefinition[]>;

export const catalogsSchema: z.ZodType<Catalog[]> = z.array(
  z.object({
    uuid: z.uuid(),
    name: z.string(),
    validAttributes: z.array(z.int()),
    catalogEntries: z.array(z.object({ key: z.int(), attributes })),
  }),
);

export function configurationOf(answer: ConfigurationAnswer): ArchivedConfiguration {
  return {
    catalog: answer.catalogAttributes,
    part: answer.partAttributes,
    characteristic: answer.characteristicAttributes,
    measurement: answer.measurementAttributes,
    value: answer.valueAttributes,
  };
}

/** Removes the type marker for `partPath`: `PP:/a/b/` becomes `/a/b/`. */
export function unmarked(path: string): string {
  return path === '/' ? path : path.slice(path.indexOf(':') + 1);
}

/** Compares attributes, ignoring the order of members. */
export function sameAttributes(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Splits items into groups of at most `size`. */
export function* batches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
