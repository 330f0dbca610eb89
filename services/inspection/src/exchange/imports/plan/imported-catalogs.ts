import type { FileCatalogEntry } from '@sinebar/exchange';
import { ServiceError } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import { MAX_ENTRY_KEY, newValueProblem } from '../../../configuration/attribute-values.js';
import { CatalogStore, readCatalogs, type CatalogEntry } from '../../../configuration/catalogs/catalogs-store.js';
import type { Configuration } from '../../../configuration/configuration.js';
import { IncompletePlan } from './incomplete-plan.js';

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

  [Symbol.iterator](): Iterator<[number, Set<string>]> {
    return this.byKey[Symbol.iterator]();
  }
}

/** Attributes of parts, characteristics and measurements whose values are entries of catalogs. */
export function catalogAttributes({ definitions }: Configuration): number[] {
  return [...definitions.values()].flatMap(({ key, type }) => (type === 'Catalog' ? [key] : []));
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

/**
 * Finds the entries that a file names by their key or one of their texts, and creates those that are missing with the number as text.
 * @param mayCreate whether the caller may change catalogs; `find` when this transaction may not
 * @returns the keys, and whether a catalog has changed
 * @throws IncompletePlan an entry is missing that this transaction may not create
 */
export async function resolveCatalogs(
  session: WriteSession,
  configuration: Configuration,
  texts: CatalogTexts,
  described: readonly FileCatalogEntry[],
  mayCreate: boolean | 'find',
): Promise<{ keys: CatalogKeys; isChanged: boolean }> {
  const keys = new CatalogKeys();
  let isChanged = false;
  const used = [...texts].filter(([, wanted]) => wanted.size > 0);
  const uuidOf = (attribute: number) => configuration.definitions.get(attribute)?.catalog ?? '';
  const catalogs = new Map((await readCatalogs(session, [...new Set(used.map(([key]) => uuidOf(key)))])).map((one) => [one.uuid, one]));
  for (const [attribute, wanted] of used) {
    const catalog = catalogs.get(uuidOf(attribute));
    if (!catalog) continue;
    const known: CatalogEntry[] = [...catalog.catalogEntries];
    const taken = new Set(configuration.entryKeys.get(catalog.uuid) ?? known.map(({ key }) => key));
    const created: CatalogEntry[] = [];
    let next = 1;
    for (const text of wanted) {
      const entry = describedAs(attribute, text, described);
      const found = known.find(({ attributes }) => Object.values(attributes).some((one) => one === text || one === entry?.number));
      const byKey = known.find(({ key }) => String(key) === text);
      if (found ?? byKey) {
        keys.put(attribute, text, (found ?? byKey)?.key as number);
        continue;
      }
      while (taken.has(next)) next += 1;
      if (mayCreate === false || next > MAX_ENTRY_KEY) continue;
      const attributes = newEntry(text, entry?.attributes ?? {}, catalog.validAttributes, configuration);
      if (Object.keys(attributes).length === 0) continue;
      if (mayCreate === 'find') throw new IncompletePlan();
      taken.add(next);
      created.push({ key: next, attributes });
      known.push({ key: next, attributes });
      keys.put(attribute, text, next);
    }
    if (created.length > 0) await new CatalogStore(session).insertEntries(catalog.uuid, created);
    catalogs.set(catalog.uuid, { ...catalog, catalogEntries: known });
    isChanged ||= created.length > 0;
  }
  return { keys, isChanged };
}

interface DescribedEntry {
  number: string | undefined;
  attributes: Readonly<Record<string, string>>;
}

/** The fields of the file for an entry: its number has the key that ends with 2. */
function describedAs(attribute: number, text: string, described: readonly FileCatalogEntry[]): DescribedEntry | undefined {
  const entry = described.find((one) => one.attribute === attribute && one.number === text);
  if (!entry) return undefined;
  const numberKey = Object.keys(entry.attributes).find((key) => key.endsWith('2'));
  return { number: numberKey === undefined ? undefined : entry.attributes[numberKey], attributes: entry.attributes };
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
