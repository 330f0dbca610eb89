export interface ListedItem {
  /** Without the blanks around it. */
  text: string;
  /** Where it begins, from 0. */
  position: number;
}

/**
 * The items of a list parameter as {@link parseList} reads it, with their places, for lists whose items have no braces of their own.
 * `{}` and the empty text have none. spec: decisions.md 1.3
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

/** Position of the first character from `start` on that is no blank. */
export function blanksEnd(text: string, start: number): number {
  return text.length - text.slice(start).trimStart().length;
}
