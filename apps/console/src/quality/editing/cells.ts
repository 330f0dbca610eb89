import type { Draft, Fields } from './draft';

/** Name of the field of a cell: the row and the attribute, or the name of the item. */
export function cellField(uuid: string, field: string | number): string {
  return `${uuid}/${field}`;
}

/** Splits the name of a field into its row and its attribute. */
export function rowAndField(cell: string): [uuid: string, field: string] {
  const at = cell.indexOf('/');
  return [cell.slice(0, at), cell.slice(at + 1)];
}

/** The cells of each row, by uuid. */
export function fieldsByRow(fields: Fields): Map<string, Record<string, string>> {
  const rows = new Map<string, Record<string, string>>();
  for (const [cell, text] of Object.entries(fields)) {
    const [uuid, field] = rowAndField(cell);
    const row = rows.get(uuid) ?? {};
    row[field] = text;
    rows.set(uuid, row);
  }
  return rows;
}

/** Rows that a draft changes. */
export function changedRows(draft: Draft): Set<string> {
  return new Set(Object.keys(draft).map((cell) => rowAndField(cell)[0]));
}
