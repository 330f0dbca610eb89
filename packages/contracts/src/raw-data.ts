import { z } from 'zod';
import { parseUuid } from './identifiers.ts';

/** Entity types that can hold files (spec: raw-data-service.md, TargetEntity). */
export const RAW_DATA_ENTITIES = ['Part', 'Characteristic', 'Measurement', 'Value'] as const;
export type RawDataEntity = (typeof RAW_DATA_ENTITIES)[number];

/** Reads the entity segment of an address: singular or plural, any case. spec: decisions.md 1.6 */
export function parseRawDataEntity(segment: string): RawDataEntity | undefined {
  const singular = segment.toLowerCase().replace(/s$/, '');
  return RAW_DATA_ENTITIES.find((entity) => entity.toLowerCase() === singular);
}

/**
 * Reads the identifier of a target: a uuid, for a value `<measurement uuid>|<characteristic uuid>`.
 * @returns the normalised identifier, or `undefined` when it is malformed.
 * spec: raw-data-service.md, TargetEntity
 */
export function parseTargetUuid(entity: RawDataEntity, text: string): string | undefined {
  if (entity !== 'Value') return parseUuid(text);
  const [measurement, characteristic, ...rest] = text
    .trim()
    .replace(/^\{([^{}]*)\}$/, '$1')
    .split('|');
  if (measurement === undefined || characteristic === undefined || rest.length > 0) return undefined;
  const first = parseUuid(measurement);
  const second = parseUuid(characteristic);
  return first !== undefined && second !== undefined ? `${first}|${second}` : undefined;
}

export const targetEntitySchema = z.object({
  entity: z.enum(RAW_DATA_ENTITIES),
  uuid: z.string(),
});
export type TargetEntity = z.infer<typeof targetEntitySchema>;

/** spec: raw-data-service.md, RawDataInformation */
export const rawDataInformationSchema = z
  .object({
    target: targetEntitySchema,
    key: z.int(),
    fileName: z.string(),
    mimeType: z.string(),
    lastModified: z.string().describe('ISO 8601, UTC, milliseconds'),
    created: z.string(),
    size: z.int().describe('Bytes'),
    md5: z.string(),
  })
  .meta({ id: 'RawDataInformation' });
export type RawDataInformation = z.infer<typeof rawDataInformationSchema>;

/** Entries of a zip archive that is stored as a file (spec: raw-data-service.md, Archive entry result). */
export const archiveEntriesSchema = z
  .object({
    archiveInfo: rawDataInformationSchema,
    entries: z.array(z.string()).describe('With their folders; a folder ends with `/`'),
  })
  .meta({ id: 'ArchiveEntries' });
export type ArchiveEntries = z.infer<typeof archiveEntriesSchema>;
