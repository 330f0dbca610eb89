import type { PathScope } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import type { Configuration } from '../../configuration/configuration.ts';
import { selectionStatement, type MeasurementSelection } from '../../measurements/selection/measurement-selection.ts';
import { readExcludedOfParts } from '../../evaluation/evaluation-reader.ts';
import { findIds, tooManyValues } from '../characteristic-values.ts';
import { MEASURED_COLUMNS, readMeasuredRows, type MeasuredRow } from './measured-rows.ts';
import { byPart, PartFigures, RowAdder } from './part-figures.ts';
import { readSets } from './part-sets.ts';
import type { PlannedCharacteristic } from './planned-characteristics.ts';
import { wantedColumns, wantedPositions } from './wanted-positions.ts';

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
  const excluded = await findIds(session, reading.exclude);
  const excludedOfParts = await readExcludedOfParts(session, [...groups.keys()]);
  const sets = Map.groupBy(await readSets(session, [...groups.keys()]), ({ partId }) => partId);
  const parts = new Map<number, PartFigures>();
  let count = 0;
  for (const [partId, ofPart] of sets) {
    const ids = Int32Array.from(groups.get(partId) ?? [], ({ id }) => id);
    const adder = new RowAdder(ids, ofPart, excludedOfParts);
    if (!adder.isNeeded) continue;
    const part = new PartFigures(ids);
    parts.set(partId, part);
    await readSelectedRows(session, partId, reading, MEASURED_COLUMNS, (row) => {
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
  const excluded = await findIds(session, reading.exclude);
  const excludedOfParts = await readExcludedOfParts(session, [...groups.keys()]);
  const newest = new Map(characteristics.map(({ id }): [number, number[]] => [id, []]));
  const sets = await readSets(session, [...groups.keys()]);
  const wantedBySet = new Map(sets.map((set) => [set.id, wantedPositions(set, newest)]));
  const limit = Math.min(reading.selection.limit ?? Infinity, measurements + excluded.size + excludedOfParts.size);
  const selection = { ...reading.selection, limit };
  for (const [partId, ofPart] of Map.groupBy(sets, (set) => set.partId)) {
    const columns = wantedColumns(ofPart.map(({ id }) => [id, wantedBySet.get(id)!]));
    if (columns === undefined) continue;
    await readSelectedRows(session, partId, { ...reading, selection }, columns, (row) => {
      const excludedIds = excludedOfParts.get(row.id);
      if (excluded.has(row.id) || excludedIds === 'all') return;
      const { first, wanted } = wantedBySet.get(row.setId)!;
      for (const { id, entry: values, position } of wanted) {
        if (excludedIds?.has(id)) continue;
        const value = values.length < most ? row.valueAt(position - first) : NaN;
        if (!Number.isNaN(value)) values.push(value);
      }
    });
  }
  for (const values of newest.values()) values.reverse();
  return newest;
}

/** Reads the selected measurements of one part, newest first. */
export async function readSelectedRows(
  session: Session,
  partId: number,
  { selection, readable, configuration }: SelectedReading,
  columns: string,
  onRow: (row: MeasuredRow) => void,
): Promise<void> {
  const statement = selectionStatement(selection, readable, configuration, columns, {
    partIds: [partId],
    areColumnsOfMeasurement: true,
  });
  await readMeasuredRows(session, statement, onRow);
}
