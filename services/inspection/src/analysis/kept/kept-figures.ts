import type { Session } from '@sinebar/database';
import { byPart, PartFigures } from '../figures/part-figures.ts';
import type { PlannedCharacteristic } from '../figures/planned-characteristics.ts';
import type { SelectedReading } from '../figures/selected-figures.ts';
import { areFiguresKept, readChangedParts, readTotals } from './kept-figures-store.ts';
import { refreshedFigures } from './refreshed-figures.ts';

/** Whether nothing but the kind of measurements is selected, so that kept figures are the answer. */
export function isOfAllMeasurements({ selection, exclude }: Pick<SelectedReading, 'selection' | 'exclude'>): boolean {
  const { search, fromModificationDate, toModificationDate, limit, aggregation } = selection;
  const restrictions = [search, fromModificationDate, toModificationDate, limit];
  return aggregation === 'measurements' && exclude.length === 0 && restrictions.every((restriction) => restriction === undefined);
}

/**
 * Reads the kept figures of the parts of characteristics; those of parts that have changed since are computed from their values.
 * The session is a snapshot, in which figures, changes and values fit each other.
 * @param fields `leading` for statuses and indices of all values
 * @returns figures by the id of the part; `undefined` while figures are not kept yet
 */
export async function readKeptFigures(
  session: Session,
  characteristics: readonly PlannedCharacteristic[],
  fields: 'leading' | 'all',
): Promise<Map<number, PartFigures> | undefined> {
  if (!(await areFiguresKept(session))) return undefined;
  const partIds = [...byPart(characteristics).keys()];
  const changed = await readChangedParts(session, partIds);
  const changedIds = new Set(changed.map(({ id }) => id));
  const unchangedIds = partIds.filter((id) => !changedIds.has(id));
  const parts = new Map<number, PartFigures>();
  for (const [id, { ids, figures }] of await readTotals(session, unchangedIds, fields)) parts.set(id, new PartFigures(ids, figures));
  for (const part of changed) {
    const refreshed = await refreshedFigures(session, part);
    if (refreshed) parts.set(part.id, new PartFigures(refreshed.ids, refreshed.total));
  }
  return parts;
}
