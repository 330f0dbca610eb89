import { excerpt, foundAt } from './excerpt.ts';
import { GrammarError } from './grammar-error.ts';
import { fieldEnd, readField, type ItemField } from './item-field.ts';

export type ConditionOperator = '>' | '<' | '>=' | '<=' | '=' | '<>' | 'In' | 'NotIn' | 'Like';

/** Parsed search condition; all its conditions must hold. */
export interface SearchCondition {
  conditions: Condition[];
}

export interface Condition {
  field: ItemField;
  operator: ConditionOperator;
  /** Values to compare with: one, or any number for In and NotIn. */
  values: string[];
  /** Start of the field in the text that was read, from 0. */
  position: number;
  /** Start of each value, from 0; a quoted one starts at its quote. */
  valuePositions: number[];
}

/** Maximum bytes of a search condition in UTF-8 (spec: decisions.md 10.2). */
export const MAX_SEARCH_CONDITION_BYTES = 16 * 1024;

const OPERATORS = new Map(
  (['>=', '<=', '<>', '>', '<', '=', 'NotIn', 'In', 'Like'] as const).map((operator) => [operator.toLowerCase(), operator]),
);
const OPERATOR_NAMES = '>, <, >=, <=, =, <>, In, NotIn, Like';

/**
 * Reads `<field><operator>[<value>]`, several joined with `+`, from the parameter after percent-decoding.
 * A field is an attribute key, `LastModified` or `Created`; names of fields and operators match in any case.
 * Blanks (space, tab) may precede each of the three and surround `+`.
 * An unencoded `+` arrives as a blank, so a blank joins as well: `1=[a] 2=[b]`.
 *
 * A `]` ends the value
 * 1. at the end of the text,
 * 2. directly before `+`, or
 * 3. before blanks with at most one `+` among them, if a field, an operator and `[`, or the end of the text, follow.
 *
 * Any other `]` and every `[` belong to the value. The first `]` that fits ends it, also inside single quotes: a value cannot
 * contain `]+` or `] 2=[`.
 * Nothing may follow the last value, not even a blank: it may be a `+` whose condition was lost, and DELETE would then select more.
 *
 * `In` and `NotIn` split the value at commas and ignore blanks around an entry; `[]` has no entries, `[a,]` has `a` and the empty text.
 * An entry that begins with `'` ends at the closing `'`, with `''` for a quote, and may contain commas and outer blanks; elsewhere `'` is
 * an ordinary character (`O'Brien`).
 * For other operators the value is everything between the brackets; `=[]` compares with the empty text. Runs in linear time.
 * @throws GrammarError also for an empty text and one over {@link MAX_SEARCH_CONDITION_BYTES}.
 * spec: inspection-service.md, Search condition; decisions.md 1.5, 10.2
 */
export function parseSearchCondition(text: string): SearchCondition {
  checkCharacters(text);
  const conditions: Condition[] = [];
  let position = skipBlanks(text, 0);
  for (;;) {
    const { condition, end } = readCondition(text, position);
    conditions.push(condition);
    if (end === text.length) return { conditions };
    position = skipSeparator(text, end);
    if (position === text.length) {
      throw new GrammarError(
        'Another condition such as 4>[2024-01-31] must follow the "+" or blank at the end, or it must be left out',
        end,
      );
    }
  }
}

function checkCharacters(text: string): void {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_SEARCH_CONDITION_BYTES));
  if (read < text.length) throw new GrammarError(`A search condition is longer than ${MAX_SEARCH_CONDITION_BYTES} bytes`, read);
  // PostgreSQL stores neither U+0000 nor lone surrogates: the statement would fail instead of finding nothing.
  const refused = text.search(/\0|\p{Surrogate}/u);
  if (refused >= 0) throw new GrammarError('A search condition contains the character U+0000 or half of a surrogate pair', refused);
}

function readCondition(text: string, position: number): { condition: Condition; end: number } {
  const endOfField = fieldEnd(text, position);
  if (endOfField === position) {
    const expected = 'An attribute key (0 to 65535), LastModified or Created was expected, as in 4>[2024-01-31]';
    throw new GrammarError(`${expected}, not ${foundAt(text, position)}`, position);
  }
  const field = readField(text, position, endOfField);
  const operatorStart = skipBlanks(text, endOfField);
  const operator = operatorAt(text, operatorStart);
  if (!operator) {
    throw new GrammarError(`An operator (${OPERATOR_NAMES}) was expected, not ${foundAt(text, operatorStart)}`, operatorStart);
  }
  const bracket = skipBlanks(text, operatorStart + operator.length);
  if (text[bracket] !== '[') {
    throw new GrammarError(`A value in square brackets was expected behind ${operator}, not ${foundAt(text, bracket)}`, bracket);
  }
  const start = bracket + 1;
  const end = valueEnd(text, start);
  if (end === undefined) {
    throw new GrammarError(`The "[" has no "]" with "+" or the end of the text behind it: ${foundAt(text, bracket)}`, bracket);
  }
  const entries =
    operator === 'In' || operator === 'NotIn'
      ? splitEntries(text.slice(start, end), start)
      : [{ value: text.slice(start, end), position: start }];
  const values = entries.map(({ value }) => value);
  const valuePositions = entries.map((entry) => entry.position);
  return { condition: { field, operator, values, position, valuePositions }, end: end + 1 };
}

function operatorAt(text: string, position: number): ConditionOperator | undefined {
  const operator = />=|<=|<>|>|<|=|NotIn|In|Like/iy;
  operator.lastIndex = position;
  const match = operator.exec(text);
  return match ? OPERATORS.get(match[0].toLowerCase()) : undefined;
}

/** Returns the position of the `]` that ends the value, or `undefined`. Look-ahead never passes the next `]`, so parsing is linear. */
function valueEnd(text: string, start: number): number | undefined {
  for (let bracket = text.indexOf(']', start); bracket >= 0; bracket = text.indexOf(']', bracket + 1)) {
    const next = bracket + 1;
    if (next === text.length || text[next] === '+' || conditionFollows(text, next)) return bracket;
  }
  return undefined;
}

function conditionFollows(text: string, position: number): boolean {
  const start = skipSeparator(text, position);
  // A condition does not begin directly after the bracket: `[a]2=[b]` is one value.
  if (start === position) return false;
  if (start === text.length) return true;
  const endOfField = fieldEnd(text, start);
  if (endOfField === start) return false;
  const operatorStart = skipBlanks(text, endOfField);
  const operator = operatorAt(text, operatorStart);
  return operator !== undefined && text[skipBlanks(text, operatorStart + operator.length)] === '[';
}

interface Entry {
  value: string;
  position: number;
}

function splitEntries(list: string, offset: number): Entry[] {
  let position = skipBlanks(list, 0);
  if (position === list.length) return [];
  const entries: Entry[] = [];
  for (;;) {
    const { value, end } = list[position] === "'" ? readQuoted(list, position, offset) : readPlain(list, position);
    entries.push({ value, position: offset + position });
    if (end === list.length) return entries;
    position = skipBlanks(list, end + 1);
  }
}

function readPlain(list: string, start: number): { value: string; end: number } {
  const comma = list.indexOf(',', start);
  const end = comma < 0 ? list.length : comma;
  let last = end;
  while (last > start && isBlank(list[last - 1])) last -= 1;
  return { value: list.slice(start, last), end };
}

function readQuoted(list: string, start: number, offset: number): { value: string; end: number } {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = list.indexOf("'", from);
    if (quote < 0) {
      const advice = "An entry that begins with a single quote must end with one, and '' stands for a quote inside";
      throw new GrammarError(`${advice}: ${excerpt(list.slice(start))}`, offset + start);
    }
    value += list.slice(from, quote);
    if (list[quote + 1] !== "'") return { value, end: endOfQuoted(list, quote + 1, offset) };
    value += "'";
    from = quote + 2;
  }
}

function endOfQuoted(list: string, position: number, offset: number): number {
  const end = skipBlanks(list, position);
  if (end < list.length && list[end] !== ',') {
    throw new GrammarError(`A comma or the closing bracket was expected behind the quoted entry, not ${foundAt(list, end)}`, offset + end);
  }
  return end;
}

function skipSeparator(text: string, position: number): number {
  const next = skipBlanks(text, position);
  return text[next] === '+' ? skipBlanks(text, next + 1) : next;
}

function skipBlanks(text: string, position: number): number {
  let next = position;
  while (isBlank(text[next])) next += 1;
  return next;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
