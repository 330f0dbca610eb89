import { joinSql, rawSql, sql, type Sql } from '@sinebar/database';
import type { OrderCriterion } from '@sinebar/query-language';
import { ruleOf } from '../../configuration/attribute-values.ts';
import { TIME_KEY, type Configuration } from '../../configuration/configuration.ts';
import { formOf } from '../../shared/search-sql.ts';

/** An order as SQL. It is total: ties are ordered by id, newest first. */
export interface MeasurementOrder {
  /** ORDER BY terms on the measurement `m`. */
  ofRows: Sql;
  /** Sort columns to select after `m.id`, with a leading comma; empty without criteria. */
  selected: Sql;
  /** ORDER BY terms on the selected sort columns of the given row. */
  ofPicked: (row: string) => Sql;
  /** Whether the only criterion is the time. */
  isByTime: boolean;
  /** Whether an index provides it: newest time first, or modification time in either direction. */
  isOfIndex: boolean;
  /** Whether the only criterion is the time, oldest first. */
  isOldestFirst: boolean;
}

/**
 * Compiles order criteria to SQL. Values compare by the type of their attribute, as in searches.
 * Missing values come last in both directions; an attribute that is not defined for measurements is missing everywhere.
 * spec: decisions.md 5.8
 */
export function measurementOrder(
  criteria: readonly OrderCriterion[],
  configuration: Configuration,
  caseSensitive: boolean,
): MeasurementOrder {
  const terms = criteria.flatMap((criterion) => {
    const expression = orderedBy(criterion, configuration, caseSensitive);
    return expression === undefined ? [] : [{ expression, direction: directionOf(criterion) }];
  });
  const only = terms.length === 1 ? terms[0] : undefined;
  const isByTime = only?.expression === TIME_COLUMN;
  const isOldestFirst = isByTime && only.direction.startsWith('ASC');
  return {
    ofRows: joinSql([...terms.map(({ expression, direction }) => sql`${expression} ${rawSql(direction)}`), sql`m.id DESC`], ', '),
    selected: joinSql(
      terms.map(({ expression }, i) => sql`, ${expression} AS ${rawSql(`o${i}`)}`),
      '',
    ),
    ofPicked: (row) => rawSql([...terms.map(({ direction }, i) => `${row}.o${i} ${direction}`), `${row}.id DESC`].join(', ')),
    isByTime,
    isOfIndex: (isByTime && !isOldestFirst) || only?.expression === MODIFICATION_COLUMN,
    isOldestFirst,
  };
}

const TIME_COLUMN = sql`m.measured_at`;
const MODIFICATION_COLUMN = sql`m.last_modified`;

function orderedBy({ field }: OrderCriterion, configuration: Configuration, caseSensitive: boolean): Sql | undefined {
  if (field.kind === 'LastModified') return MODIFICATION_COLUMN;
  if (field.kind === 'Created') return sql`m.created`;
  const type = ruleOf(configuration, 'measurement', field.key)?.type;
  if (type === undefined) return undefined;
  if (field.key === TIME_KEY && type === 'DateTime') return TIME_COLUMN;
  return formOf(type, rawSql(`(m.attributes ->> '${field.key}')`), caseSensitive).stored;
}

/** Omits NULLS LAST for columns that are never NULL, because it would prevent a backward scan of a plain index. */
function directionOf({ field, direction }: OrderCriterion): string {
  return field.kind === 'attribute' ? `${direction.toUpperCase()} NULLS LAST` : direction.toUpperCase();
}
