import { ACTION_ATTRIBUTE, CAUSE_ATTRIBUTE, invalidField } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';

/** Members of notes and alarms that name an entry of a catalog: the attribute of its entries, and what the catalog is called. */
const NAMED = { cause: { attribute: CAUSE_ATTRIBUTE, catalog: 'causes' }, action: { attribute: ACTION_ATTRIBUTE, catalog: 'actions' } };

/**
 * Reads the text of an entry of the catalog of causes or actions: the one whose entries have the attribute, the earliest of several.
 * @throws ServiceError 400 without such a catalog or entry
 */
export async function readEntryText(session: Session, member: keyof typeof NAMED, key: number): Promise<string> {
  const { attribute, catalog: name } = NAMED[member];
  const [catalog] = await session.query<{ uuid: string; name: string; keys: number[] }>(
    'SELECT uuid, name, valid_attributes AS keys FROM catalog WHERE $1 = ANY(valid_attributes) ORDER BY position LIMIT 1',
    [attribute],
  );
  if (!catalog) throw invalidField(member, `There is no catalog of ${name}. Create one whose entries have the attribute ${attribute}.`);
  const [entry] = await session.query<{ attributes: Record<string, string> }>(
    'SELECT attributes FROM catalog_entry WHERE catalog = $1 AND key = $2',
    [catalog.uuid, key],
  );
  if (!entry) throw invalidField(member, `The catalog of ${name}, ${JSON.stringify(catalog.name)}, has no entry ${key}.`);
  return [attribute, ...catalog.keys].map((each) => entry.attributes[each]).find((text) => text !== undefined) ?? String(key);
}
