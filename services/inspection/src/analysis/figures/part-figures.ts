import { RunningFigures } from '@sinebar/statistics';
import type { ExcludedMeasurements } from '../../evaluation/evaluation-reader.ts';
import type { MeasuredRow } from './measured-rows.ts';
import type { PlannedCharacteristic } from './planned-characteristics.ts';

/** The positions of characteristics in a characteristic set, and their columns. */
interface SetColumns {
  positions: Int32Array;
  columns: Int32Array;
}

/** A list of characteristics that the values of measurements refer to. */
export interface PartSet {
  id: number;
  partId: number;
  /** By position. */
  characteristicIds: Int32Array;
}

/** Columns of characteristics of one part. */
export class PartColumns {
  private readonly ids: Int32Array;
  /** Columns by the id of the characteristic; `undefined` for ascending ids, which are found without it. */
  private readonly columns: ReadonlyMap<number, number> | undefined;

  /** @param ids of the characteristics, by column */
  constructor(ids: Int32Array) {
    this.ids = ids;
    this.columns = isAscending(ids) ? undefined : columnsOf(ids);
  }

  /** Finds the column of a characteristic; `undefined` where it has none. */
  columnOf(id: number): number | undefined {
    if (this.columns) return this.columns.get(id);
    const { ids } = this;
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return ids[low] === id ? low : undefined;
  }
}

/** Figures of characteristics of one part. */
export class PartFigures extends PartColumns {
  readonly figures: RunningFigures;

  /** @param ids of the characteristics, by column */
  constructor(ids: Int32Array, figures = new RunningFigures(ids.length)) {
    super(ids);
    this.figures = figures;
  }
}

function isAscending(ids: Int32Array): boolean {
  for (let column = 1; column < ids.length; column += 1) if (ids[column - 1]! >= ids[column]!) return false;
  return true;
}

function columnsOf(ids: Int32Array): Map<number, number> {
  const columns = new Map<number, number>();
  for (let column = 0; column < ids.length; column += 1) columns.set(ids[column]!, column);
  return columns;
}

/** Adds measurements of one part to figures, the newest one first. */
export class RowAdder {
  private readonly sets = new Map<number, SetColumns>();
  private readonly ids: Int32Array;
  private readonly excluded: ExcludedMeasurements;

  /** @param ids of the wanted characteristics */
  constructor(ids: Int32Array, sets: readonly PartSet[], excluded: ExcludedMeasurements) {
    this.ids = ids;
    this.excluded = excluded;
    const columns = new PartColumns(ids);
    for (const { id, characteristicIds } of sets) {
      const length = characteristicIds.length;
      const wanted: SetColumns = { positions: new Int32Array(length), columns: new Int32Array(length) };
      let count = 0;
      for (let position = 0; position < length; position += 1) {
        const column = columns.columnOf(characteristicIds[position]!);
        if (column === undefined) continue;
        wanted.positions[count] = position;
        wanted.columns[count] = column;
        count += 1;
      }
      if (count > 0) this.sets.set(id, { positions: wanted.positions.subarray(0, count), columns: wanted.columns.subarray(0, count) });
    }
  }

  /** Whether a measurement can have a value of a wanted characteristic. */
  get isNeeded(): boolean {
    return this.sets.size > 0;
  }

  /** Adds a row that is older than those before. @returns the number of its values, missing ones included */
  add(figures: RunningFigures, row: MeasuredRow): number {
    const set = this.sets.get(row.setId);
    if (!set) return 0;
    const { positions, columns } = set;
    const { time, id } = row;
    const excluded = this.excluded.get(id);
    if (excluded === 'all') return 0;
    for (let i = 0; i < positions.length; i += 1) {
      if (excluded?.has(this.ids[columns[i]!]!)) continue;
      figures.add(columns[i]!, row.valueAt(positions[i]!), time, id);
    }
    return positions.length;
  }
}

/** Groups characteristics by their part, in the order of the plan. */
export function byPart(characteristics: readonly PlannedCharacteristic[]): Map<number, PlannedCharacteristic[]> {
  return Map.groupBy(characteristics, ({ partId }) => partId);
}
