import { columnsOf, knex, sql, type Knex, type Session, type WriteSession } from '@sinebar/database';
import { Turns } from '../../shared/turns.ts';

export interface CatalogEntry {
  key: number;
  attributes: Readonly<Record<string, string>>;
}

export interface Catalog {
  uuid: string;
  name: string;
  /** Keys in the order of the client. */
  validAttributes: readonly number[];
}

export interface CatalogWithEntries extends Catalog {
  /** Entries in ascending order of their keys. */
  catalogEntries: readonly CatalogEntry[];
}

interface CatalogRow {
  uuid: string;
  name: string;
  valid_attributes: number[];
}

/** All catalogs, or those with the given uuids, in the order of their creation. */
export async function findCatalogs(session: Session, uuids?: readonly string[]): Promise<Catalog[]> {
  const catalogs = knex('catalog').select('uuid', 'name', 'valid_attributes').where(among('uuid', uuids)).orderBy('position');
  const rows = await session.query<CatalogRow>(sql`${catalogs}`);
  return rows.map(({ uuid, name, valid_attributes: validAttributes }) => ({ uuid, name, validAttributes }));
}

/** Reads catalogs with their entries, without the values of deleted attributes. */
export async function readCatalogs(session: Session, uuids?: readonly string[]): Promise<CatalogWithEntries[]> {
  const catalogs = await findCatalogs(session, uuids);
  const selected = knex('catalog_entry').select('catalog', 'key', 'attributes').where(among('catalog', uuids)).orderBy(['catalog', 'key']);
  const rows = await session.query<CatalogEntry & { catalog: string }>(sql`${selected}`);
  const entries = new Map<string, CatalogEntry[]>(catalogs.map(({ uuid }) => [uuid, []]));
  const valid = new Map(catalogs.map(({ uuid, validAttributes }) => [uuid, new Set(validAttributes.map(String))]));
  const turns = new Turns();
  for (const { catalog, key, attributes } of rows) {
    if (turns.isOver) await turns.pass();
    // A deleted attribute is no longer valid at once; a background job removes its values later.
    const shown = Object.entries(attributes).filter(([attribute]) => valid.get(catalog)?.has(attribute));
    entries.get(catalog)?.push({ key, attributes: Object.fromEntries(shown) });
  }
  return catalogs.map((catalog) => ({ ...catalog, catalogEntries: entries.get(catalog.uuid) ?? [] }));
}

/** Statements on catalogs inside one transaction that changes them under the plan lock. */
export class CatalogStore {
  private readonly session: WriteSession;

  constructor(session: WriteSession) {
    this.session = session;
  }

  /** Creates catalogs; replaces name and valid attributes of those that exist. */
  async put(catalogs: readonly Catalog[]): Promise<void> {
    await this.session.query(
      `INSERT INTO catalog (uuid, name, valid_attributes)
       SELECT uuid, name, ARRAY(SELECT jsonb_array_elements_text(valid_attributes)::int)
       FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS catalog (uuid, name, valid_attributes, position) ORDER BY position
       ON CONFLICT (uuid) DO UPDATE SET name = EXCLUDED.name, valid_attributes = EXCLUDED.valid_attributes`,
      [...columnsOf(catalogs, 'uuid', 'name'), catalogs.map(({ validAttributes }) => JSON.stringify(validAttributes))],
    );
  }

  async insertEntries(catalog: string, entries: readonly CatalogEntry[]): Promise<void> {
    await this.session.query(
      `INSERT INTO catalog_entry (catalog, key, attributes)
       SELECT $1, key, attributes FROM unnest($2::int[], $3::jsonb[]) AS entry (key, attributes)`,
      [catalog, entries.map(({ key }) => key), entries.map(({ attributes }) => JSON.stringify(attributes))],
    );
  }

  /** @param keys all entries when left out */
  async deleteEntries(catalog: string, keys?: readonly number[]): Promise<void> {
    await this.session.query(sql`${knex('catalog_entry').where({ catalog }).where(among('key', keys)).delete()}`);
  }

  async delete(uuids: readonly string[]): Promise<void> {
    await this.session.query('DELETE FROM catalog WHERE uuid = ANY($1)', [uuids]);
  }
}

/** Condition that the column has one of the values, in one parameter; no condition when they are left out. */
function among(column: string, values?: readonly string[] | readonly number[]): Knex.Raw {
  return values ? knex.raw('?? = ANY(?)', [column, values.slice()]) : knex.raw('TRUE');
}
