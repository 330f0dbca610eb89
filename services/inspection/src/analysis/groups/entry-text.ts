import type { Session } from '@sinebar/database';
import type { Configuration } from '../../configuration/configuration.ts';
import { readCatalogs } from '../../configuration/catalogs/catalogs-store.ts';

/**
 * Reads the texts of the catalog to which an attribute refers: those of the attribute of entries that has the same description, else the
 * first text of each entry.
 * @returns a function that is undefined for an entry without a text, and for attributes without a catalog
 */
export async function readEntryText(
  session: Session,
  attribute: number,
  { definitions }: Configuration,
): Promise<(stored: string) => string | undefined> {
  const { catalog: uuid, description } = definitions.get(attribute) ?? {};
  const [catalog] = uuid == null ? [] : await readCatalogs(session, [uuid]);
  if (!catalog) return () => undefined;
  const { validAttributes, catalogEntries } = catalog;
  const named = validAttributes.filter((key) => definitions.get(key)?.description === description);
  const texts = new Map(
    catalogEntries.map(({ key, attributes }) => [
      String(key),
      [...named, ...validAttributes].map((each) => attributes[each]).find(Boolean),
    ]),
  );
  return (stored) => texts.get(stored);
}
