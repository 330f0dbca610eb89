import { checkCondition, likeToPostgres, type AttributeType, type Condition, type SearchCondition } from '@sinebar/query-language';
import { joinSql, rawSql, sql, type Sql } from '@sinebar/database';

export interface SearchContext {
  /** Type of an attribute of the searched entity type; `undefined` when the attribute is not defined for it. */
  typeOf: (key: number) => AttributeType | undefined;
  caseSensitive: boolean;
}

/**
 * Builds the term of `attribute_terms` (migration 0003) for a value, from SQL expressions of type text.
 * Equal values have equal terms; different values can share one, because terms ignore case and everything after the 200th character.
 */
export function attributeTerm(key: Sql, value: Sql): Sql {
  return sql`${key} || '=' || left(lower(${value}), 200)`;
}

/**
 * Compiles a search condition to a condition on a jsonb column of attributes, equivalent to `matches` of the query language.
 * Conditions on equal texts and catalog entries get a second condition, for which the index on `attribute_terms` is used.
 * @throws GrammarError where a value does not fit the type of its attribute
 * spec: inspection-service.md, Search condition; decisions.md 1.5
 */
export function attributeSearch(search: SearchCondition, context: SearchContext): (column: string) => Sql {
  const checked = search.conditions.map((condition) => {
    if (condition.field.kind !== 'attribute') throw new TypeError(`${condition.field.kind} is no attribute`);
    const { key } = condition.field;
    const type = context.typeOf(key);
    return { condition, key, type, operands: type === undefined ? [] : checkCondition(condition, type) };
  });
  return (column) =>
    allOf(
      checked.map(({ condition, key, type, operands }) => {
        if (type === undefined) return sql`FALSE`;
        const form = formOf(type, rawSql(`${column} ->> '${key}'`), context.caseSensitive);
        return comparison(form, condition, operands, { key, terms: rawSql(`attribute_terms(${column})`) });
      }),
    );
}

/** @param conditions at least one */
export function allOf(conditions: readonly Sql[]): Sql {
  return sql`(${joinSql(conditions, ') AND (')})`;
}

/**
 * Compiles one condition on a stored value.
 * @param operands result of `checkCondition` of the query language
 * @param index the attribute and the indexed expression of its terms
 */
export function comparison(form: Form, { operator }: Condition, operands: readonly string[], index?: { key: number; terms: Sql }): Sql {
  const { stored, operand } = form;
  const one = operands[0] ?? '';
  const list = sql`ARRAY(SELECT ${operand(sql`listed`)} FROM unnest(${operands}::text[]) AS listed)`;
  const indexed = (exact: Sql) => {
    if (!form.indexed || !index) return exact;
    // An array of constants lets the planner use the statistics of the index.
    const terms = operands.map((text) => attributeTerm(rawSql(`'${index.key}'`), sql`${text}::text`));
    return sql`${index.terms} && ARRAY[${joinSql(terms, ', ')}]::text[] AND ${exact}`;
  };
  switch (operator) {
    case 'In':
      return indexed(sql`${stored} = ANY(${list})`);
    case 'NotIn':
      return sql`${stored} IS NOT NULL AND ${stored} <> ALL(${list})`;
    case '=':
      return indexed(sql`${stored} = ${operand(sql`${one}::text`)}`);
    case 'Like':
      return sql`${stored} LIKE ${operand(sql`${likeToPostgres(one)}::text`)} ESCAPE '\\'`;
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return sql`${stored} ${rawSql(operator)} ${operand(sql`${one}::text`)}`;
  }
}

/** Expressions with which a stored value and an operand are compared. */
export interface Form {
  /** The stored value in the form in which the type compares. */
  stored: Sql;
  /** An operand, given as an SQL expression of type text, in that form. */
  operand: (text: Sql) => Sql;
  /** Whether equal values have equal terms in the index. */
  indexed: boolean;
}

/** @param stored the text of the value, as an SQL expression */
export function formOf(type: AttributeType, stored: Sql, caseSensitive: boolean): Form {
  return FORMS[type](stored, caseSensitive);
}

/** The form of a column that holds a timestamp. */
export function timestampForm(column: Sql): Form {
  return { stored: column, operand: (text) => sql`(${text})::timestamptz`, indexed: false };
}

const FORMS: Readonly<Record<AttributeType, (stored: Sql, caseSensitive: boolean) => Form>> = {
  AlphaNumeric: (stored, caseSensitive) =>
    caseSensitive
      ? { stored: sql`(${stored}) COLLATE "C"`, operand: (text) => text, indexed: true }
      : { stored: sql`lower(${stored}) COLLATE "C"`, operand: (text) => sql`lower(${text})`, indexed: true },
  Integer: numeric,
  Float: numeric,
  // Truncates fractions of a second to six digits, because PostgreSQL would round them.
  DateTime: (stored) => timestampForm(sql`regexp_replace(${stored}, '(\\.\\d{6})\\d+', '\\1')::timestamptz`),
  Catalog: (stored) => ({ stored: sql`(${stored})::bigint`, operand: (text) => sql`(${text})::bigint`, indexed: true }),
};

function numeric(stored: Sql): Form {
  return { stored: sql`(${stored})::numeric`, operand: (text) => sql`(${text})::numeric`, indexed: false };
}
