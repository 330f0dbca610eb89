import { ServiceError } from '@sinebar/contracts';
import {
  checkCondition,
  compareDecimals,
  GrammarError,
  parseFloatText,
  type Condition,
  type ConditionOperator,
  type SearchCondition,
} from '@sinebar/query-language';
import { ruleOf } from '../../configuration/attribute-values.js';
import { MEASURED_VALUE_KEY, TIME_KEY, type Configuration } from '../../configuration/configuration.js';
import { comparison, formOf, timestampForm, type Bind } from '../../shared/search-sql.js';
import { refuseUnknownKeys } from '../../configuration/unknown-keys.js';

/**
 * Compiles a search to a condition on the measurement `m`, equivalent to `matches` of the query language.
 * A condition on a value attribute holds when it holds for at least one characteristic that still exists.
 * @throws ServiceError 400 with the place of the mistake
 * spec: inspection-service.md, Search condition; decisions.md 1.5
 */
export function measurementSearch(search: SearchCondition, configuration: Configuration, caseSensitive: boolean, bind: Bind): string {
  try {
    refuseUnknownKeys(search, configuration);
    return search.conditions.map((condition) => `(${conditionOn(condition, configuration, caseSensitive, bind)})`).join(' AND ');
  } catch (error) {
    if (error instanceof GrammarError)
      throw new ServiceError('InvalidRequest', `parameter searchCondition: ${error.message}`, { cause: error });
    throw error;
  }
}

export function searchesTimeOnly({ conditions }: SearchCondition): boolean {
  return conditions.every(({ field }) => field.kind === 'attribute' && field.key === TIME_KEY);
}

function conditionOn(condition: Condition, configuration: Configuration, caseSensitive: boolean, bind: Bind): string {
  const { field } = condition;
  if (field.kind !== 'attribute') {
    const column = field.kind === 'Created' ? 'm.created' : 'm.last_modified';
    return comparison(timestampForm(column), condition, checkCondition(condition, 'DateTime'), bind);
  }
  const { key } = field;
  const type = ruleOf(configuration, 'measurement', key)?.type;
  if (type !== undefined) {
    const operands = checkCondition(condition, type);
    if (key === TIME_KEY && type === 'DateTime') return comparison(timestampForm('m.measured_at'), condition, operands, bind);
    const index = key === TIME_KEY ? undefined : { key, terms: `attribute_terms(m.attributes - '${TIME_KEY}')` };
    return comparison(formOf(type, `(m.attributes ->> '${key}')`, caseSensitive), condition, operands, bind, index);
  }
  const valueType = ruleOf(configuration, 'value', key)?.type;
  if (valueType === undefined) return 'FALSE';
  const operands = checkCondition(condition, valueType);
  if (key === MEASURED_VALUE_KEY) return measuredValueCondition(condition, operands, bind);
  const form = formOf(valueType, `(extra.value ->> '${key}')`, caseSensitive);
  return `m.extras IS NOT NULL AND EXISTS (SELECT FROM jsonb_each(m.extras) AS extra
    WHERE ${comparison(form, condition, operands, bind)} AND EXISTS (SELECT FROM plan_item item WHERE item.id = extra.key::int))`;
}

/**
 * Compares the array as a whole where its numbers are exactly the texts as written and none belongs to a deleted characteristic.
 * Otherwise compares element by element, which is many times slower.
 */
function measuredValueCondition(condition: Condition, operands: readonly string[], bind: Bind): string {
  const text = `coalesce(m.extras -> measured.id::text ->> '${MEASURED_VALUE_KEY}', measured.value::text)`;
  const each = `EXISTS (SELECT FROM characteristic_set s, unnest(s.characteristic_ids, m."values") AS measured(id, value)
    WHERE s.id = m.characteristic_set_id AND measured.value IS NOT NULL AND EXISTS (SELECT FROM plan_item item WHERE item.id = measured.id)
      AND ${comparison(formOf('Float', text, true), condition, operands, bind)})`;
  const whole = wholeArrayCondition(condition.operator, operands, bind);
  if (whole === undefined) return each;
  return `CASE WHEN m.characteristic_set_id IN (${SETS_WITH_DELETED}) OR position('\\xfe'::bytea IN m.digits) > 0 THEN ${each} ELSE ${whole} END`;
}

/** Selects the sets that still have values of deleted characteristics. PostgreSQL runs it once for a statement. */
const SETS_WITH_DELETED = 'SELECT s.id FROM characteristic_set s WHERE s.stale';

const FLIPPED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=', '<>': '<>' } as const;

/** Compares the whole array; `undefined` where elements have to be compared one by one. */
function wholeArrayCondition(operator: ConditionOperator, operands: readonly string[], bind: Bind): string | undefined {
  if (operator === 'NotIn' || operator === 'Like') return undefined;
  if (operator === 'In') {
    return `m."values" && (SELECT ${bind(operands.filter((text) => side(text) === 0).map((text) => String(Number(text))))}::float8[])`;
  }
  const text = operands[0] ?? '';
  const place = side(text);
  if (place !== 0 && operator === '=') return 'FALSE';
  if (place !== 0 && operator === '<>') return `'-Infinity'::float8 < ANY(m."values")`;
  return `${bind(String(Number(text)))}::float8 ${FLIPPED[adjusted(operator, place)]} ANY(m."values")`;
}

/**
 * Adjusts an operator to an operand that was rounded to its float64. Stored values are the shortest texts of float64 numbers, so the
 * condition stays exact.
 */
function adjusted(operator: keyof typeof FLIPPED, place: number): keyof typeof FLIPPED {
  if (operator === '<' && place < 0) return '<=';
  if (operator === '<=' && place > 0) return '<';
  if (operator === '>' && place > 0) return '>=';
  if (operator === '>=' && place < 0) return '>';
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
