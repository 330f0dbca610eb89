import { CHARACTERISTIC_KEYS, type AnyAttributeDefinition } from '@sinebar/client';
import { cellField } from '../../../quality/editing/cells';
import type { Fields } from '../../../quality/editing/draft';
import { crossedLimits } from '../characteristic-limits';
import { fieldsOf, NAME, type PlanItem } from '../plan-item';

/** Columns after the name, in order; those of deviations only where one has a value. */
const COLUMNS: readonly number[] = [
  CHARACTERISTIC_KEYS.nominal,
  CHARACTERISTIC_KEYS.lowerTolerance,
  CHARACTERISTIC_KEYS.upperTolerance,
  CHARACTERISTIC_KEYS.lowerDeviation,
  CHARACTERISTIC_KEYS.upperDeviation,
  CHARACTERISTIC_KEYS.lowerWarning,
  CHARACTERISTIC_KEYS.upperWarning,
  CHARACTERISTIC_KEYS.unit,
];
const OPTIONAL: ReadonlySet<number> = new Set([CHARACTERISTIC_KEYS.lowerDeviation, CHARACTERISTIC_KEYS.upperDeviation]);

/** All cells of these items, with attributes that have no column too. */
export function tableFields(items: readonly PlanItem[]): Fields {
  return Object.fromEntries(
    items.flatMap((item) => Object.entries(fieldsOf(item)).map(([field, text]) => [cellField(item.uuid, field), text])),
  );
}

/** Definitions of the columns after the name. */
export function tableColumns(definitions: readonly AnyAttributeDefinition[], items: readonly PlanItem[]): AnyAttributeDefinition[] {
  const isUsed = (key: number) => !OPTIONAL.has(key) || items.some(({ attributes }) => attributes[key] !== undefined);
  return COLUMNS.filter(isUsed).flatMap((key) => definitions.filter((definition) => definition.key === key));
}

export type RowProblem = 'noName' | 'taken' | 'crossed';

/** Finds what is wrong with changed rows, at the cell that has to be corrected. */
export function rowProblems(rows: ReadonlyMap<string, Fields>, changed: ReadonlySet<string>): Map<string, RowProblem> {
  const problems = new Map<string, RowProblem>();
  const owners = new Map<string, number>();
  const nameIn = (fields: Fields) => foldedName(fields[NAME] ?? '');
  for (const fields of rows.values()) owners.set(nameIn(fields), (owners.get(nameIn(fields)) ?? 0) + 1);
  for (const uuid of changed) {
    const fields = rows.get(uuid) ?? {};
    if (nameIn(fields) === '') problems.set(cellField(uuid, NAME), 'noName');
    else if ((owners.get(nameIn(fields)) ?? 0) > 1) problems.set(cellField(uuid, NAME), 'taken');
    if (crossedLimits(fields)) problems.set(cellField(uuid, CHARACTERISTIC_KEYS.lowerTolerance), 'crossed');
  }
  return problems;
}

/** Names are the same in any case, and with `ß` as `ss`. spec: decisions.md 4.3 */
export function foldedName(name: string): string {
  return name.trim().normalize('NFC').replaceAll(/[ßẞ]/g, 'ss').toLowerCase();
}
