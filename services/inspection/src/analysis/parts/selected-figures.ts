import type { PathScope } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { sql, type Session } from '@sinebar/database';
import type { Configuration } from '../../configuration/configuration.js';
import { selectionStatement, type MeasurementSelection } from '../../measurements/selection/measurement-selection.js';
import { idsOf, tooManyValues } from '../characteristic-values.js';
import { MEASURED_COLUMNS, readMeasuredRows, type MeasuredRow } from './measured-rows.js';
import { byPart, groupBy, PartFigures, RowAdder, type PartSet } from './part-figures.js';
import type { PlannedCharacteristic } from './planned-characteristics.js';

export interface SelectedReading {
  /** Its parts are not used. */
  selection: MeasurementSelection;
  readable: PathScope;
  configuration: Configuration;
  /** Uuids of measurements to leave out. */
  exclude: readonly string[];
  /** Most values that are read. */
  maxValues: number;
}

/**
 * Computes the figures of the selected measurements from the data, part by part.
 * @returns figures by the id of the part; parts without values are left out
 * @throws ServiceError 400 for more than `maxValues`
 */
export async function readSelectedFigures(
  session: Session,
  characteristics: readonly PlannedCharacteristic[],
  reading: SelectedReading,
): Promise<Map<number, PartFigures>> {
  const groups = byPart(characteristics);
  const excluded = await idsOf(session, reading.exclude);
  const sets = groupBy(await readSets(session, [...groups.keys()]), ({ partId }) => partId);
  const parts = new Map<number, PartFigures>();
  let count = 0;
  for (const [partId, ofPart] of sets) {
    const ids = Int32Array.from(groups.get(partId) ?? [], ({ id }) => id);
    const adder = new RowAdder(ids, ofPart);
    if (!adder.isNeeded) continue;
    const part = new PartFigures(ids);
    parts.set(partId, part);
    await readRows(session, partId, reading, (row) => {
      if (excluded.has(row.id)) return;
      count += adder.add(part.figures, row);
      if (count > reading.maxValues) throw new ServiceError('InvalidRequest', tooManyValues(reading.maxValues));
    });
  }
  return parts;
}

/** Newest values of characteristics, oldest first, by the id of the characteristic. */
export async function readNewestValues(
  session: Session,
  characteristics: readonly PlannedCharacteristic[],
  reading: SelectedReading,
  { values: most, measurements }: { values: number; measurements: number },
): Promise<Map<number, number[]>> {
  const groups = byPart(characteristics);
  const excluded = await idsOf(session, reading.exclude);
  const newest = new Map(characteristics.map(({ id }): [number, number[]] => [id, []]));
  const sets = await readSets(session, [...groups.keys()]);
  const places = new Map(
    sets.map(({ id, characteristicIds }) => [
      id,
      characteristicIds.flatMap((characteristic, position) => {
        const values = newest.get(characteristic);
        return values ? [{ values, position }] : [];
      }),
    ]),
  );
  const limit = Math.min(reading.selection.limit ?? Infinity, measurements + excluded.size);
  const selection = { ...reading.selection, limit };
  for (const partId of new Set(sets.map((set) => set.partId))) {
    await readRows(session, partId, { ...reading, selection }, (row) => {
      if (excluded.has(row.id)) return;
      for (const { values, position } of places.get(row.setId) ?? []) {
        const value = values.length < most ? row.valueAt(position) : NaN;
        if (!Number.isNaN(value)) values.push(value);
      }
    });
  }
  for (const values of newest.values()) values.reverse();
  return newest;
}

/** Reads the selected measurements of one part, newest first. */
async function readRows(
  session: Session,
  partId: number,
  { selection, readable, configuration }: SelectedReading,
  onRow: (row: MeasuredRow) => void,
): Promise<void> {
  const statement = selectionStatement(selection, readable, configuration, MEASURED_COLUMNS, { partIds: [partId] });
  await readMeasuredRows(session, statement, onRow);
}

function readSets(session: Session, partIds: readonly number[]): Promise<PartSet[]> {
  return session.query<PartSet & Record<string, unknown>>(
    sql`SELECT id, part_id AS "partId", characteristic_ids AS "characteristicIds" FROM characteristic_set WHERE part_id = ANY(${partIds}::int[])`,
  );
}
