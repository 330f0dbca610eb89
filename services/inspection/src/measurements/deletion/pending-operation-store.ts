import type { ErrorBody, OperationState } from '@sinebar/contracts';
import { sql, tryAdvisoryLock, type Session, type Sql } from '@sinebar/database';
import type { AsyncDeletion, OpenOperation, StoredDeletion } from './pending-operation.ts';

const RETENTION = `interval '1 day'`;

interface OpenRow {
  uuid: string;
  request: StoredDeletion;
  request_id: string;
  last_measurement_id: string;
  total: string | null;
  done: string;
  failures: number;
}

/** Operations and their remaining measurements, within one transaction. */
export class PendingOperationStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async add(uuid: string, deletion: AsyncDeletion, requestId: string, at: Date): Promise<void> {
    await this.session.query(
      `INSERT INTO pending_operation (uuid, request, request_id, requested_at, last_measurement_id)
       SELECT $1, $2, $3, $4, coalesce(max(id), 0) FROM measurement`,
      [uuid, JSON.stringify(deletion), requestId, at],
    );
  }

  /** @returns `undefined` when the operation does not exist or has expired */
  async state(uuid: string): Promise<OperationState | undefined> {
    const [row] = await this.session.query<{ finished: boolean; failure: ErrorBody | null }>(
      'SELECT finished_at IS NOT NULL AS finished, failure FROM pending_operation WHERE uuid = $1::uuid',
      [uuid],
      { name: 'pending-operation-state' },
    );
    if (!row) return undefined;
    const status = row.failure ? 'Exception' : row.finished ? 'Finished' : 'Running';
    return { OperationUuid: uuid, ExecutionStatus: status, Exception: row.failure };
  }

  /**
   * @returns the user key of the caller who requested it, `null` where it is unknown; `undefined` when the operation does not exist or has
   * expired
   */
  async findRequester(uuid: string): Promise<string | null | undefined> {
    const [row] = await this.session.query<{ name: string | null }>(
      `SELECT request ->> 'requestedBy' AS name FROM pending_operation WHERE uuid = $1::uuid`,
      [uuid],
      { name: 'pending-operation-requester' },
    );
    return row?.name;
  }

  /** @returns false when another transaction runs a step at the moment */
  lock(): Promise<boolean> {
    return tryAdvisoryLock(this.session, 'pendingOperations');
  }

  async next(): Promise<OpenOperation | undefined> {
    const [row] = await this.session.query<OpenRow>(
      `SELECT uuid, request, request_id, last_measurement_id::text AS last_measurement_id, total::text AS total,
         done::text AS done, failures
       FROM pending_operation WHERE finished_at IS NULL ORDER BY requested_at, uuid LIMIT 1`,
    );
    return (
      row && {
        uuid: row.uuid,
        requestId: row.request_id,
        request: row.request,
        lastMeasurementId: row.last_measurement_id,
        total: row.total === null ? null : Number(row.total),
        done: Number(row.done),
        failures: row.failures,
      }
    );
  }

  /** Stores the list of measurements to delete. @param selected yields them by its column `id` @returns their count */
  async collect({ uuid, lastMeasurementId }: OpenOperation, selected: Sql): Promise<number> {
    const [row] = await this.session.query<{ count: string }>(
      sql`WITH items AS (
         INSERT INTO pending_operation_item SELECT ${uuid}::uuid, chosen.id FROM (${selected}) AS chosen
         WHERE chosen.id <= ${lastMeasurementId}::bigint RETURNING 1)
       UPDATE pending_operation SET total = (SELECT count(*) FROM items), failures = 0
       WHERE uuid = ${uuid}::uuid RETURNING total::text AS count`,
    );
    return Number(row?.count);
  }

  async readParts(uuid: string): Promise<{ uuid: string; path: string }[]> {
    return this.session.query<{ uuid: string; path: string }>(
      `SELECT uuid, path FROM plan_item WHERE id IN (
         SELECT part_id FROM pending_operation_item JOIN measurement ON measurement.id = measurement_id WHERE operation = $1::uuid)`,
      [uuid],
    );
  }

  /** Removes the next measurements from the list. @returns their ids as text */
  async takeBatch(uuid: string, limit: number): Promise<string[]> {
    const rows = await this.session.query<{ id: string }>(
      `DELETE FROM pending_operation_item WHERE operation = $1::uuid AND measurement_id = ANY (ARRAY(
         SELECT measurement_id FROM pending_operation_item WHERE operation = $1::uuid ORDER BY measurement_id LIMIT $2))
       RETURNING measurement_id::text AS id`,
      [uuid, limit],
    );
    await this.session.query('UPDATE pending_operation SET done = done + $2, failures = 0 WHERE uuid = $1::uuid', [uuid, rows.length]);
    return rows.map(({ id }) => id);
  }

  /** @param failure the error body that a request would have received; batches that were committed before stay deleted */
  async finish(uuid: string, at: Date, failure: ErrorBody | null): Promise<void> {
    await this.session.query('DELETE FROM pending_operation_item WHERE operation = $1::uuid', [uuid]);
    await this.session.query('UPDATE pending_operation SET finished_at = $2, failure = $3 WHERE uuid = $1::uuid AND finished_at IS NULL', [
      uuid,
      at,
      failure && JSON.stringify(failure),
    ]);
  }

  async recordFailure(uuid: string): Promise<void> {
    await this.session.query('UPDATE pending_operation SET failures = failures + 1 WHERE uuid = $1::uuid', [uuid]);
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.session.query(`DELETE FROM pending_operation WHERE finished_at < $1::timestamptz - ${RETENTION}`, [now]);
  }
}
