import type { PathScope } from '@sinebar/access-control';
import type { OrderCriterion, SearchCondition } from '@sinebar/query-language';
import { ruleOf } from '../../configuration/attribute-values.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { joinSql, NO_SQL, pathCondition, rawSql, sql, type Sql } from '@sinebar/database';
import { formOf } from '../../shared/search-sql.ts';
import { measurementOrder, type MeasurementOrder } from './measurement-order.ts';
import { measurementSearch, searchesTimeOnly } from './measurement-search.ts';
import { namedParts, partsOf, type PartRestriction } from './selected-parts.ts';

/** Kinds of measurements; those with attribute 99 are aggregations (spec: decisions.md 5.5). */
export type MeasurementKinds = 'measurements' | 'aggregations' | 'all';

/** Joins measurements of several parts by the value of one attribute (spec: inspection-service.md, Measurements, Merge rules). */
export interface MeasurementMerge {
  attribute: number;
  /** Number of parts in which a value must occur. */
  condition: 'none' | 'atLeastTwoParts' | 'allParts';
  /** Uuid of a part; only values of its measurements count. */
  masterPart?: string | undefined;
}

/** Restrictions of a request; a measurement is selected when it meets all that are given. */
export interface MeasurementSelection extends PartRestriction {
  measurementUuids?: readonly string[] | undefined;
  search?: SearchCondition | undefined;
  caseSensitive: boolean;
  /** Earliest modification time (inclusive), in the form of `toPostgresTimestamp`. */
  fromModificationDate?: string | undefined;
  /** Latest modification time (exclusive), in the form of `toPostgresTimestamp`. */
  toModificationDate?: string | undefined;
  aggregation: MeasurementKinds;
  order: readonly OrderCriterion[];
  /** Most measurements, the first ones in the order; with `merge` the most values of its attribute. */
  limit?: number | undefined;
  limitPerPart?: number | undefined;
  merge?: MeasurementMerge | undefined;
}

/** Most rows that are read part by part through the index on part and time; for more, PostgreSQL chooses the index. */
const MAX_ROWS_BY_PART = 5000;

/** Knowledge about a selection that makes its statement faster. */
export interface SelectionHints {
  /** All readable parts of the selection (see `findSelectedParts`); without them the statement itself finds the parts. */
  partIds?: readonly number[] | undefined;
  /** Whether the columns are many times larger than the sort keys. */
  areColumnsLarge?: boolean;
  /** Whether no column is one of the part, so that with `partIds` the join with it is left out. */
  areColumnsOfMeasurement?: boolean;
}

/**
 * Builds the statement that yields the selected measurements as `m`, with their parts as `p`, in the requested order.
 * @param columns the select list
 * @throws ServiceError 400 where a search condition does not fit the type of its attribute
 */
export function selectionStatement(
  selection: MeasurementSelection,
  readable: PathScope,
  configuration: Configuration,
  columns: string | Sql,
  hints: SelectionHints = {},
): Sql {
  const list = typeof columns === 'string' ? rawSql(columns) : columns;
  return new SelectionWriter(selection, readable, configuration, hints).statement(list);
}

/**
 * Builds the condition on `m` that the selected measurements meet, whatever their part; order, limits and merging have no effect.
 * @throws ServiceError 400 where a search condition does not fit the type of its attribute
 */
export function selectionCondition(selection: MeasurementSelection, readable: PathScope, configuration: Configuration): Sql {
  return new SelectionWriter(selection, readable, configuration, {}).rows();
}

/**
 * Builds the statement that counts the selected measurements, as `count`; order, limits and merging have no effect.
 * @param partIds all readable parts of the selection (see `findSelectedParts`)
 */
export function countStatement(
  selection: MeasurementSelection,
  readable: PathScope,
  configuration: Configuration,
  partIds: readonly number[] | undefined,
): Sql {
  return new SelectionWriter(selection, readable, configuration, { partIds }).count();
}

/** Whether indexes alone answer how many measurements of all kinds are selected. */
export function isCountedByIndex({ measurementUuids, search }: MeasurementSelection): boolean {
  return measurementUuids === undefined && (search === undefined || searchesTimeOnly(search));
}

class SelectionWriter {
  private readonly selection: MeasurementSelection;
  private readonly readable: PathScope;
  private readonly configuration: Configuration;
  private readonly partIds: readonly number[] | undefined;
  private readonly areColumnsLarge: boolean;
  private readonly areColumnsOfMeasurement: boolean;
  private readonly order: MeasurementOrder;

  constructor(
    selection: MeasurementSelection,
    readable: PathScope,
    configuration: Configuration,
    { partIds, areColumnsLarge = false, areColumnsOfMeasurement = false }: SelectionHints,
  ) {
    this.selection = selection;
    this.readable = readable;
    this.configuration = configuration;
    this.partIds = partIds;
    this.areColumnsLarge = areColumnsLarge;
    this.areColumnsOfMeasurement = areColumnsOfMeasurement;
    this.order = measurementOrder(selection.order, configuration, selection.caseSensitive);
  }

  statement(columns: Sql): Sql {
    const { merge, limit, limitPerPart } = this.selection;
    if (!merge && limit === undefined && limitPerPart === undefined) {
      return this.areColumnsLarge && !this.order.isOfIndex ? this.allOneByOne(columns) : this.all(columns);
    }
    // Sorts ids and sort keys only; the other columns are read for the chosen rows.
    return sql`SELECT ${columns} FROM (${this.picked()}) picked JOIN measurement m ON m.id = picked.id JOIN plan_item p ON p.id = m.part_id
      ORDER BY ${this.order.ofPicked('picked')}`;
  }

  count(): Sql {
    const parts = this.parts();
    // A condition without values is that of all parts: the join would only take time.
    const source = parts.bindings.length === 0 ? sql`measurement m` : this.source;
    return sql`SELECT count(*)::float8 AS count FROM ${source} WHERE ${parts} AND ${this.rows()}`;
  }

  private all(columns: Sql): Sql {
    const source = this.areColumnsOfMeasurement ? this.source : ROWS;
    return sql`SELECT ${columns} FROM ${source} WHERE ${this.parts()} AND ${this.rows()} ORDER BY ${this.order.ofRows}`;
  }

  /**
   * Reads each measurement after the sort, because large columns in the sort would spill to disk.
   * The LIMIT in the lateral query keeps PostgreSQL from another kind of join, whose result it would have to sort.
   */
  private allOneByOne(columns: Sql): Sql {
    const { selected, ofRows, ofPicked } = this.order;
    const sorted = sql`SELECT m.id ${selected} FROM ${this.source} WHERE ${this.parts()} AND ${this.rows()} ORDER BY ${ofRows}`;
    return sql`SELECT found.* FROM (${sorted}) sorted CROSS JOIN LATERAL (
        SELECT ${columns} FROM ${ROWS} WHERE m.id = sorted.id LIMIT 1) found
      ORDER BY ${ofPicked('sorted')}`;
  }

  private picked(): Sql {
    const { merge, limit, limitPerPart } = this.selection;
    if (merge) return this.merged(merge);
    const selected = (most: number) => this.first(this.source, sql`${this.parts()} AND ${this.rows()}`, most);
    // PostgreSQL knows the number of measurements of a single part; for a list it assumes the average for each part.
    if (this.partIds?.length === 1 && this.order.isByTime) return selected(Math.min(limit ?? Infinity, limitPerPart ?? Infinity));
    if (limit === undefined || limitPerPart !== undefined || this.isQuickByPart(limit)) return this.firstOfEachPart();
    return selected(limit);
  }

  /** Selects the first rows in the order. */
  private first(source: Sql, conditions: Sql, limit: number): Sql {
    const most = limitOf(limit);
    const rows = (and: Sql, order: Sql) =>
      sql`SELECT m.id ${this.order.selected} FROM ${source} WHERE ${conditions} ${and} ORDER BY ${order} ${most}`;
    if (!this.order.isOldestFirst) return rows(NO_SQL, this.order.ofRows);
    // The index has missing times at the wrong end. Two branches avoid a sort of all rows.
    const timed = rows(sql`AND m.measured_at IS NOT NULL`, sql`m.measured_at ASC NULLS FIRST, m.id DESC`);
    const others = rows(sql`AND m.measured_at IS NULL`, sql`m.measured_at DESC NULLS LAST, m.id DESC`);
    return sql`SELECT * FROM ((${timed}) UNION ALL (${others})) either ORDER BY ${this.order.ofPicked('either')} ${most}`;
  }

  /** Selects the first rows of each part, through the index on part and time where possible. */
  private firstOfEachPart(): Sql {
    const { limit, limitPerPart } = this.selection;
    const each = Math.min(limit ?? Infinity, limitPerPart ?? Infinity);
    const ofPart = sql`m.part_id = part.id AND ${this.rows()}`;
    // Other orders read all rows of a part. OFFSET 0 keeps PostgreSQL from scanning an index on that order once for each part.
    const rows = this.order.isByTime
      ? this.first(sql`measurement m`, ofPart, each)
      : this.first(sql`(SELECT m.* FROM measurement m WHERE ${ofPart} OFFSET 0) m`, sql`TRUE`, each);
    const part = this.partIds
      ? sql`unnest(${this.partIds}::int[]) AS part (id)`
      : sql`(SELECT p.id FROM plan_item p WHERE p.kind = 'part' AND ${this.parts()}) part`;
    return sql`SELECT first.* FROM ${part} CROSS JOIN LATERAL (${rows}) first ORDER BY ${this.order.ofPicked('first')} ${limitOf(limit)}`;
  }

  /** spec: inspection-service.md, Measurements, Merge rules 2 to 4 */
  private merged({ attribute, condition, masterPart }: MeasurementMerge): Sql {
    const { limit, limitPerPart, partUuids = [] } = this.selection;
    const type = ruleOf(this.configuration, 'measurement', attribute)?.type;
    const value = type === undefined ? sql`NULL::text` : formOf(type, rawSql(`(m.attributes ->> '${attribute}')`), true).stored;
    const needed = { none: 0, atLeastTwoParts: 2, allParts: partUuids.length }[condition];
    const named = namedParts(this.selection);
    // The master part provides values even if its own measurements are not selected.
    const parts = masterPart === undefined ? named : sql`${named} OR p.uuid = ${masterPart}`;
    const kept = [sql`wanted`];
    if (needed > 0) {
      kept.push(sql`value IN (
        SELECT value FROM candidate WHERE part_uuid = ANY(${partUuids}::uuid[])
        GROUP BY value HAVING count(DISTINCT part_uuid) >= ${needed}::int)`);
    }
    if (masterPart !== undefined) kept.push(sql`value IN (SELECT value FROM candidate WHERE part_uuid = ${masterPart}::uuid)`);
    const order = this.order.ofPicked('c');
    return sql`
      WITH candidate AS MATERIALIZED (
        SELECT m.id, p.uuid AS part_uuid, ${named} AS wanted, ${value} AS value ${this.order.selected} FROM ${ROWS}
        WHERE (${parts}) AND ${pathCondition(this.readable, 'p.path')} AND ${this.rows()}
      ), ranked AS (
        SELECT c.*, row_number() OVER (ORDER BY ${order}) AS position,
          row_number() OVER (PARTITION BY c.part_uuid ORDER BY ${order}) AS position_in_part
        FROM candidate c WHERE ${joinSql(kept, ' AND ')}
      ), grouped AS (
        SELECT ranked.*, min(position) OVER (PARTITION BY value) AS first_position FROM ranked
        WHERE ${limitPerPart === undefined ? sql`TRUE` : sql`position_in_part <= ${limitPerPart}::bigint`}
      ), counted AS (
        SELECT grouped.*, dense_rank() OVER (ORDER BY first_position) AS value_position FROM grouped
      ) SELECT * FROM counted WHERE ${limit === undefined ? sql`TRUE` : sql`value_position <= ${limit}::bigint`}`;
  }

  /** FROM clause for {@link parts} and {@link rows}. */
  private get source(): Sql {
    return this.partIds ? sql`measurement m` : ROWS;
  }

  /** Condition on the selected parts that the caller may read. */
  private parts(): Sql {
    // For equality with one part the index yields rows ordered by time; for a list, even of one part, it does not.
    if (this.partIds?.length === 1) return sql`m.part_id = ${this.partIds[0]}::int`;
    if (this.partIds) return sql`m.part_id = ANY(${this.partIds}::int[])`;
    return partsOf(this.selection, this.readable);
  }

  /** Conditions on `m`. */
  rows(): Sql {
    const { measurementUuids, aggregation, fromModificationDate, toModificationDate, search, caseSensitive } = this.selection;
    const conditions = [sql`TRUE`];
    if (measurementUuids) conditions.push(sql`m.uuid = ANY(${measurementUuids}::uuid[])`);
    if (aggregation !== 'all') conditions.push(aggregation === 'aggregations' ? sql`m.aggregation` : sql`NOT m.aggregation`);
    if (fromModificationDate !== undefined) conditions.push(sql`m.last_modified >= ${fromModificationDate}::timestamptz`);
    if (toModificationDate !== undefined) conditions.push(sql`m.last_modified < ${toModificationDate}::timestamptz`);
    if (search) conditions.push(measurementSearch(search, this.configuration, caseSensitive));
    return joinSql(conditions, ' AND ');
  }

  /** Whether reading the first rows of each part by time is fast: few parts, and no condition that another index serves better. */
  private isQuickByPart(limit: number): boolean {
    const { measurementUuids, search, fromModificationDate, toModificationDate } = this.selection;
    const hasBetterIndex =
      measurementUuids !== undefined ||
      fromModificationDate !== undefined ||
      toModificationDate !== undefined ||
      (search && !searchesTimeOnly(search));
    return this.partIds !== undefined && this.order.isByTime && !hasBetterIndex && this.partIds.length * limit <= MAX_ROWS_BY_PART;
  }
}

const ROWS = sql`measurement m JOIN plan_item p ON p.id = m.part_id`;

function limitOf(most: number | undefined): Sql {
  return most === undefined ? NO_SQL : sql`LIMIT ${most}::bigint`;
}
