/**
 * Formats PostgreSQL's text of a timestamptz(3) in UTC, with a blank or a `T`, as ISO 8601 with milliseconds and `Z` (spec: decisions.md
 * 1.8).
 */
export function isoTime(text: string): string {
  const end = text.length - (text.endsWith('+00') ? 3 : 6);
  if (end < 19 || !(text.endsWith('+00') || text.endsWith('+00:00'))) throw new Error(`not a time in UTC: ${text}`);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, end).padEnd(3, '0')}Z`;
}
