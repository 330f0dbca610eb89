import { excerpt } from './excerpt.ts';
import { GrammarError } from './grammar-error.ts';
import { fieldEnd, formatField, readField, type ItemField } from './item-field.ts';
import { blanksEnd, listItems, type ListedItem } from './listed-items.ts';

export interface OrderCriterion {
  field: ItemField;
  direction: 'asc' | 'desc';
  /** Start of the field in the text that was read, from 0. */
  position: number;
}

/** Maximum criteria of an order: more have no use, and a database has a limit of its own. */
const MAX_ORDER_CRITERIA = 64;

/**
 * Reads `<key> asc, <key> desc`, the most significant field first. Besides attribute keys `LastModified` and `Created` are allowed; names
 * and directions are case-insensitive, braces around the whole optional. A direction is required; no field may come twice.
 * @returns nothing for an empty text. @throws GrammarError. spec: inspection-service.md, Measurements; decisions.md 1.2, 1.3, 5.8
 */
export function parseOrder(text: string): OrderCriterion[] {
  const items = listItems(text);
  const criteria: OrderCriterion[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    if (criteria.length === MAX_ORDER_CRITERIA) {
      throw new GrammarError(`An order has at most ${MAX_ORDER_CRITERIA} attributes`, item.position);
    }
    const criterion = readCriterion(item);
    const field = formatField(criterion.field);
    if (seen.has(field)) throw new GrammarError(`The order names ${field} twice`, item.position);
    seen.add(field);
    criteria.push(criterion);
  }
  return criteria;
}

function readCriterion({ text, position }: ListedItem): OrderCriterion {
  const end = fieldEnd(text, 0);
  if (end === 0) {
    const expected = 'An attribute key (0 to 65535), LastModified or Created with asc or desc was expected, as in "4 desc"';
    throw new GrammarError(`${expected}, not ${excerpt(text)}`, position);
  }
  const field = readField(text, 0, end, position);
  const directionStart = blanksEnd(text, end);
  const direction = directionOf(text.slice(directionStart));
  if (direction && directionStart > end) return { field, direction, position };
  const found = directionStart === text.length ? 'nothing' : excerpt(text.slice(directionStart));
  const expected = `A blank and asc or desc were expected behind ${formatField(field)}`;
  throw new GrammarError(`${expected}, not ${found}`, position + (directionStart === text.length ? end : directionStart));
}

function directionOf(text: string): OrderCriterion['direction'] | undefined {
  const direction = text.toLowerCase();
  return direction === 'asc' || direction === 'desc' ? direction : undefined;
}
