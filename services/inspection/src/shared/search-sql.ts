import { checkCondition, likeToPostgres, type AttributeType, type Condition, type SearchCondition } from '@sinebar/query-language';
import type { SqlFragment } from '@sinebar/database';

export interface SearchContext {
  /** Type of an attribute of the searched entity type; `undefined` when the attribute is not defined for it. */
  typeOf: (key: number) => AttributeType | undefined;
  caseSensitive: boolean;
}

/**
 * Builds the term of `attribute_terms` (migration 0003) for a value, from SQL expressions of type text.
 * Equal values have equal terms; different values can share one, because terms ignore case and everything after the 200th character.
 */
export function attributeTerm(key: string, value: string): string {
  return `${key} || '=' || left(lower(${value}), 200)`;
}

/** Adds a value to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * Compiles a search condition to a condition on a jsonb column of attributes, equivalent to `matches` of the query language.
 * Conditions on equal texts and catalog entries get a second condition, for which the index on `attribute_terms` is used.
 * @throws GrammarError where a value does not fit the type of its attribute
 * spec: inspection-service.md, Search condition; decisions.md 1.5
 */
export function attributeSearch(search: SearchCondition, context: SearchContext): SqlFragment {
  const checked = search.conditions.map((condition) => {
    if (condition.field.kind !== 'attribute') throw new TypeError(`${condition.field.kind} is no attribute`);
    const { key } = condition.field;
    const type = context.typeOf(key);
    return { condition, key, type, operands: type === undefined ? [] : checkCondition(condition, type) };
  });
  return (column, firstPlaceholder) => {
    const values: unknown[] = [];
    const bind: Bind = (value) => {
      values.push(value);
      return `$${firstPlaceholder + values.length - 1}`;
    };
    const sql = checked.map(({ condition, key, type, operands }) =>
      type === undefined ? 'FALSE' : attributeCondition(column, key, type, condition, operands, context.caseSensitive, bind),
    );
    return { sql: sql.map((part) => `(${part})`).join(' AND '), values };
  };
}

function attributeCondition(
  column: string,
  key: number,
  type: AttributeType,
  condition: Condition,
  operands: readonly string[],
  caseSensitive: boolean,
  bind: Bind,
): string {
  const form = formOf(type, `${column} ->> '${key}'`, caseSensitive);
  return comparison(form, condition, operands, bind, { key, terms: `attribute_terms(${column})` });
}

/**
 * Compiles one condition on a stored value.
 * @param operands result of `checkCondition` of the query language
 * @param index the attribute and the indexed expression of its terms
 */
export function comparison(
  form: Form,
  { operator }: Condition,
  operands: readonly string[],
  bind: Bind,
  index?: { key: number; terms: string },
): string {
  const { stored } = form;
  const one = operands[0] ?? '';
  const list = () => `ARRAY(SELECT ${form.operand('listed')} FROM unnest(${bind(operands)}::text[]) AS listed)`;
  const indexed = (exact: () => string) =>
    form.indexed && index
      ? // An array of constants lets the planner use the statistics of the index.
        `${index.terms} && ARRAY[${operands.map((operand) => attributeTerm(`'${index.key}'`, `${bind(operand)}::text`)).join(', ')}]::text[] AND ${exact()}`
      : exact();
  switch (operator) {
    case 'In':
      return indexed(() => `${stored} = ANY(${list()})`);
    case 'NotIn':
      return `${stored} IS NOT NULL AND ${stored} <> ALL(${list()})`;
    case '=':
      return indexed(() => `${stored} = ${form.operand(`${bind(one)}::text`)}`);
    case 'Like':
      return `${stored} LIKE ${form.operand(`${bind(likeToPostgres(one))}::text`)} ESCAPE '\\'`;
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return `${stored} ${operator} ${form.operand(`${bind(one)}::text`)}`;
  }
}

/** Expressions with which a stored value and an operand are compared. */
export interface Form {
  /** The stored value in the form in which the type compares. */
  stored: string;
  /** An operand, given as an SQL expression of type text, in that form. */
  operand: (text: string) => string;
  /** Whether equal values have equal terms in the index. */
  indexed: boolean;
}

/** @param stored the text of the value, as an SQL expression */
export function formOf(type: AttributeType, stored: string, caseSensitive: boolean): Form {
  return FORMS[type](stored, caseSensitive);
}

export function timestampForm(column: string): Form {
  return { stored: column, operand: (text) => `(${text})::timestamptz`, indexed: false };
}

const FORMS: Readonly<Record<AttributeType, (stored: string, caseSensitive: boolean) => Form>> = {
  AlphaNumeric: (stored, caseSensitive) =>
    caseSensitive
      ? { stored: `(${stored}) COLLATE "C"`, operand: (text) => text, indexed: true }
      : { stored: `lower(${stored}) COLLATE "C"`, operand: (text) => `lower(${text})`, indexed: true },
  Integer: numeric,
  Float: numeric,
  // Truncates fractions of a second to six digits, because PostgreSQL would round them.
  DateTime: (stored) => timestampForm(`regexp_replace(${stored}, '(\\.\\d{6})\\d+', '\\1')::timestamptz`),
  Catalog: (stored) => ({ stored: `(${stored})::bigint`, operand: (text) => `(${text})::bigint`, indexed: true }),
};

function numeric(stored: string): Form {
  return { stored: `(${stored})::numeric`, operand: (text) => `(${text})::numeric`, indexed: false };
}
