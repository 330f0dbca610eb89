import { CAUSE_ATTRIBUTE, invalidField } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';

/**
 * Reads the text of an entry of the catalog of causes: the one whose entries have the attribute 4391, the earliest of several.
 * @throws ServiceError 400 without such a catalog or entry
 */
export async function readCauseText(session: Session, cause: number): Promise<string> {
  const [catalog] = await session.query<{ uuid: string; name: string; keys: number[] }>(
    'SELECT uuid, name, valid_attributes AS keys FROM catalog WHERE $1 = ANY(valid_attributes) ORDER BY position LIMIT 1',
    [CAUSE_ATTRIBUTE],
  );
  if (!catalog)
    throw invalidField('cause', `There is no catalog of causes. Create one whose entries have the attribute ${CAUSE_ATTRIBUTE}.`);
  const [entry] = await session.query<{ attributes: Record<string, string> }>(
    'SELECT attributes FROM catalog_entry WHERE catalog = $1 AND key = $2',
    [catalog.uuid, cause],
  );
  if (!entry) throw invalidField('cause', `The catalog of causes, ${JSON.stringify(catalog.name)}, has no entry ${cause}.`);
  return [CAUSE_ATTRIBUTE, ...catalog.keys].map((key) => entry.attributes[key]).find((text) => text !== undefined) ?? String(cause);
}
