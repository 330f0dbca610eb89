import { advisoryKey, columnsOf, type Session } from '@sinebar/database';
import { targetColumns } from './target.ts';
import type { OwningPart } from './target-resolver.ts';

const PART_LOCK = advisoryKey('part', { item: 'uuid' });
const REFILL_LOCK = advisoryKey('refill');

/**
 * Statements on the mirror of all parts.
 *
 * Three writers change it independently: refill, events and uploads. It stays correct because:
 * - A path is only written as the inspection service gave it, at or after the followed event; none is computed from another.
 *   `PartMoved` selects the parts whose mirrored path begins with the old or the new path, and asks for their current paths.
 *   If a part moved meanwhile, a later event follows, whose old path is then in the mirror.
 * - Only a refill or a move overwrites a path; an upload or `PartCreated` may be late without harm.
 * - A deleted part is not added again: an upload adds its part only under the shared lock on it and without a `deleted_target` mark.
 *   `PartDeleted` takes the exclusive lock, writes the mark and later removes the part.
 *   If the upload is first, the event removes both; if the event is first, the upload sees the mark.
 *   Marks live longer than any upload (see `forgetDeletions`).
 * - An upload asks the inspection service before its transaction and reads the revision of the part before the request and under the lock.
 *   Follower and refill change the revision under the exclusive lock before they ask what exists.
 *   So they see an upload with the same revision, and one with another revision asks again. See docs/decisions/0012-identity-of-targets.md.
 */
export class PartMirrorStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * Keeps follower and refill from changing the revision of the part until the transaction ends.
   * Run it as a statement of its own: a statement that locks and reads sees the state before the lock.
   */
  async lockShared(partUuid: string): Promise<void> {
    await this.session.query(
      `SELECT pg_advisory_xact_lock_shared(${REFILL_LOCK}), pg_advisory_xact_lock_shared(${PART_LOCK})
       FROM (SELECT $1::text AS uuid) AS one`,
      [partUuid],
    );
  }

  /** Waits for all uploads to these parts and blocks new ones until the transaction ends. */
  async lockExclusive(partUuids: readonly string[]): Promise<void> {
    await this.session.query(
      `SELECT pg_advisory_xact_lock(${PART_LOCK}) FROM (SELECT uuid FROM unnest($1::text[]) AS uuid ORDER BY uuid) AS sorted`,
      [partUuids],
    );
  }

  /** Waits for all uploads to all parts and blocks new ones until the transaction ends. */
  async lockAllExclusive(): Promise<void> {
    await this.session.query(`SELECT pg_advisory_xact_lock(${REFILL_LOCK})`);
  }

  /**
   * Returns a number that changes with every change that may outdate an answer about the part or its targets, refills included. Values
   * never repeat.
   */
  async readRevision(partUuid: string): Promise<string> {
    const [row] = await this.session.query<{ revision: string }>(
      `SELECT generation || ' ' || coalesce((SELECT revision::text FROM part WHERE uuid = $1::uuid), 'none') AS revision
       FROM follow_position`,
      [partUuid],
      { name: 'raw-data-part-revision' },
    );
    return row?.revision ?? '';
  }

  /** Makes uploads that asked about these parts before ask again. Needs the exclusive lock on the parts. */
  async changeRevisions(partUuids: readonly string[]): Promise<void> {
    await this.session.query('UPDATE part SET revision = pg_current_xact_id() WHERE uuid = ANY($1::uuid[])', [partUuids]);
  }

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
       SELECT entity, target, characteristic, statement_timestamp()
       FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS mark (entity, target, characteristic)
       ON CONFLICT (entity, target_uuid, characteristic_uuid) DO UPDATE SET at = excluded.at`,
      [columns.map(([entity]) => entity), columns.map(([, first]) => first), columns.map(([, , second]) => second)],
    );
  }

  /**
   * Removes marks that no upload can meet any more. @param olderThanMs far longer than the time from an upload's last request to its commit
   */
  async forgetDeletions(olderThanMs: number): Promise<void> {
    await this.session.query(`DELETE FROM deleted_target WHERE at < statement_timestamp() - $1 * interval '1 millisecond'`, [olderThanMs]);
  }

  /** Adds missing parts; existing ones keep their path. */
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

  /** Overwrites the paths of parts that are in the mirror. */
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

  /** Lists the parts at or below any of these stored paths. */
  async partsBelow(paths: readonly string[]): Promise<string[]> {
    const rows = await this.session.query<{ uuid: string }>(
      `SELECT DISTINCT part.uuid FROM unnest($1::text[]) AS wanted (prefix)
       JOIN part ON part.path >= wanted.prefix AND part.path < left(wanted.prefix, -1) || '0'`,
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

  /** Lists parts that the refill did not see (deleted, or created since), a page in the order of uuids. */
  async notSeenBy(generation: number, after: string | undefined, limit: number): Promise<string[]> {
    const rows = await this.session.query<{ uuid: string }>(
      'SELECT uuid FROM part WHERE generation <> $1::bigint AND ($2::uuid IS NULL OR uuid > $2::uuid) ORDER BY uuid LIMIT $3',
      [generation, after ?? null, limit],
    );
    return rows.map(({ uuid }) => uuid);
  }
}
