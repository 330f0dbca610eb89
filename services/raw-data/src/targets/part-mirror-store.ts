import { advisoryKey, columnsOf, type Session } from '@sinebar/database';
import { targetColumns } from './target.js';
import type { OwningPart } from './target-resolver.js';

const PART_LOCK = advisoryKey('part', { item: 'uuid' });
const REFILL_LOCK = advisoryKey('refill');

/**
 * The mirror of all parts, within one unit of work.
 *
 * Three writers feed it (refill, events, uploads), none of which sees the others. It stays correct because:
 * - A path is only ever written as the inspection service gave it, as of some moment at or after the event that is followed; no path is
 *   computed from another one. `PartMoved` names the parts whose mirrored path begins with the old or the new place, and their present
 *   paths are asked for. If a part moved meanwhile, a later event is still to come, and by then the mirror holds a path that begins with
 *   that event's old place, so that it is found again.
 * - Only a refill or a move overwrites a path; an upload or `PartCreated` may therefore come late without harm.
 * - A deleted part does not come back: an upload adds its part only in the transaction that holds the shared lock on it and finds no
 *   `deleted_target` mark; `PartDeleted` takes the exclusive lock, writes the mark and later removes the part. If the upload was first, the
 *   event still comes and removes both; if the event was first, the upload sees the mark. Marks live longer than any upload (see
 *   `forgetDeletions`).
 * - An upload asks the inspection service before its transaction. It reads the revision of the part before it asks and again under the
 *   lock; the follower and the refill change the revision under the exclusive lock before they ask what exists. An upload with the same
 *   revision is therefore seen by them, and one with another revision asks again. See docs/decisions/0012-identity-of-targets.md.
 */
export class PartMirrorStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * Keeps follower and refill from changing the revision of the part until the transaction ends. A statement of its own: a statement that
   * locks and reads sees the state before the lock.
   */
  async lockShared(partUuid: string): Promise<void> {
    await this.session.query(
      `SELECT pg_advisory_xact_lock_shared(${REFILL_LOCK}), pg_advisory_xact_lock_shared(${PART_LOCK}) FROM (SELECT $1::text AS uuid) AS one`,
      [partUuid],
    );
  }

  /** Waits for all uploads to these parts and keeps new ones out until the transaction ends. */
  async lockExclusive(partUuids: readonly string[]): Promise<void> {
    await this.session.query(
      `SELECT pg_advisory_xact_lock(${PART_LOCK}) FROM (SELECT uuid FROM unnest($1::text[]) AS uuid ORDER BY uuid) AS sorted`,
      [partUuids],
    );
  }

  /** Waits for all uploads to all parts and keeps new ones out until the transaction ends. */
  async lockAllExclusive(): Promise<void> {
    await this.session.query(`SELECT pg_advisory_xact_lock(${REFILL_LOCK})`);
  }

  /** Changes with everything that may make an answer about the part or its targets out of date, a refill included. No value comes back. */
  async revisionOf(partUuid: string): Promise<string> {
    const [row] = await this.session.query<{ revision: string }>(
      `SELECT generation || ' ' || coalesce((SELECT revision::text FROM part WHERE uuid = $1::uuid), 'none') AS revision FROM follow_position`,
      [partUuid],
      { name: 'raw-data-part-revision' },
    );
    return row?.revision ?? '';
  }

  /** Makes uploads that asked about these parts before ask again. With the exclusive lock on them. */
  async changeRevisions(partUuids: readonly string[]): Promise<void> {
    await this.session.query('UPDATE part SET revision = pg_current_xact_id() WHERE uuid = ANY($1::uuid[])', [partUuids]);
  }

  /** Whether the part is known to be deleted. */
  async isMarkedDeleted(partUuid: string): Promise<boolean> {
    const rows = await this.session.query(
      'SELECT FROM deleted_target WHERE (entity, target_uuid, characteristic_uuid) = ($1, $2::uuid, $3::uuid)',
      targetColumns({ entity: 'Part', uuid: partUuid }),
    );
    return rows.length > 0;
  }

  /** Marks parts as deleted. Other targets need no mark: the revision of their part changes when their deletion is followed. */
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
    await this.session.query(
      'INSERT INTO part (uuid, path) SELECT * FROM unnest($1::uuid[], $2::text[]) ON CONFLICT (uuid) DO NOTHING',
      columnsOf(parts, 'partUuid', 'path'),
    );
  }

  /** Removes the marks of parts that exist. */
  async unmark(partUuids: readonly string[]): Promise<void> {
    await this.session.query(`DELETE FROM deleted_target WHERE entity = 'Part' AND target_uuid = ANY($1::uuid[])`, [partUuids]);
  }

  /** Writes present paths over those of parts that are in the mirror. */
  async setPaths(parts: readonly OwningPart[]): Promise<void> {
    await this.session.query(
      `UPDATE part SET path = present.path, revision = pg_current_xact_id() FROM unnest($1::uuid[], $2::text[]) AS present (uuid, path)
       WHERE part.uuid = present.uuid AND part.path <> present.path`,
      columnsOf(parts, 'partUuid', 'path'),
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
      [...columnsOf(parts, 'uuid', 'path'), generation],
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
