import { ServiceError } from '@sinebar/contracts';
import { sql, type Session } from '@sinebar/database';
import { quoted } from '@sinebar/http';
import { isAttributeKey } from '@sinebar/query-language';
import { z } from 'zod';
import { ruleOf } from '../../configuration/attribute-values.ts';
import { TIME_KEY, type Configuration } from '../../configuration/configuration.ts';
import { TIME_GROUPS, type TimeGroup } from '../../evaluation/settings/plant-clock.ts';
import { readPlantSettings } from '../../evaluation/settings/settings-service.ts';
import type { FoundGroup, GroupKeys } from '../calculations/tasks.ts';
import type { IdentifiedValues } from '../characteristic-values.ts';
import { readEntryText } from './entry-text.ts';

/** By what values are grouped: a measurement attribute, or the shift, day or week of their time. */
export type GroupBy = number | TimeGroup;

export const groupByParameter = z.string().transform((text, context): GroupBy => {
  const word = text.trim();
  const group = TIME_GROUPS.find((name) => name === word.toLowerCase());
  if (group !== undefined) return group;
  if (isAttributeKey(word)) return Number(word);
  context.addIssue({
    code: 'custom',
    message: `must be the key of a measurement attribute, or one of ${TIME_GROUPS.join(', ')}, not ${quoted(text)}`,
  });
  return z.NEVER;
});

/** Where the groups of values come from. */
export type GroupSource =
  | { readonly by: number; readonly textOf: (stored: string) => string | undefined }
  | { readonly by: TimeGroup; readonly settings: Awaited<ReturnType<typeof readPlantSettings>> };

/** @throws ServiceError 400 for an attribute that measurements do not have, and for a plant without shifts */
export async function readGroupSource(session: Session, by: GroupBy, configuration: Configuration): Promise<GroupSource> {
  const refuse = (sentences: string) => new ServiceError('InvalidRequest', `Parameter by: ${sentences}`);
  if (typeof by === 'number') {
    if (by === TIME_KEY) throw refuse('The time of measurement makes no groups. Give shift, day or week.');
    const rule = ruleOf(configuration, 'measurement', by);
    if (!rule) throw refuse(`Measurements have no attribute ${by}.`);
    return { by, textOf: await readEntryText(session, by, configuration) };
  }
  const settings = await readPlantSettings(session);
  if (by === 'shift' && settings.shifts.length === 0) {
    throw refuse('The settings of the plant have no shifts. Set them with PUT /analysisServiceRest/settings, or give day or week.');
  }
  return { by, settings };
}

/** The attribute whose hashes have to be read. */
export function hashedAttributeOf(by: GroupBy | undefined): number | undefined {
  return typeof by === 'number' ? by : undefined;
}

/** Takes along the hashes, and a copy of the times. */
export function groupKeysOf(source: GroupSource, { times, hashes }: Pick<IdentifiedValues, 'times' | 'hashes'>): GroupKeys {
  if ('settings' in source) return { times: times.slice(), group: source.by, settings: source.settings };
  return { hashes: hashes ?? new Float64Array(times.length).fill(NaN) };
}

/** Name of a group in an answer. */
export interface GroupName {
  value?: string;
  text?: string;
  others?: number;
}

/**
 * Names groups by the attribute of their first measurement.
 * @param ids of the measurements
 * @returns undefined where one of these measurements has been deleted
 */
export async function readGroupNames(
  session: Session,
  source: GroupSource,
  groups: readonly FoundGroup[],
  ids: Float64Array,
): Promise<GroupName[] | undefined> {
  if ('settings' in source) return groups.map(({ name, others }) => named(name, undefined, others));
  const wanted = groups.filter(({ hasKey }) => hasKey).map(({ first }) => String(ids[first]!));
  const key = String(source.by);
  const rows = await session.query<{ id: string; value: string | null }>(
    sql`SELECT id::text AS id, attributes ->> ${key}::text AS value FROM measurement WHERE id = ANY(${wanted}::bigint[])`,
  );
  const values = new Map(rows.map(({ id, value }) => [id, value ?? undefined]));
  if (values.size < wanted.length) return undefined;
  return groups.map(({ first, hasKey, others }) => {
    const value = hasKey ? values.get(String(ids[first]!)) : undefined;
    return named(value, value === undefined ? undefined : source.textOf(value), others);
  });
}

function named(value: string | undefined, text: string | undefined, others: number | undefined): GroupName {
  return { ...(value !== undefined && { value }), ...(text !== undefined && { text }), ...(others !== undefined && { others }) };
}
