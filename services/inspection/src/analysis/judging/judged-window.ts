import { rawSql, sql, type Session } from '@sinebar/database';
import type { AssessedCharacteristic } from '../assessment/assessed-characteristics.ts';
import { readCopiedRows } from '../copied-rows.ts';
import { NULL_LENGTH } from '../copy-format.ts';
import { MeasuredRow } from '../figures/measured-rows.ts';
import type { PartSet } from '../figures/part-figures.ts';
import { wantedColumns, wantedPositions } from '../figures/wanted-positions.ts';
import { isFrom, isUpTo, type SortKey } from './alarm-changes.ts';

/** Measurements of a part from one sort key up to another one. */
export interface WindowRange {
  partId: number;
  /** Absent for the oldest measurement. */
  start: SortKey | undefined;
  /** Absent for the newest one. */
  end: SortKey | undefined;
}

/** Values of a characteristic in a window, oldest first. */
export interface WindowSeries {
  assessed: AssessedCharacteristic;
  /** NaN for a missing or excluded one; of single values a gap, however long, is one NaN. */
  values: Float64Array;
  /** Milliseconds since 1970, NaN without a time. */
  timeAt: (index: number) => number;
  /** Id of the measurement. */
  idAt: (index: number) => number;
}

/** A characteristic of which values are read, and the measurement with which a group begins. */
export interface WindowCharacteristic {
  assessed: AssessedCharacteristic;
  /** Measurements without a value are members of groups; absent for single values. */
  groupStart?: number | undefined;
}

interface Collected {
  characteristic: WindowCharacteristic;
  values: number[];
  /** Indices of their measurements. */
  rows: number[];
  endsInGap: boolean;
  isBegun: boolean;
}

/** Reads the values of characteristics of one part, those of groups from their beginning on. */
export async function readWindow(
  session: Session,
  characteristics: readonly WindowCharacteristic[],
  { partId, start, end }: WindowRange,
  sets: readonly PartSet[],
): Promise<WindowSeries[]> {
  const collected = new Map(
    characteristics.map((characteristic): [number, Collected] => [
      characteristic.assessed.characteristic.id,
      {
        characteristic,
        values: [],
        rows: [],
        endsInGap: false,
        isBegun: characteristic.groupStart === undefined,
      },
    ]),
  );
  const grouped = [...collected.values()].filter(({ characteristic }) => characteristic.groupStart !== undefined);
  const wantedBySet = new Map(sets.map((set) => [set.id, wantedPositions(set, collected)]));
  const columns = wantedColumns([...wantedBySet]);
  if (columns === undefined) return [];
  const [times, ids]: [number[], number[]] = [[], []];
  const row = new MeasuredRow();
  const statement = sql`SELECT ${rawSql(columns)} FROM measurement m
    WHERE m.part_id = ${partId}::int AND NOT m.aggregation ${isFrom(start)} ${isUpTo(end)}
    ORDER BY m.measured_at ASC NULLS FIRST, m.id ASC`;
  await readCopiedRows(session, statement, 4, (fields) => {
    const hasValues = fields.lengths[2] !== NULL_LENGTH && fields.lengths[3] !== NULL_LENGTH;
    if (hasValues) row.set(fields);
    else row.setHead(fields);
    times.push(row.time);
    ids.push(row.id);
    const index = ids.length - 1;
    const { first, wanted } = (hasValues && wantedBySet.get(row.setId)) || NOTHING;
    for (const one of grouped) addMember(one, index, row, hasValues ? first : undefined);
    for (const { entry, position } of wanted) {
      if (entry.characteristic.groupStart === undefined) addSingle(entry, index, row.id, row.valueAt(position - first));
    }
  });
  return Array.from(collected.values(), ({ characteristic, values, rows }) => ({
    assessed: characteristic.assessed,
    values: Float64Array.from(values),
    timeAt: (index) => times[rows[index]!]!,
    idAt: (index) => ids[rows[index]!]!,
  }));
}

const NOTHING = { first: 0, wanted: [] };

function addSingle(one: Collected, index: number, id: number, value: number): void {
  if (one.characteristic.assessed.excluded.has(id)) return;
  const isMissing = Number.isNaN(value);
  if (isMissing && one.endsInGap) return;
  one.endsInGap = isMissing;
  one.values.push(value);
  one.rows.push(index);
}

/** @param first position of the values that were read; `undefined` where there are none */
function addMember(one: Collected, index: number, row: MeasuredRow, first: number | undefined): void {
  const { groupStart, assessed } = one.characteristic;
  if (!one.isBegun && row.id !== groupStart) return;
  one.isBegun = true;
  const position = first === undefined ? undefined : assessed.characteristic.positions.get(row.setId);
  const isMissing = position === undefined || assessed.excluded.has(row.id);
  one.values.push(isMissing ? NaN : row.valueAt(position - 1 - first!));
  one.rows.push(index);
}
