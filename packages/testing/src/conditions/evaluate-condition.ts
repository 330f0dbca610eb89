import {
  checkCondition,
  compareCodePoints,
  compareDecimals,
  compareInstants,
  cutToMicroseconds,
  foldCase,
  parseDateTime,
  parseFloatText,
  parseIntegerText,
  type AttributeType,
  type Condition,
  type ItemField,
  type SearchCondition,
} from '@sinebar/query-language';
import { likeMatches } from './like-matches.ts';

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
