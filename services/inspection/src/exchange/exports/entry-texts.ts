import type { FileCatalogEntry } from '@sinebar/exchange';
import type { Session } from '@sinebar/database';
import { readCatalogs, type CatalogEntry, type CatalogWithEntries } from '../../configuration/catalogs/catalogs-store.ts';
import type { AttributeDefinition, Configuration } from '../../configuration/configuration.ts';
import { textAttributesOf } from '../imports/plan/imported-catalogs.ts';

type Attributes = Readonly<Record<string, string>>;

/** Most entries of one catalog that a file describes. */
const MAX_DESCRIBED = 5000;

/** Texts of entries of catalogs: their keys mean nothing outside of the server. spec: decisions.md 11.1 */
export class EntryTexts {
  /** Entries for the head of an AQDEF file. */
  readonly described: FileCatalogEntry[] = [];
  /** Texts by the key of the entry, by attribute. */
  private readonly texts = new Map<string, ReadonlyMap<string, string>>();

  constructor(definitions: Iterable<AttributeDefinition>, catalogs: readonly CatalogWithEntries[]) {
    const byUuid = new Map(catalogs.map((one) => [one.uuid, one]));
    for (const { key: attribute, catalog: uuid } of definitions) {
      const catalog = byUuid.get(uuid ?? '');
      if (!catalog) continue;
      const texts = textsOf(catalog.catalogEntries, textAttributesOf(attribute, catalog));
      this.texts.set(String(attribute), texts);
      for (const { key, attributes } of catalog.catalogEntries.slice(0, MAX_DESCRIBED))
        this.described.push({ attribute, number: texts.get(String(key)) as string, attributes });
    }
  }

  /** The text of an entry; any other value as it is. */
  textOf(attribute: string, stored: string | undefined): string | undefined {
    return stored === undefined ? undefined : (this.texts.get(attribute)?.get(stored) ?? stored);
  }

  /** The attributes with texts for the keys of entries. */
  withTexts<T extends Attributes>(attributes: T): T | Record<string, string> {
    let written: Record<string, string> | undefined;
    for (const [attribute, texts] of this.texts) {
      const text = texts.get(attributes[attribute] ?? '');
      if (text === undefined) continue;
      written ??= { ...attributes };
      written[attribute] = text;
    }
    return written ?? attributes;
  }
}

/** Reads the entries of catalogs to which attributes refer. */
export async function readEntryTexts(session: Session, { definitions }: Configuration): Promise<EntryTexts> {
  const referring = [...definitions.values()].filter(({ catalog }) => catalog !== null);
  const uuids = [...new Set(referring.flatMap(({ catalog }) => catalog ?? []))];
  return new EntryTexts(referring, uuids.length === 0 ? [] : await readCatalogs(session, uuids));
}

/** The first text of each entry that no entry before has, so that it is found again by it. */
function textsOf(entries: readonly CatalogEntry[], textAttributes: readonly number[]): Map<string, string> {
  const owners = new Map<string, number>();
  for (const { key, attributes } of entries) for (const text of Object.values(attributes)) if (!owners.has(text)) owners.set(text, key);
  const textOf = ({ key, attributes }: CatalogEntry): string => {
    const own = textAttributes.flatMap((attribute) => attributes[attribute] ?? []);
    return own.find((text) => owners.get(text) === key) ?? own[0] ?? String(key);
  };
  return new Map(entries.map((entry) => [String(entry.key), textOf(entry)]));
}
