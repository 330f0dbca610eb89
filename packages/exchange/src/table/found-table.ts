import type { FoundTable } from '../content.ts';
import { cleaned } from '../texts.ts';
import type { GuessedColumns } from './table-columns.ts';

const MAX_COLUMNS = 2000;
const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 80;

/** Describes how a header row was read. @param source the separator, and the sheets of a workbook */
export function describeTable(
  { names, holds }: GuessedColumns,
  { separator, sheets }: { separator?: string; sheets?: readonly string[] },
  headerRow: number,
): FoundTable {
  return {
    headerRow,
    ...(separator !== undefined && { separator }),
    ...(sheets && { sheets: [...sheets] }),
    columns: names.slice(0, MAX_COLUMNS).map((name, i) => ({ name, holds: holds[i] ?? { is: 'nothing' }, examples: [] })),
    columnCount: names.length,
  };
}

/** Adds the cells of one of the first rows. */
export function noteExamples({ columns }: FoundTable, cells: readonly (string | undefined)[]): void {
  if ((columns[0]?.examples.length ?? MAX_EXAMPLES) >= MAX_EXAMPLES) return;
  for (const [i, { examples }] of columns.entries()) examples.push(cleaned(cells[i] ?? '').slice(0, MAX_EXAMPLE_LENGTH));
}
