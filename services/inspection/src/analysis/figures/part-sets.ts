import { sql, type Session } from '@sinebar/database';
import { readCopiedRows, type CopiedFields } from '../copied-rows.ts';
import { ARRAY_HEAD_BYTES, LENGTH_BYTES } from '../copy-format.ts';
import type { PartSet } from './part-figures.ts';

/** Reads the characteristic sets of parts. */
export async function readSets(session: Session, partIds: readonly number[]): Promise<PartSet[]> {
  const sets: PartSet[] = [];
  const statement = sql`SELECT id, part_id, characteristic_ids FROM characteristic_set WHERE part_id = ANY(${partIds}::int[])`;
  await readCopiedRows(session, statement, 3, (row) => {
    const [id, partId] = row.offsets;
    sets.push({ id: row.bytes.readInt32BE(id), partId: row.bytes.readInt32BE(partId), characteristicIds: idsOfArray(row, 2) });
  });
  return sets;
}

/** Decodes an `int[]` of one dimension without NULL. */
function idsOfArray({ bytes, offsets, lengths }: CopiedFields, field: number): Int32Array {
  const elementBytes = LENGTH_BYTES + Int32Array.BYTES_PER_ELEMENT;
  // An empty array has a shorter head.
  const ids = new Int32Array(Math.max(0, Math.floor((lengths[field]! - ARRAY_HEAD_BYTES) / elementBytes)));
  const first = offsets[field]! + ARRAY_HEAD_BYTES + LENGTH_BYTES;
  for (let i = 0; i < ids.length; i += 1) ids[i] = bytes.readInt32BE(first + i * elementBytes);
  return ids;
}
