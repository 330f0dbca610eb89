import { randomBytes } from 'node:crypto';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { LogPage, MessageLog, StreamState, StreamUsage } from '@sinebar/message-bus';
import pg from 'pg';

export interface StoredMessageLogOptions {
  /** A PostgreSQL database in which this account may create the schema `bus`. */
  url: string;
  /** Maximum messages after `trim`. */
  maxMessages: number;
  /** Maximum bytes of message text after `trim`. */
  maxBytes: number;
  onConnectionError?: (error: Error) => void;
}

/** Maximum bytes of one statement: they are encoded or parsed in one turn of the event loop. */
const APPEND_BYTES = 2 ** 20;
const PAGE_BYTES = 2 ** 20;
const TRIM_BATCH = 5_000;
/** Size of the pool for readers of the stream; each page holds one connection. */
const CONNECTIONS = 4;

const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS bus;
  CREATE TABLE IF NOT EXISTS bus.stream (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    epoch text NOT NULL,
    first_sequence int8 NOT NULL,
    last_sequence int8 NOT NULL,
    kept_bytes int8 NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS bus.message (
    sequence int8 PRIMARY KEY,
    id text NOT NULL UNIQUE,
    body text NOT NULL,
    size_bytes int4 NOT NULL
  );`;

/** Sequences have no gaps: they come from the stream's row, and a duplicate message takes none. */
const APPEND = `
  WITH stream AS (SELECT last_sequence FROM bus.stream FOR UPDATE),
  given AS (SELECT DISTINCT ON (id) id, body, n FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given(id, body, n) ORDER BY id, n),
  added AS (
    INSERT INTO bus.message (sequence, id, body, size_bytes)
    SELECT last_sequence + row_number() OVER (ORDER BY n), id, body, octet_length(body) FROM stream, given
    WHERE NOT EXISTS (SELECT FROM bus.message AS kept WHERE kept.id = given.id)
    RETURNING size_bytes
  ),
  total AS (SELECT count(*) AS messages, coalesce(sum(size_bytes), 0) AS bytes FROM added)
  UPDATE bus.stream SET last_sequence = last_sequence + total.messages, kept_bytes = kept_bytes + total.bytes FROM total
  RETURNING last_sequence, total.messages::int4 AS messages`;

/** One statement reads state and messages in one snapshot; it returns at least one message, then as many as fit. */
const READ = `
  SELECT epoch, first_sequence, last_sequence, page.sequence, page.body
  FROM bus.stream LEFT JOIN LATERAL (
    SELECT sequence, body FROM (
      SELECT sequence, body, size_bytes, sum(size_bytes) OVER (ORDER BY sequence) AS running FROM (
        SELECT sequence, body, size_bytes FROM bus.message
        WHERE sequence > greatest($1::int8, first_sequence - 1) ORDER BY sequence LIMIT $2
      ) AS next
    ) AS sized WHERE running - size_bytes < ${PAGE_BYTES}
  ) AS page ON true ORDER BY page.sequence`;

/** Removes up to one batch of messages beyond the limits of number or bytes. */
const TRIM = `
  WITH stream AS (SELECT first_sequence, last_sequence, kept_bytes FROM bus.stream FOR UPDATE),
  oldest AS (
    SELECT sequence, size_bytes, sum(size_bytes) OVER (ORDER BY sequence) - size_bytes AS before FROM (
      SELECT sequence, size_bytes FROM bus.message WHERE sequence >= (SELECT first_sequence FROM stream)
        ORDER BY sequence LIMIT ${TRIM_BATCH}
    ) AS batch
  ),
  excess AS (
    SELECT oldest.sequence, oldest.size_bytes FROM oldest, stream
    WHERE oldest.sequence <= last_sequence - $1::int8 OR oldest.before < kept_bytes - $2::int8
  ),
  removed AS (DELETE FROM bus.message WHERE sequence <= (SELECT max(sequence) FROM excess)),
  total AS (SELECT count(*) AS messages, coalesce(sum(size_bytes), 0) AS bytes FROM excess)
  UPDATE bus.stream SET first_sequence = bus.stream.first_sequence + total.messages, kept_bytes = bus.stream.kept_bytes - total.bytes
  FROM total WHERE total.messages > 0 RETURNING total.messages::int4 AS messages`;

interface StateRow {
  epoch: string;
  first_sequence: string;
  last_sequence: string;
}

interface AppendedRow {
  last_sequence: string;
  messages: number;
}

interface ReadRow extends StateRow {
  sequence: string | null;
  body: string | null;
}

/** Event stream of the in-process bus in PostgreSQL: positions of clients and followers survive a restart. spec: decisions.md 7.2, 7.4 */
export class StoredMessageLog implements MessageLog {
  private readonly pool: pg.Pool;
  private readonly maxMessages: number;
  private readonly maxBytes: number;

  private constructor(options: StoredMessageLogOptions) {
    this.maxMessages = options.maxMessages;
    this.maxBytes = options.maxBytes;
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: CONNECTIONS,
      application_name: 'sinebar-bus',
      connectionTimeoutMillis: 10_000,
      statement_timeout: 60_000,
    });
    this.pool.on('error', (error) => options.onConnectionError?.(error));
    // The pool has no error listener on a used connection, whose loss would end the process. Its user gets the error from the statement.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Creates schema and stream when they do not exist. */
  static async open(options: StoredMessageLogOptions): Promise<StoredMessageLog> {
    const log = new StoredMessageLog(options);
    try {
      await log.pool.query(SCHEMA);
      await log.pool.query(
        `INSERT INTO bus.stream (epoch, first_sequence, last_sequence, kept_bytes) VALUES ($1, 1, 0, 0) ON CONFLICT DO NOTHING`,
        [randomBytes(8).toString('hex')],
      );
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async usage(): Promise<StreamUsage> {
    const { rows } = await this.pool.query<{ bytes: string }>('SELECT kept_bytes AS bytes FROM bus.stream');
    return { bytes: Number(rows[0]?.bytes ?? 0), maxBytes: this.maxBytes };
  }

  async state(): Promise<StreamState> {
    const { rows } = await this.pool.query<StateRow>('SELECT epoch, first_sequence, last_sequence FROM bus.stream');
    return stateOf(rows[0]);
  }

  async append(envelopes: readonly ChangeEnvelope[]): Promise<number | undefined> {
    const batches = inBatches(envelopes);
    const [first] = batches;
    if (!first) return undefined;
    if (batches.length === 1) {
      const { rows } = await this.pool.query<AppendedRow>(appendStatement(first));
      return rows[0]?.messages === envelopes.length ? Number(rows[0].last_sequence) : undefined;
    }
    const client = await this.pool.connect();
    let broken = true;
    try {
      await client.query('BEGIN');
      for (const batch of batches) await client.query(appendStatement(batch));
      await client.query('COMMIT');
      broken = false;
      return undefined;
    } finally {
      // A connection with an unfinished transaction is closed, which rolls back.
      client.release(broken);
    }
  }

  async read(after: number, limit: number): Promise<LogPage> {
    const { rows } = await this.pool.query<ReadRow>(READ, [after, limit]);
    const messages: LogPage['messages'] = [];
    for (const { sequence, body } of rows) {
      if (sequence !== null && body !== null) messages.push({ sequence: Number(sequence), envelope: JSON.parse(body) as ChangeEnvelope });
    }
    return { state: stateOf(rows[0]), messages };
  }

  async trim(): Promise<void> {
    for (;;) {
      const { rows } = await this.pool.query<{ messages: number }>(TRIM, [this.maxMessages, this.maxBytes]);
      if ((rows[0]?.messages ?? 0) < TRIM_BATCH) return;
    }
  }

  async close(): Promise<void> {
    // A server that is stopped right behind may end a connection before it has read that the pool leaves.
    this.pool.removeAllListeners('error').on('error', () => undefined);
    await this.pool.end();
  }
}

function stateOf(row: StateRow | undefined): StreamState {
  if (!row) throw new Error('the event stream has lost its row in bus.stream');
  return { epoch: row.epoch, firstSequence: Number(row.first_sequence), lastSequence: Number(row.last_sequence) };
}

interface AppendBatch {
  ids: string[];
  bodies: string[];
}

/** Prepared, because planning takes as long as the insert of one message. */
function appendStatement({ ids, bodies }: AppendBatch): pg.QueryConfig {
  return { name: 'append', text: APPEND, values: [ids, bodies] };
}

function inBatches(envelopes: readonly ChangeEnvelope[]): AppendBatch[] {
  const batches: AppendBatch[] = [];
  let bytes = Infinity;
  for (const envelope of envelopes) {
    const body = JSON.stringify(envelope);
    if (bytes + body.length > APPEND_BYTES) {
      batches.push({ ids: [], bodies: [] });
      bytes = 0;
    }
    bytes += body.length;
    batches.at(-1)?.ids.push(envelope.id);
    batches.at(-1)?.bodies.push(body);
  }
  return batches;
}
