import { ServiceError } from '@sinebar/contracts';
import { rawSql, sql, type Sql } from '@sinebar/database';
import {
  checkCondition,
  compareDecimals,
  GrammarError,
  parseFloatText,
  type Condition,
  type ConditionOperator,
  type SearchCondition,
} from '@sinebar/query-language';
import { ruleOf } from '../../configuration/attribute-values.ts';
import { MEASURED_VALUE_KEY, TIME_KEY, type Configuration } from '../../configuration/configuration.ts';
import { allOf, comparison, formOf, timestampForm } from '../../shared/search-sql.ts';
import { refuseUnknownKeys } from '../../configuration/unknown-keys.ts';

/**
 * Compiles a search to a condition on the measurement `m`, equivalent to `matches` of the query language.
 * A condition on a value attribute holds when it holds for at least one characteristic that still exists.
 * @throws ServiceError 400 with the position of the mistake
 * spec: inspection-service.md, Search condition; decisions.md 1.5
 */
export function measurementSearch(search: SearchCondition, configuration: Configuration, caseSensitive: boolean): Sql {
  try {
    refuseUnknownKeys(search, configuration);
    return allOf(search.conditions.map((condition) => conditionOn(condition, configuration, caseSensitive)));
  } catch (error) {
    if (error instanceof GrammarError)
      throw new ServiceError('InvalidRequest', `Parameter searchCondition: ${error.message}`, { cause: error });
    throw error;
  }
}

export function searchesTimeOnly({ conditions }: SearchCondition): boolean {
  return conditions.every(({ field }) => field.kind === 'attribute' && field.key === TIME_KEY);
}

function conditionOn(condition: Condition, configuration: Configuration, caseSensitive: boolean): Sql {
  const { field } = condition;
  if (field.kind !== 'attribute') {
    const column = field.kind === 'Created' ? sql`m.created` : sql`m.last_modified`;
    return comparison(timestampForm(column), condition, checkCondition(condition, 'DateTime'));
  }
  const { key } = field;
  const type = ruleOf(configuration, 'measurement', key)?.type;
  if (type !== undefined) {
    const operands = checkCondition(condition, type);
    if (key === TIME_KEY && type === 'DateTime') return comparison(timestampForm(sql`m.measured_at`), condition, operands);
    const index = key === TIME_KEY ? undefined : { key, terms: rawSql(`attribute_terms(m.attributes - '${TIME_KEY}')`) };
    return comparison(formOf(type, rawSql(`(m.attributes ->> '${key}')`), caseSensitive), condition, operands, index);
  }
  const valueType = ruleOf(configuration, 'value', key)?.type;
  if (valueType === undefined) return sql`FALSE`;
  const operands = checkCondition(condition, valueType);
  if (key === MEASURED_VALUE_KEY) return measuredValueCondition(condition, operands);
  const form = formOf(valueType, rawSql(`(extra.value ->> '${key}')`), caseSensitive);
  return sql`m.extras IS NOT NULL AND EXISTS (SELECT FROM jsonb_each(m.extras) AS extra
    WHERE ${comparison(form, condition, operands)} AND EXISTS (SELECT FROM plan_item item WHERE item.id = extra.key::int))`;
}

/**
 * Compares the array as a whole where its numbers are exactly the texts as written and none belongs to a deleted characteristic.
 * Otherwise compares element by element, which is many times slower.
 */
function measuredValueCondition(condition: Condition, operands: readonly string[]): Sql {
  const text = rawSql(`coalesce(m.extras -> measured.id::text ->> '${MEASURED_VALUE_KEY}', measured.value::text)`);
  const each = sql`EXISTS (SELECT FROM characteristic_set s, unnest(s.characteristic_ids, m."values") AS measured(id, value)
    WHERE s.id = m.characteristic_set_id AND measured.value IS NOT NULL AND EXISTS (SELECT FROM plan_item item WHERE item.id = measured.id)
      AND ${comparison(formOf('Float', text, true), condition, operands)})`;
  const whole = wholeArrayCondition(condition.operator, operands);
  if (whole === undefined) return each;
  return sql`CASE WHEN m.characteristic_set_id IN (${SETS_WITH_DELETED}) OR position('\\xfe'::bytea IN m.digits) > 0
    THEN ${each} ELSE ${whole} END`;
}

/** Selects the sets that still have values of deleted characteristics. PostgreSQL runs it once for a statement. */
const SETS_WITH_DELETED = sql`SELECT s.id FROM characteristic_set s WHERE s.stale`;

const FLIPPED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=', '<>': '<>' } as const;

/** Compares the whole array; `undefined` where elements have to be compared one by one. */
function wholeArrayCondition(operator: ConditionOperator, operands: readonly string[]): Sql | undefined {
  if (operator === 'NotIn' || operator === 'Like') return undefined;
  if (operator === 'In') {
    const numbers = operands.filter((text) => side(text) === 0).map((text) => String(Number(text)));
    return sql`m."values" && (SELECT ${numbers}::float8[])`;
  }
  const text = operands[0] ?? '';
  const direction = side(text);
  if (direction !== 0 && operator === '=') return sql`FALSE`;
  if (direction !== 0 && operator === '<>') return sql`'-Infinity'::float8 < ANY(m."values")`;
  return sql`${String(Number(text))}::float8 ${rawSql(FLIPPED[adjusted(operator, direction)])} ANY(m."values")`;
}

/**
 * Adjusts an operator to an operand that was rounded to its float64. Stored values are the shortest texts of float64 numbers, so the
 * condition stays exact.
 */
function adjusted(operator: keyof typeof FLIPPED, direction: number): keyof typeof FLIPPED {
  if (operator === '<' && direction < 0) return '<=';
  if (operator === '<=' && direction > 0) return '<';
  if (operator === '>' && direction > 0) return '>=';
  if (operator === '>=' && direction < 0) return '>';
  return operator;
}

/** Compares the shortest text of the nearest float64 with the number itself: negative below, positive above, 0 equal. */
function side(text: string): number {
  const exact = parseFloatText(text);
  const nearest = Number(text);
  if (!exact) throw new TypeError(`not a number: ${text}`);
  if (!Number.isFinite(nearest)) return nearest;
  const shortest = parseFloatText(String(nearest));
  return shortest ? compareDecimals(shortest, exact) : 0;
}
