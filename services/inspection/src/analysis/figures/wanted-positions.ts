import type { PartSet } from './part-figures.ts';

/** Positions of a set from the first to the last that is wanted, from 0. */
export interface WantedPositions<Entry> {
  first: number;
  last: number;
  wanted: { id: number; entry: Entry; position: number }[];
}

/** @param entries of the wanted characteristics, by their ids */
export function wantedPositions<Entry>({ characteristicIds }: PartSet, entries: ReadonlyMap<number, Entry>): WantedPositions<Entry> {
  const wanted: WantedPositions<Entry>['wanted'] = [];
  characteristicIds.forEach((id, position) => {
    const entry = entries.get(id);
    if (entry !== undefined) wanted.push({ id, entry, position });
  });
  return { first: wanted[0]?.position ?? 0, last: wanted.at(-1)?.position ?? 0, wanted };
}

/** Lists `MEASURED_COLUMNS` with the wanted positions only. @returns `undefined` when none is wanted */
export function wantedColumns(sets: readonly [id: number, wantedBySet: WantedPositions<unknown>][]): string | undefined {
  const cases = sets.flatMap(([id, { first, last, wanted }]) =>
    wanted.length === 0 ? [] : [`WHEN ${id} THEN m."values"[${first + 1}:${last + 1}]`],
  );
  return cases.length === 0
    ? undefined
    : `m.measured_at, m.id, m.characteristic_set_id, CASE m.characteristic_set_id ${cases.join(' ')} END`;
}
