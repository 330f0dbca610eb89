import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { typedNumber } from '../../../quality/attributes/written-text';
import type { Fields } from '../../../quality/editing/draft';
import { crossedLimits } from '../characteristic-limits';
import { NAME } from '../plan-item';
import type { Meaning } from './pasted-cells';
import { foldedName } from './table-fields';

/** Fields that a column writes directly. */
const FIELDS: Partial<Record<Meaning, string>> = {
  nominal: String(CHARACTERISTIC_KEYS.nominal),
  lower: String(CHARACTERISTIC_KEYS.lowerTolerance),
  upper: String(CHARACTERISTIC_KEYS.upperTolerance),
  lowerWarning: String(CHARACTERISTIC_KEYS.lowerWarning),
  upperWarning: String(CHARACTERISTIC_KEYS.upperWarning),
  unit: String(CHARACTERISTIC_KEYS.unit),
};

/** Keys of the attributes that a column needs. */
export function keysOf(meaning: Meaning): number[] {
  if (meaning === 'tolerance') return [CHARACTERISTIC_KEYS.nominal, CHARACTERISTIC_KEYS.lowerTolerance, CHARACTERISTIC_KEYS.upperTolerance];
  if (meaning === 'lowerDeviation') return [CHARACTERISTIC_KEYS.nominal, CHARACTERISTIC_KEYS.lowerTolerance];
  if (meaning === 'upperDeviation') return [CHARACTERISTIC_KEYS.nominal, CHARACTERISTIC_KEYS.upperTolerance];
  const field = FIELDS[meaning];
  return field === undefined ? [] : [Number(field)];
}

export type PastedProblem =
  | { kind: 'noName' }
  | { kind: 'twice'; name: string; rows: readonly number[] }
  | { kind: 'number'; text: string; meaning: Meaning }
  | { kind: 'noNominal'; text: string }
  | { kind: 'crossed' };

/** A pasted row: what it would do. */
export interface PastedRow {
  /** Number of the row, from 1. */
  row: number;
  name: string;
  /** Uuid of the characteristic that has this name. */
  uuid?: string;
  problem?: PastedProblem;
  /** Texts that would be written, by field, with those that they replace. */
  changes: readonly { field: string; was: string; text: string }[];
}

/**
 * Says what pasted rows would create and change. Deviations and ± tolerances become limits; an empty cell changes nothing.
 * @param stored texts of the characteristics that are there, by uuid
 */
export function comparePasted(
  cells: readonly (readonly string[])[],
  { meanings, hasHead }: { meanings: readonly Meaning[]; hasHead: boolean },
  stored: ReadonlyMap<string, Fields>,
): PastedRow[] {
  const byName = new Map([...stored].map(([uuid, fields]) => [foldedName(fields[NAME] ?? ''), uuid]));
  const rows = cells.slice(hasHead ? 1 : 0);
  const nameAt = meanings.indexOf('name');
  const numbers = new Map<string, number[]>();
  const rowNumber = (index: number) => index + (hasHead ? 2 : 1);
  for (const [index, row] of rows.entries()) {
    const name = foldedName(row[nameAt] ?? '');
    numbers.set(name, [...(numbers.get(name) ?? []), rowNumber(index)]);
  }
  return rows.map((row, index) => {
    const name = row[nameAt] ?? '';
    const folded = foldedName(name);
    const uuid = byName.get(folded);
    const known = (uuid === undefined ? undefined : stored.get(uuid)) ?? {};
    const base = { row: rowNumber(index), name, ...(uuid !== undefined && { uuid }), changes: [] };
    const same = numbers.get(folded) ?? [];
    if (folded === '') return { ...base, problem: { kind: 'noName' } };
    if (same.length > 1) return { ...base, problem: { kind: 'twice', name, rows: same } };
    const written = fieldsOfCells(row, meanings, known);
    if ('problem' in written) return { ...base, ...written };
    if (crossedLimits({ ...known, ...written.texts })) return { ...base, problem: { kind: 'crossed' } };
    const texts = uuid === undefined ? { [NAME]: name, ...written.texts } : written.texts;
    const changes = Object.entries(texts)
      .map(([field, text]) => ({ field, was: known[field] ?? '', text }))
      .filter(({ was, text }) => was !== text);
    return { ...base, changes };
  });
}

function fieldsOfCells(
  row: readonly string[],
  meanings: readonly Meaning[],
  known: Fields,
): { texts: Record<string, string> } | { problem: PastedProblem } {
  const texts: Record<string, string> = {};
  const cells = meanings.map((meaning, column) => ({ meaning, cell: row[column] ?? '' })).filter(({ cell }) => cell !== '');
  const numbers = new Map<Meaning, string>();
  for (const { meaning, cell } of cells) {
    if (meaning === 'none' || meaning === 'name') continue;
    const field = FIELDS[meaning];
    const text =
      meaning === 'unit' ? cell : typedNumber(meaning === 'tolerance' ? cell.replace(/^(±|\+\/?-)/, '') : cell.replace(/^\+/, ''));
    if (meaning !== 'unit' && !/^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(text))
      return { problem: { kind: 'number', text: cell, meaning } };
    if (field === undefined) numbers.set(meaning, text);
    else texts[field] = text;
  }
  const nominal = texts[CHARACTERISTIC_KEYS.nominal] ?? known[CHARACTERISTIC_KEYS.nominal] ?? '';
  for (const [meaning, text] of numbers) {
    if (nominal === '') return { problem: { kind: 'noNominal', text } };
    if (meaning !== 'upperDeviation') {
      texts[CHARACTERISTIC_KEYS.lowerTolerance] = sumOf(nominal, meaning === 'tolerance' ? `-${text}` : text);
    }
    if (meaning !== 'lowerDeviation') texts[CHARACTERISTIC_KEYS.upperTolerance] = sumOf(nominal, text);
  }
  return { texts };
}

/** Adds two numbers with the digits that they were written with. */
export function sumOf(one: string, other: string): string {
  const decimals = Math.max(...[one, other].map((text) => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0));
  const sum = Number(one) + Number(other);
  return /e/i.test(one + other) ? String(sum) : sum.toFixed(decimals);
}
