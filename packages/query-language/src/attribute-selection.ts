import { excerpt } from './excerpt.ts';
import { GrammarError } from './grammar-error.ts';
import { isAttributeKey, MAX_ATTRIBUTE_KEY } from './item-field.ts';
import { listItems } from './listed-items.ts';

/** The attributes to return: all, or those with the given keys; none for an empty list. */
export type AttributeSelection = 'all' | readonly number[];

/**
 * Reads `All`, `None` or a list of attribute keys, `{1,2}` with optional braces; the words are case-insensitive. An empty text and `{}`
 * mean none.
 * @returns each key once, in the order of the text. @throws GrammarError. spec: decisions.md 1.3, 1.7, 5.10
 */
export function parseAttributeSelection(text: string): AttributeSelection {
  const word = text.trim().toLowerCase();
  if (word === 'all') return 'all';
  if (word === 'none') return [];
  const keys = new Set<number>();
  for (const item of listItems(text)) {
    if (!isAttributeKey(item.text)) {
      const expected = `All, None or a list of attribute keys (0 to ${MAX_ATTRIBUTE_KEY}) such as {1,2} was expected`;
      throw new GrammarError(`${expected}, not ${excerpt(item.text)}`, item.position);
    }
    keys.add(Number(item.text));
  }
  return [...keys];
}
