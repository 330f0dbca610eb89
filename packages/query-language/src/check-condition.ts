import { dateAdvice, parseDateTime, toPostgresTimestamp } from './date-time.ts';
import { excerpt } from './excerpt.ts';
import { GrammarError } from './grammar-error.ts';
import { formatField } from './item-field.ts';
import { parseFloatText, parseIntegerText } from './number-text.ts';
import type { Condition } from './search-condition.ts';

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
 * Checks a condition against the type of its field and converts its values for PostgreSQL.
 * The values are in a form that PostgreSQL reads without loss or failure: decimals for `numeric`, UTC timestamps for `timestamptz`
 * (`LastModified` and `Created` too), whole numbers for `bigint`, texts as they are (not folded; a `Like` pattern not translated). Integers
 * may be compared with any number. Blanks around a number or date are ignored.
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
    const valuePosition = valuePositions[i] ?? position;
    const subject = field.kind === 'attribute' ? `Attribute ${formatField(field)}` : field.kind;
    const advice = fieldType === 'DateTime' ? dateAdvice(value) : '';
    throw new GrammarError(
      `${subject} has the type ${fieldType}: ${EXPECTED[fieldType]} was expected, not ${excerpt(value)}${advice}`,
      valuePosition,
    );
  });
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
