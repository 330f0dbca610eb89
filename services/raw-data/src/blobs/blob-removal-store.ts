import { tryAdvisoryLock, type Session } from '@sinebar/database';

/**
 * Delay in milliseconds of a removal that an upload orders before it writes a large object and cancels with its row.
 * It is longer than any upload.
 */
export const ANNOUNCED_FOR_MS = 24 * 3600 * 1000;
/** After this time the server has ended any transaction whose connection was lost, milliseconds. */
export const UNKNOWN_OUTCOME_MS = 120_000;

/** Orders to remove objects: written in the transaction that deletes their rows, carried out after it. */
export class BlobRemovalStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** @param afterMs delay of the removal */
  async order(objectNames: readonly string[], afterMs = 0): Promise<void> {
    await this.session.query(
      `INSERT INTO blob_removal (object_name, due) SELECT name, statement_timestamp() + $2 * interval '1 millisecond'
       FROM unnest($1::uuid[]) AS name
       ON CONFLICT (object_name) DO UPDATE SET due = least(blob_removal.due, excluded.due)`,
      [objectNames, afterMs],
    );
  }

  /** Orders the removal of the bytes of a replaced file. @param md5 32 hexadecimal digits */
  async orderReplaced({ objectName, md5 }: { objectName: string; md5: string }): Promise<void> {
    await this.session.query(
      `INSERT INTO blob_removal (object_name, due, md5) VALUES ($1::uuid, statement_timestamp(), decode($2, 'hex'))
       ON CONFLICT (object_name) DO UPDATE SET due = excluded.due, md5 = excluded.md5`,
      [objectName, md5],
    );
  }

  /**
   * Makes removals due now that wait for another attempt, or for uploads older than `olderThanMs`, which have ended.
   * The age of an order follows from its due time.
   * @returns the number of due removals
   */
  async hasten(olderThanMs: number): Promise<number> {
    const rows = await this.session.query(
      `UPDATE blob_removal SET due = statement_timestamp()
       FROM (SELECT statement_timestamp() + $1 * interval '1 millisecond' AS unknown,
               statement_timestamp() + $2 * interval '1 millisecond' AS announced,
               statement_timestamp() + $3 * interval '1 millisecond' AS soon) AS longest
       WHERE due > statement_timestamp() AND (attempts > 0 OR due <= longest.unknown OR (due > longest.soon AND due <= longest.announced))
       RETURNING object_name`,
      [UNKNOWN_OUTCOME_MS - olderThanMs, ANNOUNCED_FOR_MS - olderThanMs, UNKNOWN_OUTCOME_MS],
    );
    return rows.length;
  }

  /** Deletes orders that were carried out. @returns the MD5 of the removed contents */
  async complete(objectNames: readonly string[]): Promise<Buffer[]> {
    const rows = await this.session.query<{ md5: Buffer | null }>(
      'DELETE FROM blob_removal WHERE object_name = ANY($1::uuid[]) RETURNING md5',
      [objectNames],
    );
    return rows.flatMap(({ md5 }) => md5 ?? []);
  }

  /** @returns the number of orders that still existed */
  async cancel(objectNames: readonly string[]): Promise<number> {
    return (await this.session.query('DELETE FROM blob_removal WHERE object_name = ANY($1::uuid[]) RETURNING object_name', [objectNames]))
      .length;
  }

  /**
   * Leases due orders for `leaseMs`; after a crash another process takes them. The lease doubles with every attempt, up to an hour.
   * Discards orders for objects with a row: bytes in use are never removed.
   * @returns none while a backup holds the lock `removals` exclusively
   */
  async take(limit: number, leaseMs: number): Promise<string[]> {
    if (!(await tryAdvisoryLock(this.session, 'removals', 'shared'))) return [];
    await this.session.query(
      `DELETE FROM blob_removal WHERE due <= statement_timestamp()
       AND (EXISTS (SELECT FROM raw_data_object WHERE raw_data_object.object_name = blob_removal.object_name)
         OR EXISTS (SELECT FROM thumbnail WHERE thumbnail.object_name = blob_removal.object_name))`,
    );
    const rows = await this.session.query<{ object_name: string }>(
      // Citus takes no time that depends on a column in an UPDATE.
      `WITH taken AS MATERIALIZED (
         SELECT object_name, statement_timestamp() + least($2 * power(2, least(attempts, 20)), 3600000) * interval '1 millisecond' AS due
         FROM blob_removal WHERE due <= statement_timestamp() ORDER BY blob_removal.due LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       UPDATE blob_removal SET attempts = attempts + 1, due = taken.due FROM taken WHERE blob_removal.object_name = taken.object_name
       RETURNING blob_removal.object_name`,
      [limit, leaseMs],
    );
    return rows.map(({ object_name }) => object_name);
  }
}
