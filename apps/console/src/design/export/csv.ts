import type { Language } from '@sinebar/charts';

/** One line of a file: texts, numbers, and cells that are empty. */
export type CsvRow = readonly (string | number | undefined)[];

/** A table that is written to a file. */
export interface CsvTable {
  head: readonly string[];
  rows: readonly CsvRow[];
}

/** Marks as spreadsheets in a language expect them. */
export const CSV_MARKS = {
  en: { separator: ',', decimal: '.' },
  de: { separator: ';', decimal: ',' },
} as const satisfies Record<Language, { separator: string; decimal: string }>;

/** Writes a table as CSV of RFC 4180 in a language, with a byte order mark so that spreadsheets read it as UTF-8. */
export function csvOf({ head, rows }: CsvTable, language: Language): string {
  return `\uFEFF${linesOf([head, ...rows], CSV_MARKS[language].separator, language)}`;
}

/** Writes rows as lines of cells in quotes where these are needed. */
export function linesOf(rows: readonly CsvRow[], separator: string, language: Language): string {
  const cell = (value: CsvRow[number]) => {
    const text = spreadsheetText(value, language);
    return /[",;\t\r\n]/.test(text) && typeof value === 'string' ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${rows.map((row) => row.map(cell).join(separator)).join('\r\n')}\r\n`;
}

/** Text of a cell: a number with all its digits and the decimal mark of the language. */
export function spreadsheetText(value: CsvRow[number], language: Language): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value).replace('.', CSV_MARKS[language].decimal);
  // A spreadsheet runs a text that begins like a formula.
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}
