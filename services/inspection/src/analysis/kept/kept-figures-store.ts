import { sql, type Session } from '@sinebar/database';
import { LEADING_FIELDS, RunningFigures } from '@sinebar/statistics';
import { readCopiedRows, type CopiedFields } from '../copied-rows.ts';
import { NULL_LENGTH, NUMBER_BYTES } from '../copy-format.ts';

const ID_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Figures of one part, and the characteristics of their columns. */
export interface StoredFigures {
  ids: Int32Array;
  figures: RunningFigures;
}

/** Figures of the older measurements of a part. */
export interface SettledFigures {
  ids: Int32Array;
  /** `undefined` when all measurements are recent. */
  figures: RunningFigures | undefined;
  /** The newest measurement in the figures, as texts of PostgreSQL. */
  end: { at: string | null; id: string } | undefined;
}

/** A part whose values have changed since its figures were computed. */
export interface ChangedPart {
  id: number;
  /** Whether older measurements have changed as well, so that everything has to be read. */
  isSettledChanged: boolean;
}

/** Whether a change `c` lies within the settled measurements of `k`. */
const IS_SETTLED_CHANGED = `coalesce(bool_or(CASE WHEN k.settled_id IS NULL THEN false
  WHEN k.settled_at IS NULL THEN c.measured_at IS NULL AND c.measurement_id <= k.settled_id
  ELSE c.measured_at IS NULL OR (c.measured_at, c.measurement_id) <= (k.settled_at, k.settled_id) END), false)`;

/** Whether the figures of all parts are kept, so that a part without a row has no values. */
export async function areFiguresKept(session: Session): Promise<boolean> {
  const [row] = await session.query<{ kept: boolean }>('SELECT EXISTS (SELECT FROM figure_state WHERE fill_at IS NULL) AS kept', [], {
    name: 'figures-kept',
  });
  return row?.kept === true;
}

/**
 * Reads the figures of parts as they were computed last.
 * @param fields `leading` leaves all but {@link LEADING_FIELDS} zero
 */
export async function readTotals(
  session: Session,
  partIds: readonly number[],
  fields: 'leading' | 'all',
): Promise<Map<number, StoredFigures>> {
  const total =
    fields === 'all'
      ? sql`k.total`
      : sql`substring(k.total FROM 1 FOR length(k.characteristics) / ${ID_BYTES}::int * ${LEADING_FIELDS * NUMBER_BYTES}::int)`;
  const totals = new Map<number, StoredFigures>();
  const statement = sql`SELECT k.part_id, k.characteristics, ${total} FROM kept_figures k WHERE k.part_id = ANY(${partIds}::int[])`;
  await readCopiedRows(session, statement, 3, (row) => {
    const ids = idsIn(row, 1);
    totals.set(row.bytes.readInt32BE(row.offsets[0]), { ids, figures: figuresIn(row, 2, ids.length) });
  });
  return totals;
}

/** Reads what {@link refreshedFigures} builds upon. @returns `undefined` for a part without kept figures */
export async function readSettled(session: Session, partId: number): Promise<SettledFigures | undefined> {
  const [end] = await session.query<{ at: string | null; id: string | null }>(
    'SELECT settled_at::text AS at, settled_id::text AS id FROM kept_figures WHERE part_id = $1',
    [partId],
    { name: 'figures-settled' },
  );
  if (!end) return undefined;
  let settled: SettledFigures | undefined;
  const { at, id } = end;
  const statement = sql`SELECT k.characteristics, k.settled FROM kept_figures k WHERE k.part_id = ${partId}::int`;
  await readCopiedRows(session, statement, 2, (row) => {
    const ids = idsIn(row, 0);
    settled =
      id === null || row.lengths[1] === NULL_LENGTH
        ? { ids, figures: undefined, end: undefined }
        : { ids, figures: figuresIn(row, 1, ids.length), end: { at, id } };
  });
  return settled;
}

/** Finds those of the parts whose figures are to be computed again. */
export async function readChangedParts(session: Session, partIds: readonly number[]): Promise<ChangedPart[]> {
  return session.query<ChangedPart & Record<string, unknown>>(
    `SELECT c.part_id AS id, ${IS_SETTLED_CHANGED} AS "isSettledChanged"
     FROM figure_change c LEFT JOIN kept_figures k ON k.part_id = c.part_id WHERE c.part_id = ANY($1::int[]) GROUP BY c.part_id`,
    [partIds],
    { name: 'changed-figures' },
  );
}

/** Takes the changes of the part that has waited longest. */
export async function takeChangedPart(session: Session): Promise<ChangedPart | undefined> {
  const [part] = await session.query<ChangedPart & Record<string, unknown>>(
    `WITH c AS (
       DELETE FROM figure_change WHERE part_id = (SELECT part_id FROM figure_change ORDER BY id LIMIT 1)
       RETURNING part_id, measured_at, measurement_id
     ) SELECT c.part_id AS id, ${IS_SETTLED_CHANGED} AS "isSettledChanged"
     FROM c LEFT JOIN kept_figures k ON k.part_id = c.part_id GROUP BY c.part_id`,
  );
  return part;
}

export function idsIn({ bytes, offsets, lengths }: CopiedFields, field: number): Int32Array {
  const ids = new Int32Array(lengths[field]! / ID_BYTES);
  copyInto(new Uint8Array(ids.buffer), bytes, offsets[field]!, lengths[field]!);
  return ids;
}

function figuresIn({ bytes, offsets, lengths }: CopiedFields, field: number, columns: number): RunningFigures {
  const figures = new RunningFigures(columns);
  copyInto(new Uint8Array(figures.data.buffer), bytes, offsets[field]!, lengths[field]!);
  return figures;
}

/** Copies, because an array of numbers needs an aligned offset. */
export function copyInto(target: Uint8Array, bytes: Buffer, offset: number, length: number): void {
  bytes.copy(target, 0, offset, offset + length);
}
