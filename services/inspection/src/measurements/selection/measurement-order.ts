import type { OrderCriterion } from '@sinebar/query-language';
import { ruleOf } from '../../configuration/attribute-values.js';
import { TIME_KEY, type Configuration } from '../../configuration/configuration.js';
import { formOf } from '../../shared/search-sql.js';

/** An order as SQL. It is total: ties go by number, newest first. */
export interface MeasurementOrder {
  /** For ORDER BY where the measurement is `m`. */
  ofRows: string;
  /** To be selected behind `m.id`, with a comma in front; empty when nothing is ordered by. */
  selected: string;
  /** For ORDER BY of what was selected, under the name of that row. */
  ofPicked: (row: string) => string;
  /** Whether it is the time alone. */
  isByTime: boolean;
  /** Whether an index has it: newest time first, or last modified first or last. */
  isOfIndex: boolean;
  /** Whether it is the time alone, oldest first. */
  isOldestFirst: boolean;
}

/**
 * Values compare by the type of their attribute, as in searches; missing ones come last, whatever the direction. Attributes that are not defined for
 * measurements are missing everywhere.
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
    ofRows: [...terms.map(({ expression, direction }) => `${expression} ${direction}`), 'm.id DESC'].join(', '),
    selected: terms.map(({ expression }, i) => `, ${expression} AS o${i}`).join(''),
    ofPicked: (row) => [...terms.map(({ direction }, i) => `${row}.o${i} ${direction}`), `${row}.id DESC`].join(', '),
    isByTime,
    isOfIndex: (isByTime && !isOldestFirst) || only?.expression === MODIFICATION_COLUMN,
    isOldestFirst,
  };
}

const TIME_COLUMN = 'm.measured_at';
const MODIFICATION_COLUMN = 'm.last_modified';

function orderedBy({ field }: OrderCriterion, configuration: Configuration, caseSensitive: boolean): string | undefined {
  if (field.kind === 'LastModified') return MODIFICATION_COLUMN;
  if (field.kind === 'Created') return 'm.created';
  const type = ruleOf(configuration, 'measurement', field.key)?.type;
  if (type === undefined) return undefined;
  if (field.key === TIME_KEY && type === 'DateTime') return TIME_COLUMN;
  return formOf(type, `(m.attributes ->> '${field.key}')`, caseSensitive).stored;
}

/** Columns that are never NULL go without NULLS LAST, which would keep a plain index from being read backwards. */
function directionOf({ field, direction }: OrderCriterion): string {
  return field.kind === 'attribute' ? `${direction.toUpperCase()} NULLS LAST` : direction.toUpperCase();
}
