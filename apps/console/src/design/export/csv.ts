import type { Language } from '../language/formats';

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
  const { separator, decimal } = CSV_MARKS[language];
  const cell = (value: string | number | undefined): string => {
    if (value === undefined) return '';
    if (typeof value === 'number') return String(value).replace('.', decimal);
    // A spreadsheet runs a text that begins like a formula.
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(separator)).join('\r\n')}\r\n`;
}
