import { rawSql, sql, type Session, type Sql } from '@sinebar/database';
import { readCopiedRows } from '../copied-rows.ts';
import { NULL_LENGTH, POSTGRES_EPOCH_MS } from '../copy-format.ts';
import { MEASURED_COLUMNS, MeasuredRow } from '../figures/measured-rows.ts';
import type { PartSet } from '../figures/part-figures.ts';
import { findSortKey, isBehind, isChanged, isFrom, isUpTo, sortKeyBehind, type PartChanges, type SortKey } from './alarm-changes.ts';

/** Values that are judged in one step, and measurements at most: they fit into memory, and take part of a second. */
const VALUES_PER_STEP = 400_000;
const MAX_MEASUREMENTS = 5000;
/** Measurements between changed ones that are read along rather than in another step. */
const MAX_GAP = 2000;

/** Measurements of a part that are to be judged. */
export interface ChangedMeasurements {
  /** Times at which they were written, by their ids; milliseconds since 1970. */
  writtenAt: ReadonlyMap<number, number>;
  first: SortKey;
  last: SortKey;
  /** Characteristics that have values. */
  characteristicIds: ReadonlySet<number>;
}

export interface ChangedPart {
  changed: ChangedMeasurements | undefined;
  /** Whether measurements have become aggregations. */
  hasLeft: boolean;
  /** Sort key at which the next step goes on. */
  next?: SortKey;
}

/** Reads the oldest changed measurements of a part that lie near each other. */
export async function readChangedMeasurements(session: Session, changes: PartChanges, sets: readonly PartSet[]): Promise<ChangedPart> {
  const { partId, from, times } = changes;
  if (!from) return { changed: undefined, hasLeft: false };
  const widest = sets.reduce((most, { characteristicIds }) => Math.max(most, characteristicIds.length), 1);
  const limit = Math.min(Math.max(Math.floor(VALUES_PER_STEP / widest), 1), MAX_MEASUREMENTS);
  const end = await sortKeyBehind(session, partId, from, limit + MAX_GAP);
  const setsById = new Map(sets.map((set) => [set.id, set]));
  const characteristicIds = new Set<number>();
  const writtenAt = new Map<number, number>();
  let [first, last]: (SortKey | undefined)[] = [];
  let count = 0;
  let hasLeft = false;
  const row = new MeasuredRow();
  const changedRows = (range: Sql, columns: Sql, most: number) => sql`SELECT ${columns} FROM measurement m
    WHERE m.part_id = ${partId}::int AND ${isChanged(times)} ${range} ORDER BY m.measured_at ASC NULLS FIRST, m.id ASC LIMIT ${most}::int`;
  const columns = rawSql(`${MEASURED_COLUMNS}, m.last_modified, m.aggregation, m.measured_at::text`);
  await readCopiedRows(session, changedRows(sql`${isFrom(from)} ${isUpTo(end)}`, columns, limit), 7, (fields) => {
    const { bytes, offsets, lengths } = fields;
    const id = wholeAt(bytes, offsets[1]!);
    count += 1;
    const at = lengths[6] === NULL_LENGTH ? null : bytes.subarray(offsets[6], offsets[6]! + lengths[6]!).toString('latin1');
    last = { at, id: String(id) };
    first ??= last;
    if (bytes[offsets[5]!] === 1) {
      hasLeft = true;
      return;
    }
    writtenAt.set(id, POSTGRES_EPOCH_MS + wholeAt(bytes, offsets[4]!) / 1000);
    if (lengths[2] === NULL_LENGTH || lengths[3] === NULL_LENGTH) return;
    row.set(fields);
    setsById.get(row.setId)?.characteristicIds.forEach((characteristic, position) => {
      if (!characteristicIds.has(characteristic) && !Number.isNaN(row.valueAt(position))) characteristicIds.add(characteristic);
    });
  });
  const isAtEnd = count < limit && end === undefined;
  const next = isAtEnd
    ? undefined
    : await findSortKey(session, changedRows(isBehind(count < limit ? end! : last!), rawSql('m.measured_at, m.id'), 1));
  const found = first && last && { writtenAt, first, last, characteristicIds };
  return { changed: found, hasLeft, ...(next && { next }) };
}

function wholeAt(bytes: Buffer, offset: number): number {
  return bytes.readInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4);
}
