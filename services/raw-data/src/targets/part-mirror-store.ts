import { advisoryKey, type Session } from '@sinebar/database';
import { targetColumns } from './target.js';
import type { OwningPart } from './target-resolver.js';

const PART_LOCK = advisoryKey('part', { item: 'uuid' });

/**
 * The mirror of all parts, within one unit of work.
 *
 * How it stays right although three writers feed it (refill, events, uploads), none of which sees the others:
 * - A path is only ever written as the inspection service gave it, as of some moment at or after the event that is being followed; no path is computed from
 *   another one. `PartMoved` names the parts whose mirrored path begins with the old or the new place, and their present paths are asked for. Of a part that
 *   moved meanwhile a later event is still to come, and by then the mirror holds a path that begins with that event's old place, so that it is found again.
 * - Nobody overwrites what is there but a refill or a move; an upload or `PartCreated` may therefore come late without harm.
 * - A part that was deleted does not come back: an upload adds its part only in the transaction that holds the shared lock on it and finds no
 *   `deleted_target` mark; `PartDeleted` takes the exclusive lock, writes the mark and removes the part. If the upload was first, the event still comes and
 *   removes both; if the event was first, the mark is seen. Marks outlive every upload's last look at the inspection service (see `forgetDeletions`).
 */
export class PartMirrorStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * Keeps the part from being deleted here until the transaction ends. A statement of its own: a statement that locks and reads sees the state before the
   * lock.
   */
  async lockShared(partUuid: string): Promise<void> {
    await this.session.query(`SELECT pg_advisory_xact_lock_shared(${PART_LOCK}) FROM (SELECT $1::text AS uuid) AS one`, [partUuid]);
  }

  /** Waits for all uploads to these parts and keeps new ones out until the transaction ends. */
  async lockExclusive(partUuids: readonly string[]): Promise<void> {
    await this.session.query(
      `SELECT pg_advisory_xact_lock(${PART_LOCK}) FROM (SELECT uuid FROM unnest($1::text[]) AS uuid ORDER BY uuid) AS sorted`,
      [partUuids],
    );
  }

  /** Whether the part is known to be deleted. */
  async isMarkedDeleted(partUuid: string): Promise<boolean> {
    const rows = await this.session.query(
      'SELECT FROM deleted_target WHERE (entity, target_uuid, characteristic_uuid) = ($1, $2::uuid, $3::uuid)',
      targetColumns({ entity: 'Part', uuid: partUuid }),
    );
    return rows.length > 0;
  }

  /** Only parts are marked: whether anything else exists is asked again under the lock on its part. */
  async markDeleted(partUuids: readonly string[]): Promise<void> {
    const columns = partUuids.map((uuid) => targetColumns({ entity: 'Part', uuid }));
    await this.session.query(
      `INSERT INTO deleted_target (entity, target_uuid, characteristic_uuid, at)
       SELECT entity, target, characteristic, clock_timestamp() FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS mark (entity, target, characteristic)
       ON CONFLICT (entity, target_uuid, characteristic_uuid) DO UPDATE SET at = excluded.at`,
      [columns.map(([entity]) => entity), columns.map(([, first]) => first), columns.map(([, , second]) => second)],
    );
  }

  /** Drops marks that no upload can meet any more. @param olderThanMs far longer than an upload's last question and its transaction take */
  async forgetDeletions(olderThanMs: number): Promise<void> {
    await this.session.query(`DELETE FROM deleted_target WHERE at < clock_timestamp() - $1 * interval '1 millisecond'`, [olderThanMs]);
  }

  /** Adds parts that are missing; those that are there keep their path. */
  async addMissing(parts: readonly OwningPart[]): Promise<void> {
    const [uuids, paths] = [parts.map(({ partUuid }) => partUuid), parts.map(({ path }) => path)];
    await this.session.query('INSERT INTO part (uuid, path) SELECT * FROM unnest($1::uuid[], $2::text[]) ON CONFLICT (uuid) DO NOTHING', [
      uuids,
      paths,
    ]);
  }

  /** Makes an end to the marks of parts that were created (again). */
  async unmark(partUuids: readonly string[]): Promise<void> {
    await this.session.query(`DELETE FROM deleted_target WHERE entity = 'Part' AND target_uuid = ANY($1::uuid[])`, [partUuids]);
  }

  /** Writes present paths over those of parts that are in the mirror. */
  async setPaths(parts: readonly OwningPart[]): Promise<void> {
    await this.session.query(
      `UPDATE part SET path = present.path FROM unnest($1::uuid[], $2::text[]) AS present (uuid, path)
       WHERE part.uuid = present.uuid AND part.path <> present.path`,
      [parts.map(({ partUuid }) => partUuid), parts.map(({ path }) => path)],
    );
  }

  async remove(partUuids: readonly string[]): Promise<void> {
    await this.session.query('DELETE FROM part WHERE uuid = ANY($1::uuid[])', [partUuids]);
  }

  /** Parts at or below any of these stored paths. */
  async partsBelow(paths: readonly string[]): Promise<string[]> {
    const rows = await this.session.query<{ uuid: string }>(
      `SELECT DISTINCT part.uuid FROM unnest($1::text[]) AS place (prefix)
       JOIN part ON part.path >= place.prefix AND part.path < left(place.prefix, -1) || '0'`,
      [paths],
    );
    return rows.map(({ uuid }) => uuid);
  }

  async pathOf(partUuid: string): Promise<string | undefined> {
    const [row] = await this.session.query<{ path: string }>('SELECT path FROM part WHERE uuid = $1::uuid', [partUuid]);
    return row?.path;
  }

  /** Writes one page of a refill. */
  async refill(parts: readonly { uuid: string; path: string }[], generation: number): Promise<void> {
    await this.session.query(
      `INSERT INTO part (uuid, path, generation) SELECT uuid, path, $3::bigint FROM unnest($1::uuid[], $2::text[]) AS listed (uuid, path)
       ON CONFLICT (uuid) DO UPDATE SET path = excluded.path, generation = excluded.generation`,
      [parts.map(({ uuid }) => uuid), parts.map(({ path }) => path), generation],
    );
  }

  /** Parts that the refill did not see: deleted, or created since. A page in the order of uuids. */
  async notSeenBy(generation: number, after: string | undefined, limit: number): Promise<string[]> {
    const rows = await this.session.query<{ uuid: string }>(
      'SELECT uuid FROM part WHERE generation <> $1::bigint AND ($2::uuid IS NULL OR uuid > $2::uuid) ORDER BY uuid LIMIT $3',
      [generation, after ?? null, limit],
    );
    return rows.map(({ uuid }) => uuid);
  }
}
