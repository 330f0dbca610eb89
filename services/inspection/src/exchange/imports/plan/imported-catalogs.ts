import { cleaned, type FileCatalogEntry } from '@sinebar/exchange';
import { CAUSE_ATTRIBUTE, ServiceError, STANDARD_ATTRIBUTES } from '@sinebar/contracts';
import { MAX_ENTRY_KEY, newValueProblem, parseEntryKey } from '../../../configuration/attribute-values.ts';
import type { Catalog, CatalogEntry, CatalogWithEntries } from '../../../configuration/catalogs/catalogs-store.ts';
import type { Configuration } from '../../../configuration/configuration.ts';
import { Turns } from '../../../shared/turns.ts';

/** Most texts of a file that refer to catalogs. */
const MAX_TEXTS = 100_000;

/** Texts of a file that refer to entries of catalogs, by attribute key. */
export class CatalogTexts {
  private readonly byKey = new Map<number, Set<string>>();
  private count = 0;

  /** @param keys attributes that refer to catalogs */
  constructor(keys: Iterable<number>) {
    for (const key of keys) this.byKey.set(key, new Set());
  }

  note(attributes: Readonly<Record<string, string>>): void {
    for (const [key, texts] of this.byKey) {
      const text = attributes[key];
      if (text === undefined || texts.has(text)) continue;
      this.count += 1;
      if (this.count > MAX_TEXTS)
        throw new ServiceError(
          'InvalidRequest',
          `The file refers to more than ${MAX_TEXTS} entries of catalogs. Split it into several files.`,
        );
      texts.add(text);
    }
  }

  has(key: number): boolean {
    return this.byKey.has(key);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  [Symbol.iterator](): Iterator<[number, Set<string>]> {
    return this.byKey[Symbol.iterator]();
  }
}

/** Attributes of parts, characteristics and measurements whose values are entries of catalogs. */
export function catalogAttributes({ definitions }: Configuration): number[] {
  return [...definitions.values()].flatMap(({ key, type }) => (type === 'Catalog' ? [key] : []));
}

/** Attributes of the entries to which an attribute refers, in the order of the plant, but the number of the standard list first. */
export function textAttributesOf(attribute: number, { validAttributes }: Catalog): readonly number[] {
  const number = STANDARD_ATTRIBUTES.find(({ key }) => key === attribute)?.catalog?.validAttributes[0];
  if (number === undefined || !validAttributes.includes(number)) return validAttributes;
  return [number, ...validAttributes.filter((key) => key !== number)];
}

/** Entries by the text with which a file names them. */
export class CatalogKeys {
  private readonly entries = new Map<string, number>();

  put(attribute: number, text: string, entry: number): void {
    this.entries.set(`${attribute} ${text}`, entry);
  }

  entryOf(attribute: number, text: string): number | undefined {
    return this.entries.get(`${attribute} ${text}`);
  }
}

/** Entries that a file refers to: those of the server, and those that it lacks. */
export interface ImportedCatalogs {
  keys: CatalogKeys;
  /** New entries by the uuid of their catalog. */
  created: ReadonlyMap<string, readonly CatalogEntry[]>;
}

export interface CatalogSearch {
  configuration: Configuration;
  /** Finds the uuid of the catalog to which an attribute refers. */
  catalogOf: (attribute: number) => string | undefined;
  texts: CatalogTexts;
  described: readonly FileCatalogEntry[];
  /** Whether entries that are missing may be created. */
  mayCreate: boolean;
  /** Whether a text may be the key of an entry, as in exports of this product; in other files it never is. */
  hasEntryKeys: boolean;
}

/**
 * Finds the entries that a file names by one of their texts, and drafts those that are missing with the number as text.
 * @param catalogs catalogs with their entries, also such as are to be created
 */
export async function resolveCatalogs(
  catalogs: readonly CatalogWithEntries[],
  { configuration, catalogOf, texts, described, mayCreate, hasEntryKeys }: CatalogSearch,
): Promise<ImportedCatalogs> {
  const turns = new Turns();
  const keys = new CatalogKeys();
  const created = new Map<string, CatalogEntry[]>();
  const byUuid = new Map(catalogs.map((one) => [one.uuid, one]));
  const entryOfFile = new Map<string, FileCatalogEntry>();
  for (const one of described) {
    if (turns.isOver) await turns.pass();
    entryOfFile.set(`${one.attribute} ${one.number}`, one);
  }
  for (const [attribute, wanted] of texts) {
    const catalog = byUuid.get(catalogOf(attribute) ?? '');
    if (!catalog) continue;
    const added = created.get(catalog.uuid) ?? [];
    const known = [...catalog.catalogEntries, ...added];
    const entryOf = await entriesByText(known, turns);
    const taken = new Set(configuration.entryKeys.get(catalog.uuid));
    for (const { key } of known) {
      if (turns.isOver) await turns.pass();
      taken.add(key);
    }
    let next = 1;
    for (const text of wanted) {
      if (turns.isOver) await turns.pass();
      const entry = entryOfFile.get(`${attribute} ${text}`);
      const found = entryOf.get(textOfEntry(text, entry));
      const byKey =
        hasEntryKeys && attribute !== CAUSE_ATTRIBUTE && taken.has(Number(text)) && parseEntryKey(text) !== undefined
          ? Number(text)
          : undefined;
      if (found !== undefined || byKey !== undefined) {
        keys.put(attribute, text, (found ?? byKey) as number);
        continue;
      }
      while (taken.has(next)) next += 1;
      if (!mayCreate || next > MAX_ENTRY_KEY) continue;
      const attributes = newEntry(text, entry?.attributes ?? {}, textAttributesOf(attribute, catalog), configuration);
      const [first] = Object.values(attributes);
      if (first === undefined) continue;
      const same = entryOf.get(first);
      if (same !== undefined) {
        keys.put(attribute, text, same);
        continue;
      }
      // Causes keep the number of the file where it is free, so that a file that is exported again is equal.
      const number = attribute === CAUSE_ATTRIBUTE ? parseEntryKey(text) : undefined;
      const key = number === undefined || taken.has(number) ? next : number;
      taken.add(key);
      added.push({ key, attributes });
      for (const value of Object.values(attributes)) if (!entryOf.has(value)) entryOf.set(value, key);
      keys.put(attribute, text, key);
    }
    if (added.length > 0) created.set(catalog.uuid, added);
  }
  return { keys, created };
}

/**
 * Keys of the entries by each of their texts, as they are and as files have them; the first one wins.
 * An entry without texts has its key for one.
 */
async function entriesByText(entries: readonly CatalogEntry[], turns: Turns): Promise<Map<string, number>> {
  const keys = new Map<string, number>();
  for (const { key, attributes } of entries) {
    if (turns.isOver) await turns.pass();
    for (const text of Object.values(attributes)) if (!keys.has(text)) keys.set(text, key);
  }
  for (const { key, attributes } of entries) {
    if (turns.isOver) await turns.pass();
    const texts = Object.values(attributes).map(cleaned);
    for (const text of texts.length > 0 ? texts : [String(key)]) if (!keys.has(text)) keys.set(text, key);
  }
  return keys;
}

/**
 * The text by which an entry is found: that of the file, unless the file describes the entry and this text is only its number in the
 * file. Then it is the first text of the description, which is the number where there is one.
 */
function textOfEntry(text: string, entry: FileCatalogEntry | undefined): string {
  const texts = Object.values(entry?.attributes ?? {});
  return texts.includes(text) ? text : (texts[0] ?? text);
}

function newEntry(
  text: string,
  fields: Readonly<Record<string, string>>,
  validAttributes: readonly number[],
  { definitions }: Configuration,
): Record<string, string> {
  const fits = (key: number, value: string) => {
    const definition = definitions.get(key);
    return (
      definition !== undefined && definition.type !== 'Catalog' && newValueProblem(value, definition.type, definition.length) === undefined
    );
  };
  const attributes: Record<string, string> = {};
  for (const key of validAttributes) {
    const value = fields[key];
    if (value !== undefined && fits(key, value)) attributes[key] = value;
  }
  if (Object.keys(attributes).length > 0) return attributes;
  const first = validAttributes.find((key) => fits(key, text));
  return first === undefined ? {} : { [first]: text };
}
