/** Value of a query parameter; `undefined` is left out, a list is written in braces. */
export type QueryValue = string | number | boolean | Date | readonly (string | number)[] | undefined;

/** Formats the query of an address with its question mark, or the empty text. spec: inspection-service.md, general conventions 2, 3 */
export function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`],
  );
  return words.length === 0 ? '' : `?${words.join('&')}`;
}

/** Encodes one segment of an address. */
export function segment(value: string | number): string {
  return encodeURIComponent(String(value));
}

/** Formats a list as the interface writes it: `{a,b}`. */
export function listText(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`;
}

function textOf(value: Exclude<QueryValue, undefined>): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? listText(value) : String(value);
}
