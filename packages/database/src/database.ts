import type { PendingChange } from '@sinebar/contracts';
import type pg from 'pg';
import type { Sql, Statement } from './sql.ts';

/** One row as texts of PostgreSQL, in the order of the statement's columns. */
export type TextRow = (string | null)[];

/**
 * One database connection for one piece of work. Statements run one after another, even when the caller does not await each.
 * They throw a ServiceError with a safe sentence for expected failures (`DatabaseConflict` for a violated constraint), the driver's error
 * for a defect, and the signal's reason once it is aborted.
 */
export interface Session {
  /**
   * Runs one parameterised statement (`$1`, `$2`, …) and returns its rows.
   * @param options.name prepares the statement under this name on first use of the connection; for statements of hot paths
   */
  query<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[], options?: { name?: string }): Promise<R[]>;
  query<R extends object = Record<string, unknown>>(statement: Statement): Promise<R[]>;
  /** As `query`, with each row as the texts that PostgreSQL sends. */
  queryTexts(text: string, values?: readonly unknown[], options?: { name?: string }): Promise<TextRow[]>;
  queryTexts(statement: Statement): Promise<TextRow[]>;
  /** As `query`, for a statement without rows. @returns the number of rows that it inserted, updated or deleted */
  execute(text: string, values?: readonly unknown[], options?: { name?: string }): Promise<number>;
  /** The driver's connection, for COPY and cursors. Its transaction is not the caller's to end. */
  readonly client: pg.ClientBase;
}

/** A connection inside a transaction. */
export interface OpenedSession extends Session {
  /** Rows of each statement that was sent with BEGIN. */
  readonly opening: readonly (readonly object[])[];
}

/** A connection inside a transaction that changes data. */
export interface WriteSession extends OpenedSession {
  /** Adds change events to the transaction: the last statement inserts them into the outbox, in the order given. */
  announce(changes: Iterable<PendingChange>): void;
  /**
   * Runs a statement and announces what it changed, as `announce` would. The messages stay in the database, so their number needs no memory
   * here.
   * @returns the affected parts, in no order
   */
  announceFrom(changes: StatementChanges): Promise<AffectedPart[]>;
  /**
   * Adds a statement without parameters that is sent with COMMIT, before the events, and so costs no round trip.
   * @param statement is called after the work; `undefined` for none
   */
  runLast(statement: () => string | undefined): void;
}

export interface StatementChanges {
  /** INSERT, UPDATE or DELETE with RETURNING. */
  change: Sql;
  /**
   * A query on the returned rows, `changed`, with the columns `place` (number, the order of the messages), `type`, `subject`, `path`,
   * `part_uuid`,
   * `events` (json, the payloads of one message, well below 1,000,000 bytes) and `count` (of the payloads).
   */
  messages: Sql;
}

export interface AffectedPart {
  partUuid: string;
  /** Stored path. */
  path: string;
  count: number;
}

export interface WorkOptions {
  /** Aborted when the client disconnects or the deadline passes: the running statement is cancelled on the server. */
  signal: AbortSignal;
  /** Time limit for each statement in milliseconds. */
  statementTimeoutMs: number;
  /** W3C trace context of the request, added to changes and, as a comment, to statements that are not prepared. */
  traceparent?: string | undefined;
  /** The user, or the address of an anonymous client, whose share of the streaming connections is used. */
  client?: string | undefined;
}

export interface TransactionOptions extends WorkOptions {
  /**
   * Statements without parameters that are sent with BEGIN and run before the work; in `write` each sees the data committed when it begins.
   */
  opening?: readonly string[];
}

export interface Database {
  readonly schema: string;
  /** Runs work that only reads, each statement on its own. */
  read<T>(options: WorkOptions, work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs work that only reads, in one snapshot (repeatable read, read only). */
  snapshot<T>(options: TransactionOptions, work: (session: OpenedSession) => Promise<T>): Promise<T>;
  /**
   * As `snapshot`, for streaming answers, on a connection pool of their own.
   * Throws `Overloaded` (503) at once when the pool is full or the client has its share; ends with `DeadlineExceeded` after the total
   * limit.
   */
  stream<T>(options: TransactionOptions, work: (session: OpenedSession) => Promise<T>): Promise<T>;
  /** Whether `stream` would find a connection for the client now. */
  canStream(client?: string): boolean;
  /**
   * Runs one transaction (read committed) with its events. Serialisation failures and deadlocks run `work` again, up to five times, so it
   * must not have effects outside the session.
   * After a connection lost in COMMIT the server is asked for the outcome.
   * A failed statement fails the transaction, even if `work` caught the error, unless it rolled back to a savepoint of its own.
   */
  write<T>(options: TransactionOptions, work: (session: WriteSession) => Promise<T>): Promise<T>;
  /** Whether a trivial statement succeeds within `timeoutMs`, on a connection of its own. */
  ping(timeoutMs: number): Promise<boolean>;
  /** Connections in use and waiting requests, for metrics and for tests that find leaks. */
  poolUsage(): { requests: PoolUsage; streams: PoolUsage };
  /** Called after each commit that announced events. */
  onAnnounced(listener: () => void): void;
  close(): Promise<void>;
}

export interface PoolUsage {
  used: number;
  free: number;
  waiting: number;
}

/** One forward-only step; the number in its name, `0001-outbox`, is its order and the schema version after it. */
export interface Migration {
  name: string;
  /** Runs inside a transaction unless `transaction` is false. `search_path` is the service's schema. */
  up: (session: Session) => Promise<void>;
  /**
   * `false` for statements that cannot run in a transaction (CREATE INDEX CONCURRENTLY); `up` must then be repeatable after a partial run.
   */
  transaction?: boolean;
  /** Oldest code that works after a step that removes something: the number of the newest migration of that code. */
  oldestCode?: number;
}
