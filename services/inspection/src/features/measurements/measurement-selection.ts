import { rangeEnd, readableCondition, type ReadableParts } from '@sinebar/access-control';
import type { OrderCriterion, SearchCondition } from '@sinebar/query-language';
import { ruleOf } from '../attributes/attribute-values.js';
import type { Configuration } from '../configuration/configuration.js';
import type { Statement } from '../plan/plan-query.js';
import { formOf } from '../search/search-sql.js';
import { measurementOrder, type MeasurementOrder } from './measurement-order.js';
import { measurementSearch } from './measurement-search.js';

/** Which kinds of measurements: those with attribute 99 are aggregations (spec: decisions.md 5.5). */
export type MeasurementKinds = 'measurements' | 'aggregations' | 'all';

/** Measurements of several parts are joined by the value of one attribute (spec: inspection-service.md, Measurements, Merge rules). */
export interface MeasurementMerge {
  attribute: number;
  /** In how many of the parts a value must occur. */
  condition: 'none' | 'atLeastTwoParts' | 'allParts';
  /** Only values that occur on measurements of this part. */
  masterPart?: string | undefined;
}

/** Which measurements a request means; every restriction that is given must hold. */
export interface MeasurementSelection {
  measurementUuids?: readonly string[] | undefined;
  partUuids?: readonly string[] | undefined;
  /** Stored path. */
  partPath?: string | undefined;
  /** Also the parts below those that are named. */
  deep: boolean;
  search?: SearchCondition | undefined;
  caseSensitive: boolean;
  /** Modified then or later, as `toPostgresTimestamp` gives it. */
  fromModificationDate?: string | undefined;
  /** Modified before, as `toPostgresTimestamp` gives it. */
  toModificationDate?: string | undefined;
  aggregation: MeasurementKinds;
  order: readonly OrderCriterion[];
  /** At most so many, the first ones in the order; with `merge` so many values of its attribute. */
  limit?: number | undefined;
  limitPerPart?: number | undefined;
  merge?: MeasurementMerge | undefined;
}

/** Up to so many parts the first measurements of each are taken from the index before they are put in order. */
const FEW_PARTS = 200;

/**
 * The statement that yields the selected measurements as `m`, with their parts as `p`, in the wanted order.
 * @param columns the select list
 * @throws ServiceError 400 where a search condition does not fit the type of its attribute
 */
export function selectionStatement(
  selection: MeasurementSelection,
  readable: ReadableParts,
  configuration: Configuration,
  columns: string,
): Statement {
  const values: unknown[] = [];
  const writer = new SelectionWriter(selection, readable, configuration, (value) => `$${values.push(value)}`);
  return { text: writer.statement(columns), values };
}

class SelectionWriter {
  private readonly selection: MeasurementSelection;
  private readonly readable: ReadableParts;
  private readonly configuration: Configuration;
  private readonly bind: (value: unknown) => string;
  private readonly order: MeasurementOrder;

  constructor(selection: MeasurementSelection, readable: ReadableParts, configuration: Configuration, bind: (value: unknown) => string) {
    this.selection = selection;
    this.readable = readable;
    this.configuration = configuration;
    this.bind = bind;
    this.order = measurementOrder(selection.order, configuration, selection.caseSensitive);
  }

  statement(columns: string): string {
    const { merge, limit, limitPerPart } = this.selection;
    if (!merge && limit === undefined && limitPerPart === undefined) {
      return `SELECT ${columns} FROM ${ROWS} WHERE ${this.parts()} AND ${this.rows()} ORDER BY ${this.order.ofRows}`;
    }
    // Nothing but numbers and what is sorted by goes through the sort: values are read for the chosen rows only.
    return `SELECT ${columns} FROM (${this.picked()}) picked JOIN measurement m ON m.id = picked.id JOIN plan_item p ON p.id = m.part_id
      ORDER BY ${this.order.ofPicked('picked')}`;
  }

  private picked(): string {
    const { merge, limit, limitPerPart } = this.selection;
    if (merge) return this.merged(merge);
    if (limitPerPart !== undefined || this.isOfFewParts()) return this.firstOfEachPart();
    if (limit !== undefined && this.order.isOldestFirst) return this.oldest(limit);
    return `SELECT m.id ${this.order.selected} FROM ${ROWS} WHERE ${this.parts()} AND ${this.rows()} ORDER BY ${this.order.ofRows} ${this.limited()}`;
  }

  /** The index on part and time gives the first ones of each part without reading the others. */
  private firstOfEachPart(): string {
    const { limit, limitPerPart } = this.selection;
    const each = this.bind(Math.min(limit ?? Infinity, limitPerPart ?? Infinity));
    return `SELECT first.* FROM (SELECT p.id FROM plan_item p WHERE p.kind = 'part' AND ${this.parts()}) part CROSS JOIN LATERAL (
        SELECT m.id ${this.order.selected} FROM measurement m WHERE m.part_id = part.id AND ${this.rows()} ORDER BY ${this.order.ofRows} LIMIT ${each}::bigint
      ) first ORDER BY ${this.order.ofPicked('first')} ${this.limited()}`;
  }

  /** An index has the times that are missing at the other end: two branches, so that neither has to be sorted as a whole. */
  private oldest(limit: number): string {
    const most = this.bind(limit);
    const conditions = `${this.parts()} AND ${this.rows()}`;
    const branch = (time: string, order: string) =>
      `(SELECT m.id ${this.order.selected} FROM ${ROWS} WHERE m.measured_at IS ${time} AND ${conditions} ORDER BY ${order} LIMIT ${most}::bigint)`;
    const timed = branch('NOT NULL', 'm.measured_at ASC NULLS FIRST, m.id DESC');
    return `SELECT * FROM (${timed} UNION ALL ${branch('NULL', 'm.measured_at DESC NULLS LAST, m.id DESC')}) either
      ORDER BY ${this.order.ofPicked('either')} LIMIT ${most}::bigint`;
  }

  /** spec: inspection-service.md, Measurements, Merge rules 2 to 4 */
  private merged({ attribute, condition, masterPart }: MeasurementMerge): string {
    const { limit, limitPerPart, partUuids = [] } = this.selection;
    const type = ruleOf(this.configuration, 'measurement', attribute)?.type;
    const value = type === undefined ? 'NULL::text' : formOf(type, `(m.attributes ->> '${attribute}')`, true).stored;
    const needed = { none: 0, atLeastTwoParts: 2, allParts: partUuids.length }[condition];
    // The master part gives values also where its own measurements are not wanted.
    const parts =
      masterPart === undefined ? this.parts() : `(${this.parts()} OR (p.uuid = ${this.bind(masterPart)} AND ${this.visible()}))`;
    const kept = [
      'wanted',
      needed > 0 &&
        `value IN (SELECT value FROM candidate WHERE part_uuid = ANY(${this.bind(partUuids)}::uuid[]) GROUP BY value HAVING count(DISTINCT part_uuid) >= ${this.bind(needed)}::int)`,
      masterPart !== undefined && `value IN (SELECT value FROM candidate WHERE part_uuid = ${this.bind(masterPart)}::uuid)`,
    ];
    const order = this.order.ofPicked('c');
    return `
      WITH candidate AS MATERIALIZED (
        SELECT m.id, p.uuid AS part_uuid, ${this.named()} AS wanted, ${value} AS value ${this.order.selected} FROM ${ROWS} WHERE ${parts} AND ${this.rows()}
      ), placed AS (
        SELECT c.*, row_number() OVER (ORDER BY ${order}) AS place, row_number() OVER (PARTITION BY c.part_uuid ORDER BY ${order}) AS place_in_part
        FROM candidate c WHERE ${kept.filter((text) => text !== false).join(' AND ')}
      ), grouped AS (
        SELECT placed.*, min(place) OVER (PARTITION BY value) AS first_place FROM placed
        WHERE ${limitPerPart === undefined ? 'TRUE' : `place_in_part <= ${this.bind(limitPerPart)}::bigint`}
      ), counted AS (
        SELECT grouped.*, dense_rank() OVER (ORDER BY first_place) AS value_place FROM grouped
      ) SELECT * FROM counted WHERE ${limit === undefined ? 'TRUE' : `value_place <= ${this.bind(limit)}::bigint`}`;
  }

  /** Conditions on `p`. */
  private parts(): string {
    return `${this.named()} AND ${this.visible()}`;
  }

  private named(): string {
    const { partUuids, partPath, deep } = this.selection;
    const conditions = ['TRUE'];
    if (partUuids) {
      const uuids = `${this.bind(partUuids)}::uuid[]`;
      conditions.push(
        deep
          ? `p.id IN (SELECT below.id FROM plan_item top JOIN plan_item below ON below.path >= top.path
              AND below.path < (CASE WHEN top.path = '' THEN 'q' ELSE left(top.path, -1) || '0' END) COLLATE "C"
              WHERE top.uuid = ANY(${uuids}) AND top.kind = 'part' AND below.kind = 'part')`
          : `p.uuid = ANY(${uuids})`,
      );
    }
    if (partPath !== undefined && !deep) conditions.push(`p.path = ${this.bind(partPath)}`);
    if (partPath !== undefined && partPath !== '' && deep) {
      conditions.push(`p.path >= ${this.bind(partPath)} AND p.path < ${this.bind(rangeEnd(partPath))}`);
    }
    return `(${conditions.join(' AND ')})`;
  }

  private visible(): string {
    // Placeholders have to be numbered from where they stand, so the fragment is written with marks that are then bound.
    const { sql, values } = readableCondition(this.readable, 'p.path', 1);
    return sql.replace(/\$(\d+)/g, (_, place: string) => this.bind(values[Number(place) - 1]));
  }

  /** Conditions on `m`. */
  private rows(): string {
    const { measurementUuids, aggregation, fromModificationDate, toModificationDate, search, caseSensitive } = this.selection;
    const conditions = ['TRUE'];
    if (measurementUuids) conditions.push(`m.uuid = ANY(${this.bind(measurementUuids)}::uuid[])`);
    if (aggregation !== 'all') conditions.push(aggregation === 'aggregations' ? 'm.aggregation' : 'NOT m.aggregation');
    if (fromModificationDate !== undefined) conditions.push(`m.last_modified >= ${this.bind(fromModificationDate)}::timestamptz`);
    if (toModificationDate !== undefined) conditions.push(`m.last_modified < ${this.bind(toModificationDate)}::timestamptz`);
    if (search) conditions.push(measurementSearch(search, this.configuration, caseSensitive, this.bind));
    return conditions.join(' AND ');
  }

  private limited(): string {
    const { limit } = this.selection;
    return limit === undefined ? '' : `LIMIT ${this.bind(limit)}::bigint`;
  }

  private isOfFewParts(): boolean {
    const { partUuids, partPath, deep } = this.selection;
    return !deep && (partPath !== undefined || (partUuids !== undefined && partUuids.length <= FEW_PARTS));
  }
}

const ROWS = 'measurement m JOIN plan_item p ON p.id = m.part_id';
