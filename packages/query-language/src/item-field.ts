import { excerpt } from './excerpt.ts';
import { GrammarError } from './grammar-error.ts';

/** Field of a condition or an order: an attribute, or a date-time that the server keeps for each measurement (spec: decisions.md 1.5). */
export type ItemField = { kind: 'attribute'; key: number } | { kind: 'LastModified' } | { kind: 'Created' };

/** Attribute keys are unsigned 16-bit (spec: inspection-service.md, Limits 2). */
export const MAX_ATTRIBUTE_KEY = 65_535;

/** Formats a field as clients write it: `4`, `LastModified`. */
export function formatField(field: ItemField): string {
  return field.kind === 'attribute' ? String(field.key) : field.kind;
}

/**
 * Returns the end of the digits or name of a field that begins at `start`; `start` itself when there is none.
 * Checks only the shape: digits may still be out of range.
 */
export function fieldEnd(text: string, start: number): number {
  const field = /\d+|LastModified|Created/iy;
  field.lastIndex = start;
  return field.test(text) ? field.lastIndex : start;
}

/**
 * Reads the field between two positions that {@link fieldEnd} found.
 * @param offset position of `text` in the parameter, for error positions
 * @throws GrammarError for a key out of range
 */
export function readField(text: string, start: number, end: number, offset = 0): ItemField {
  const written = text.slice(start, end);
  if (isAttributeKey(written)) return { kind: 'attribute', key: Number(written) };
  if (/^\d/.test(written)) {
    throw new GrammarError(`An attribute key is a whole number from 0 to ${MAX_ATTRIBUTE_KEY}, not ${excerpt(written)}`, offset + start);
  }
  return { kind: written.toLowerCase() === 'created' ? 'Created' : 'LastModified' };
}

/** Whether a text is the number of an attribute; leading zeros are allowed. */
export function isAttributeKey(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= MAX_ATTRIBUTE_KEY;
}
