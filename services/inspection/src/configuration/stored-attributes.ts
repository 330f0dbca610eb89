import { readRows, type WriteSession } from '@sinebar/database';
import { assessmentsOfParts, changesOfParts } from '../shared/figure-changes.ts';
import { TIME_KEY, type AttributeEntity } from './configuration.ts';

/** Access to one table where attribute values of an entity type are stored. */
export interface StoredAttributes {
  /** Yields the distinct current values of a key in batches. The session cannot run other statements meanwhile. */
  values(session: WriteSession, key: number): AsyncIterable<string[]>;
  /**
   * Removes the values of these keys from the next rows in the order of the primary key.
   * @param position end of the last call; `null` for the first rows
   * @param limit approximate number of rows to read
   * @returns the position at which the next call continues, `null` when no rows are left
   */
  removeKeys(session: WriteSession, keys: readonly number[], position: string | null, limit: number): Promise<string | null>;
  /** Removes the values of a catalog attribute that refer to these entries. spec: decisions.md 3.5 */
  removeReferences(session: WriteSession, key: number, entryKeys: readonly number[]): Promise<void>;
}

/** A table with the attributes of one entity type in a column `attributes jsonb`. */
interface AttributesTable {
  table: string;
  /** First column of the primary key, and its type. */
  position: string;
  positionType: 'int' | 'bigint' | 'uuid';
  condition: string;
  /** The expression whose terms are indexed, if it is not `attributes`. */
  searched?: string;
  /** Further assignments for a row from which the keys in `$3::text[]` are removed. */
  also?: string;
  /** Statement that runs before, with the same parameters. @param rows condition of the rows from which the keys are removed */
  before?: (rows: string) => string;
}

/** A measurement with this attribute is an aggregation measurement (spec: decisions.md 5.5). */
const AGGREGATION_KEY = 99;
const VALUES_PER_BATCH = 5000;
/** Search terms of one statement; each needs one look-up in the index. */
const TERMS_PER_STATEMENT = 500;

/** Earlier states of entities. They stay unchanged, except that values of deleted attributes are removed. */
class EarlierStates implements StoredAttributes {
  protected readonly rows: AttributesTable;

  constructor(rows: AttributesTable) {
    this.rows = rows;
  }

  async *values(_session: WriteSession, _key: number): AsyncGenerator<string[]> {
    // Yields nothing: earlier states may have values that the current definition does not allow.
  }

  async removeKeys(session: WriteSession, keys: readonly number[], position: string | null, limit: number): Promise<string | null> {
    const { table, position: column, positionType: type, condition, also = '', before } = this.rows;
    const behind = `($1::${type} IS NULL OR ${column} > $1::${type})`;
    const [end] = await session.query<{ position: string }>(
      `SELECT ${column}::text AS position FROM ${table} WHERE ${behind} ORDER BY ${column} OFFSET $2 LIMIT 1`,
      [position, limit - 1],
    );
    const rows = `${behind} AND ($2::${type} IS NULL OR ${column} <= $2::${type}) AND attributes ?| $3::text[] AND ${condition}`;
    const values = [position, end?.position ?? null, keys.map(String)];
    if (before) await session.query(before(rows), values);
    await session.query(`UPDATE ${table} SET attributes = attributes - $3::text[] ${also} WHERE ${rows}`, values);
    return end?.position ?? null;
  }

  removeReferences(_session: WriteSession, _key: number, _entryKeys: readonly number[]): Promise<void> {
    return Promise.resolve();
  }
}

/** Current states of entities. The table has an index on `attribute_terms` of its attributes. */
class CurrentStates extends EarlierStates {
  override async *values(session: WriteSession, key: number): AsyncGenerator<string[]> {
    const { table, condition } = this.rows;
    const text = `SELECT DISTINCT attributes ->> $1::text FROM ${table} WHERE attributes ? $1::text AND ${condition}`;
    for await (const rows of readRows(session, { text, values: [String(key)] }, { batchRows: VALUES_PER_BATCH })) {
      yield rows.flatMap(([value]) => (value == null ? [] : [value]));
    }
  }

  override async removeReferences(session: WriteSession, key: number, entryKeys: readonly number[]): Promise<void> {
    const { table, condition, searched = 'attributes' } = this.rows;
    const terms = entryKeys.map((entryKey) => `${key}=${entryKey}`);
    // The sub-select hides the terms from the planner, which would overestimate their rows and scan the whole table.
    for (let start = 0; start < terms.length; start += TERMS_PER_STATEMENT) {
      await session.query(
        `UPDATE ${table} SET attributes = attributes - $1::text WHERE attribute_terms(${searched}) && (SELECT $2::text[]) AND ${condition}`,
        [String(key), terms.slice(start, start + TERMS_PER_STATEMENT)],
      );
    }
  }
}

/**
 * Attributes of measured values except the measured value itself (key 1), which the deletion of its definition keeps (spec: decisions.md
 * 3.2).
 * A value whose last attribute is removed stays without attributes.
 */
class ValueExtras implements StoredAttributes {
  async *values(session: WriteSession, key: number): AsyncGenerator<string[]> {
    const text = `SELECT DISTINCT extra.value ->> $1::text FROM measurement CROSS JOIN LATERAL jsonb_each(extras) AS extra
      WHERE extras IS NOT NULL AND extra.value ? $1::text`;
    for await (const rows of readRows(session, { text, values: [String(key)] }, { batchRows: VALUES_PER_BATCH })) {
      yield rows.flatMap(([value]) => (value == null ? [] : [value]));
    }
  }

  async removeKeys(session: WriteSession, keys: readonly number[], position: string | null, limit: number): Promise<string | null> {
    const behind = 'extras IS NOT NULL AND ($1::bigint IS NULL OR id > $1::bigint)';
    const [end] = await session.query<{ position: string }>(
      `SELECT id::text AS position FROM measurement WHERE ${behind} ORDER BY id OFFSET $2 LIMIT 1`,
      [position, limit - 1],
    );
    await session.query(
      `UPDATE measurement SET extras = (SELECT jsonb_object_agg(extra.key, extra.value - $3::text[]) FROM jsonb_each(extras) AS extra)
       WHERE ${behind} AND ($2::bigint IS NULL OR id <= $2::bigint)
         AND EXISTS (SELECT FROM jsonb_each(extras) AS extra WHERE extra.value ?| $3::text[])`,
      [position, end?.position ?? null, keys.map(String)],
    );
    return end?.position ?? null;
  }

  async removeReferences(session: WriteSession, key: number, entryKeys: readonly number[]): Promise<void> {
    const refers = 'extra.value ->> $1::text = ANY($2::text[])';
    await session.query(
      `UPDATE measurement SET extras = (
         SELECT jsonb_object_agg(extra.key, CASE WHEN ${refers} THEN extra.value - $1::text ELSE extra.value END)
         FROM jsonb_each(extras) AS extra)
       WHERE extras IS NOT NULL AND EXISTS (SELECT FROM jsonb_each(extras) AS extra WHERE ${refers})`,
      [String(key), entryKeys.map(String)],
    );
  }
}

function planItems(kind: 'part' | 'characteristic'): StoredAttributes[] {
  return [
    new CurrentStates({
      table: 'plan_item',
      position: 'id',
      positionType: 'int',
      condition: `kind = '${kind}'`,
      // Limits of characteristics are attributes.
      ...(kind === 'characteristic' && { before: (rows) => assessmentsOfParts(`SELECT part_id FROM plan_item WHERE ${rows}`) }),
    }),
    new EarlierStates({
      table: 'plan_item_history',
      position: 'item_id',
      positionType: 'int',
      condition: `EXISTS (SELECT FROM plan_item WHERE id = item_id AND kind = '${kind}')`,
    }),
  ];
}

/**
 * All tables where values are stored, by entity type.
 * Append new tables to the end of their list: running removals refer to them by index (`attribute_purge.stage`).
 */
export const STORED_ATTRIBUTES: Readonly<Record<AttributeEntity, readonly StoredAttributes[]>> = {
  part: planItems('part'),
  characteristic: planItems('characteristic'),
  measurement: [
    new CurrentStates({
      table: 'measurement',
      position: 'id',
      positionType: 'bigint',
      condition: 'true',
      searched: `attributes - '${TIME_KEY}'`,
      also: `, aggregation = aggregation AND '${AGGREGATION_KEY}' <> ALL($3::text[])`,
      // Values of aggregations are not part of kept figures.
      before: (rows) =>
        changesOfParts(`SELECT DISTINCT part_id FROM measurement WHERE ${rows} AND aggregation AND '${AGGREGATION_KEY}' = ANY($3::text[])`),
    }),
  ],
  value: [new ValueExtras()],
  catalog: [new CurrentStates({ table: 'catalog_entry', position: 'catalog', positionType: 'uuid', condition: 'true' })],
};
