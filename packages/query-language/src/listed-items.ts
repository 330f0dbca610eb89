export interface ListedItem {
  /** Text of the item, without the blanks around it. */
  text: string;
  /** Start of the item in the list, from 0. */
  position: number;
}

/**
 * Reads a list parameter like {@link parseList}, with the position of each item, for items without braces of their own.
 * `{}` and the empty text are the empty list. spec: decisions.md 1.3
 */
export function listItems(text: string): ListedItem[] {
  let start = blanksEnd(text, 0);
  let end = text.trimEnd().length;
  if (end - start >= 2 && text[start] === '{' && text[end - 1] === '}') {
    start += 1;
    end -= 1;
  }
  const inner = text.slice(start, end);
  if (inner.trim() === '') return [];
  const items: ListedItem[] = [];
  for (const part of inner.split(',')) {
    items.push({ text: part.trim(), position: start + blanksEnd(part, 0) });
    start += part.length + 1;
  }
  return items;
}

/** Returns the position of the first character from `start` on that is not a blank. */
export function blanksEnd(text: string, start: number): number {
  return text.length - text.slice(start).trimStart().length;
}
