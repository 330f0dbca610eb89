import Papa from 'papaparse';

/** Rows of a text that separates its fields by commas, semicolons, tabs or bars. */
export interface TableRows {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/**
 * Reads the rows of a text; the separator is the one that divides its first rows evenly.
 * @param isWhole otherwise the last row, which may be cut, is left out unless it is the only one
 */
export function tableRows(text: string, isWhole: boolean): TableRows {
  const end = text.lastIndexOf('\n') + 1;
  const whole = isWhole || end === 0 ? text : text.slice(0, end);
  const { data: rows } = Papa.parse<string[]>(whole, { skipEmptyLines: true, delimitersToGuess: [';', ',', '\t', '|'] });
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [first = [], ...others] = rows;
  return { head: Array.from({ length: width }, (_, column) => first[column] ?? ''), rows: others };
}
