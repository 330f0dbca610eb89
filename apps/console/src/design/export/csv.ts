/** One line of a file: texts, numbers, and cells that are empty. */
export type CsvRow = readonly (string | number | undefined)[];

/** Writes a table as CSV of RFC 4180, with a byte order mark so that spreadsheets read it as UTF-8. */
export function csvOf(head: readonly string[], rows: readonly CsvRow[]): string {
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  // A spreadsheet runs a text that begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
