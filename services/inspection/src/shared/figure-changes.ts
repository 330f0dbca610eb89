import type { WriteSession } from '@sinebar/database';

/** The place of a measurement among those of its part, which are ordered by time, those without a time first, and by id. */
interface Place {
  /** Text in the form of `toPostgresTimestamp`. */
  measuredAt: string | null;
  id: bigint;
}

/** Length of a time of the years 1 to 9999, which are compared as texts. */
const COMPARABLE_LENGTH = '2026-01-31T08:05:00.000000Z'.length;

/**
 * Changes of a transaction in the figures that are kept of each part: the oldest measurement that was added, changed or moved.
 * Each writer of values stores it in its transaction (docs/decisions/0037-kept-figures.md).
 */
export class FigureChanges {
  private readonly oldest = new Map<number, Place>();

  /** @param id of the measurement, or a smaller one */
  add(partId: number, measuredAt: string | null, id: string): void {
    const place = { measuredAt: measuredAt?.length === COMPARABLE_LENGTH ? measuredAt : null, id: BigInt(id) };
    const known = this.oldest.get(partId);
    if (!known || isBefore(place, known)) this.oldest.set(partId, place);
  }

  /** @returns a statement without parameters; `undefined` when nothing was changed */
  statement(): string | undefined {
    if (this.oldest.size === 0) return undefined;
    const rows = [...this.oldest].map(
      ([partId, { measuredAt, id }]) => `(${partId}, ${measuredAt === null ? 'NULL' : `'${measuredAt}'`}, ${id})`,
    );
    return `INSERT INTO figure_change (part_id, measured_at, measurement_id) VALUES ${rows.join(', ')}`;
  }
}

function isBefore(a: Place, b: Place): boolean {
  if (a.measuredAt === b.measuredAt) return a.id < b.id;
  return a.measuredAt === null || (b.measuredAt !== null && a.measuredAt < b.measuredAt);
}

/** Builds the statement by which all figures of parts are computed again. @param parts query of one column, the ids */
export function changesOfParts(parts: string): string {
  return `INSERT INTO figure_change (part_id, measured_at, measurement_id) SELECT part.id, NULL, 0 FROM (${parts}) AS part (id)`;
}

/** Has all figures of the parts computed again. */
export async function markParts(session: WriteSession, partIds: readonly number[]): Promise<void> {
  if (partIds.length > 0) await session.query(changesOfParts('SELECT unnest($1::int[])'), [partIds]);
}

/** Does the same as {@link markParts}. */
export async function markPartsByUuid(session: WriteSession, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await session.query(changesOfParts('SELECT id FROM plan_item WHERE uuid = ANY($1::uuid[])'), [uuids]);
}
