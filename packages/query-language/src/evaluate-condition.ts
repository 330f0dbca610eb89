import { compareInstants, cutToMicroseconds, parseDateTime, toPostgresTimestamp } from './date-time.js';
import { excerpt } from './excerpt.js';
import { compareCodePoints, foldCase } from './fold-case.js';
import { GrammarError } from './grammar-error.js';
import { formatField, type ItemField } from './item-field.js';
import { likeMatches } from './like.js';
import { compareDecimals, parseFloatText, parseIntegerText } from './number-text.js';
import type { Condition, SearchCondition } from './search-condition.js';

/** Type by which values of an attribute are checked and compared; `Catalog`: the value is the key of a catalog entry. */
export type AttributeType = 'AlphaNumeric' | 'Integer' | 'Float' | 'DateTime' | 'Catalog';

const EXPECTED: Record<AttributeType, string> = {
  AlphaNumeric: 'a text',
  Integer: 'a number such as -12 or 2.5',
  Float: 'a number such as -12 or 2.5e-3',
  DateTime: 'a date such as 2024-01-31 or 2024-01-31T08:05:00Z',
  Catalog: 'the key of a catalog entry, a whole number',
};

/**
 * Checks a condition against the type of its field and converts its values to texts that PostgreSQL reads without loss or failure.
 * They are decimals for `numeric`, UTC timestamps for `timestamptz`, whole numbers for `bigint`; other texts stay unchanged.
 * Integers may be compared with any number. Blanks around a number or date are ignored.
 * @param type type of the attribute; ignored for `LastModified` and `Created`, which are DateTime
 * @throws GrammarError at the field for `Like` on anything but texts, at the value for one that does not fit the type.
 * spec: decisions.md 1.5
 */
export function checkCondition(condition: Condition, type: AttributeType): string[] {
  const { field, operator, values, position, valuePositions } = condition;
  const fieldType = field.kind === 'attribute' ? type : 'DateTime';
  const name = field.kind === 'attribute' ? `attribute ${formatField(field)}` : field.kind;
  if (operator === 'Like' && fieldType !== 'AlphaNumeric') {
    throw new GrammarError(`Like compares texts, but ${name} has the type ${fieldType}`, position);
  }
  return values.map((value, i) => {
    const operand = readOperand(value, fieldType);
    if (operand !== undefined) return operand;
    const place = valuePositions[i] ?? position;
    throw new GrammarError(`${name} has the type ${fieldType}: ${EXPECTED[fieldType]} was expected, not ${excerpt(value)}`, place);
  });
}

/**
 * Reads the stored texts of a field: none, one, or several, as for a value attribute of a measurement.
 * `LastModified` and `Created` are date-times.
 */
export type FieldReader = (field: ItemField) => string | readonly string[] | undefined;

export interface EvaluationOptions {
  /** Returns the type of an attribute, `undefined` when it is not defined. */
  typeOf: (key: number) => AttributeType | undefined;
  /** True if `a` and `A` differ in texts. */
  caseSensitive: boolean;
}

/**
 * Evaluates a search condition on one item; searches in the database must give the same result.
 * - A condition holds when it holds for at least one value of the field. An item without the attribute fulfils no condition on it, not even
 *   `<>` and `NotIn` (as NULL in SQL). So `NotIn []` selects the items that have the attribute, `In []` none, `=[]` those with an empty
 *   text.
 * - Numbers compare by their exact decimal value, dates as instants cut to the microsecond, catalog attributes by entry key.
 * - Texts compare by code points, after {@link foldCase} unless `caseSensitive`; so does `Like`.
 * - A stored value that does not fit its type, or whose key is not defined, counts as absent (spec: decisions.md 3.2).
 * @throws GrammarError as {@link checkCondition}
 * spec: inspection-service.md, Search condition; decisions.md 1.5
 */
export function matches(search: SearchCondition, read: FieldReader, options: EvaluationOptions): boolean {
  // Every condition is checked, even after one that is false: whether a search is refused must not depend on the items.
  const checked = search.conditions.map((condition) => {
    const type = condition.field.kind === 'attribute' ? options.typeOf(condition.field.key) : 'DateTime';
    if (type !== undefined) checkCondition(condition, type);
    return { condition, comparison: comparisonOf(type, options.caseSensitive) };
  });
  return checked.every(({ condition, comparison }) => {
    const values = read(condition.field) ?? [];
    return (typeof values === 'string' ? [values] : values).some((value) => holds(condition, value, comparison));
  });
}

/** Comparison of two texts of a type; `fits` is false for a stored text that is not of the type. */
interface Comparison {
  fits: (stored: string) => boolean;
  compare: (stored: string, operand: string) => number;
  like: (stored: string, pattern: string) => boolean;
}

function holds({ operator, values }: Condition, stored: string, { fits, compare, like }: Comparison): boolean {
  if (!fits(stored)) return false;
  const one = values[0] ?? '';
  switch (operator) {
    case 'In':
      return values.some((value) => compare(stored, value) === 0);
    case 'NotIn':
      return values.every((value) => compare(stored, value) !== 0);
    case '=':
      return compare(stored, one) === 0;
    case '<>':
      return compare(stored, one) !== 0;
    case '<':
      return compare(stored, one) < 0;
    case '>':
      return compare(stored, one) > 0;
    case '<=':
      return compare(stored, one) <= 0;
    case '>=':
      return compare(stored, one) >= 0;
    case 'Like':
      return like(stored, one);
  }
}

function comparisonOf(type: AttributeType | undefined, caseSensitive: boolean): Comparison {
  const fold = caseSensitive ? (text: string) => text : foldCase;
  switch (type) {
    case 'AlphaNumeric':
      return {
        fits: () => true,
        compare: (stored, operand) => compareCodePoints(fold(stored), fold(operand)),
        like: (stored, pattern) => likeMatches(fold(pattern), fold(stored)),
      };
    case 'Float':
      return typed(parseFloatText, compareDecimals);
    case 'Integer':
      // The operand may be any number, so `5<[2.5]` has a result.
      return { ...typed(parseFloatText, compareDecimals), fits: (stored) => parseIntegerText(stored) !== undefined };
    case 'Catalog':
      return typed(parseIntegerText, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
    case 'DateTime':
      return typed(parseDateTime, (a, b) => compareInstants(cutToMicroseconds(a), cutToMicroseconds(b)));
    case undefined:
      return { fits: () => false, compare: () => NaN, like: () => false };
  }
}

function typed<T>(parse: (text: string) => T | undefined, compare: (a: T, b: T) => number): Comparison {
  return {
    fits: (stored) => parse(stored) !== undefined,
    compare: (stored, operand) => {
      const a = parse(stored);
      const b = parse(operand.trim());
      return a === undefined || b === undefined ? NaN : compare(a, b);
    },
    like: () => false,
  };
}

function readOperand(value: string, type: AttributeType): string | undefined {
  if (type === 'AlphaNumeric') return value;
  const text = value.trim();
  switch (type) {
    case 'Integer':
    case 'Float':
      return parseFloatText(text) && text;
    case 'Catalog':
      return parseIntegerText(text)?.toString();
    case 'DateTime': {
      const instant = parseDateTime(text);
      return instant && toPostgresTimestamp(instant);
    }
  }
}
