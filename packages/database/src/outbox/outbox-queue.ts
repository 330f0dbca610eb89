import type pg from 'pg';
import { advisoryKey } from '../advisory-locks.ts';
import { runQuery } from '../connection/run-query.ts';

export interface OutboxRow {
  id: bigint;
  /** JSON text of a ChangeEnvelope. */
  envelope: string;
}

export interface OutboxBatch {
  rows: OutboxRow[];
  isFull: boolean;
  /** Number of waiting rows including these; an upper bound when the batch is full. */
  waiting: number;
  ageMs: number;
  /** Transactions below `xmin` have ended, those from `xmax` on had not begun when the batch was read. */
  xmin: bigint;
  xmax: bigint;
}

interface BatchRow {
  xmin: string;
  xmax: string;
  id: string | null;
  envelope: string | null;
  age_ms: number | null;
  seen: number | null;
}

/** Most bytes of a batch of several rows: it is parsed and published in one turn of the event loop. */
const MAX_BATCH_BYTES = 2 ** 20;
/** Interval of a full read that ignores the floor, in case ids ever decrease. */
const FULL_READ_INTERVAL_MS = 10_000;

/** The outbox as seen by one connection; only the lock holder reads and removes rows. */
export class OutboxQueue {
  private readonly client: pg.Client;
  private readonly lockKey: string;
  private readonly batchSize: number;
  /**
   * No row at or below this id can appear any more.
   * It saves reading over removed rows, which stay in the index while a snapshot is open: millions during a long streaming answer.
   */
  private floor = 0n;
  /** Next floor, valid when all transactions have ended that had begun when it was read, because they may hold lower ids. */
  private nextFloor: { id: bigint; xmax: bigint } | undefined;
  private fullReadAt = 0;

  constructor(client: pg.Client, schema: string, batchSize: number) {
    this.client = client;
    this.lockKey = advisoryKey('outbox', { schema });
    this.batchSize = batchSize;
  }

  /** Tries to take the relay lock, until the connection ends or `release`. */
  async take(): Promise<{ taken: boolean; rows: number; ageMs: number }> {
    const { rows } = await this.client.query<{ taken: boolean; waiting: number; age_ms: number | null }>(
      `SELECT pg_try_advisory_lock(${this.lockKey}) AS taken,
              (SELECT coalesce(max(id) - min(id) + 1, 0)::float8 FROM outbox) AS waiting,
              (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 FROM outbox ORDER BY id LIMIT 1) AS age_ms`,
    );
    return { taken: rows[0]?.taken === true, rows: rows[0]?.waiting ?? 0, ageMs: rows[0]?.age_ms ?? 0 };
  }

  /** @throws when the connection, and with it the lock, is lost */
  async keepAlive(): Promise<void> {
    await this.client.query('SELECT 1');
  }

  async release(): Promise<void> {
    await this.client.query(`SELECT pg_advisory_unlock(${this.lockKey})`);
  }

  /** Reads the oldest rows by id. A row with a lower id can appear later, when its transaction commits later. */
  async oldest(): Promise<OutboxBatch> {
    if (performance.now() >= this.fullReadAt) {
      this.floor = 0n;
      this.fullReadAt = performance.now() + FULL_READ_INTERVAL_MS;
    }
    const { rows } = await runQuery<BatchRow>(this.client, {
      name: 'outbox-oldest',
      text: `SELECT pg_snapshot_xmin(snapshot)::text AS xmin, pg_snapshot_xmax(snapshot)::text AS xmax, id::text, envelope, age_ms, seen
             FROM (SELECT pg_current_snapshot() AS snapshot) AS now
             LEFT JOIN LATERAL (
               SELECT id, envelope, extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 AS age_ms, seen
               FROM (
                 SELECT oldest.*, count(*) OVER ()::int AS seen, row_number() OVER (ORDER BY id) AS place,
                        sum(octet_length(envelope)) OVER (ORDER BY id) AS bytes
                 FROM (SELECT * FROM outbox WHERE id > $1 ORDER BY id LIMIT $2) AS oldest
               ) AS measured WHERE place = 1 OR bytes <= ${MAX_BATCH_BYTES}
             ) AS waiting ON true
             ORDER BY waiting.id`,
      values: [this.floor.toString(), this.batchSize],
    });
    const found = rows.flatMap(({ id, envelope }) => (id === null || envelope === null ? [] : [{ id: BigInt(id), envelope }]));
    const isFull = found.length === this.batchSize || found.length < (rows[0]?.seen ?? 0);
    return {
      rows: found,
      isFull,
      waiting: isFull ? await this.upperBound(found) : found.length,
      ageMs: rows[0]?.age_ms ?? 0,
      xmin: BigInt(rows[0]?.xmin ?? 0),
      xmax: BigInt(rows[0]?.xmax ?? 0),
    };
  }

  private async upperBound(found: readonly OutboxRow[]): Promise<number> {
    const { rows } = await this.client.query<{ last: string | null }>('SELECT max(id)::text AS last FROM outbox');
    const first = found[0]?.id ?? 0n;
    return Number(BigInt(rows[0]?.last ?? first) - first) + 1;
  }

  async done(batch: OutboxBatch, count: number): Promise<void> {
    if (count > 0) {
      const ids = batch.rows.slice(0, count).map((row) => row.id.toString());
      await runQuery(this.client, { name: 'outbox-done', text: 'DELETE FROM outbox WHERE id = ANY($1::bigint[])', values: [ids] });
    }
    if (count === batch.rows.length) this.raiseFloor(batch);
  }

  private raiseFloor(batch: OutboxBatch): void {
    const last = batch.rows.at(-1)?.id;
    const next = this.nextFloor;
    // Ids ascend in the order of assignment, so the holder of an id below `next.id` began before `next.xmax`.
    if (next && batch.xmin >= next.xmax) {
      const floor = batch.isFull && last !== undefined && last < next.id ? last : next.id;
      if (floor > this.floor) this.floor = floor;
      this.nextFloor = undefined;
    }
    if (!this.nextFloor && last !== undefined) this.nextFloor = { id: last, xmax: batch.xmax };
  }
}
