import type { PendingChange } from '@sinebar/contracts';
import type pg from 'pg';
import type { Sql, Statement } from './sql.js';

/** One row as the texts that PostgreSQL sends, in the order of the statement's columns. */
export type TextRow = (string | null)[];

/**
 * One database connection for the time of one piece of work. Statements run one after another, also when they are not awaited one by one.
 * They throw a ServiceError with a safe sentence where the failure has an answer (`DatabaseConflict` for a violated constraint), the driver's error
 * where it is a defect, the signal's reason once it is aborted.
 */
export interface Session {
  /**
   * Runs one parameterised statement (`$1`, `$2`, …) and returns its rows.
   * @param options.name prepares the statement under this name on first use of the connection; give one to statements of hot paths
   */
  query<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[], options?: { name?: string }): Promise<R[]>;
  query<R extends object = Record<string, unknown>>(statement: Statement): Promise<R[]>;
  /** As `query`, with each row as the texts that PostgreSQL sends. */
  queryTexts(text: string, values?: readonly unknown[], options?: { name?: string }): Promise<TextRow[]>;
  queryTexts(statement: Statement): Promise<TextRow[]>;
  /** The driver's connection, for COPY and cursors. Its transaction is not the caller's to end. */
  readonly client: pg.ClientBase;
}

/** A connection inside a transaction. */
export interface OpenedSession extends Session {
  /** Rows of the statements that went with BEGIN, one list for each. */
  readonly opening: readonly (readonly object[])[];
}

/** A connection inside a transaction that changes data. */
export interface WriteSession extends OpenedSession {
  /** Adds change events to the transaction: they are inserted into the outbox as its last statement, in the order given. */
  announce(changes: Iterable<PendingChange>): void;
  /**
   * Carries a statement out and announces what it changed, as `announce` would at this place; the messages do not leave the database, so that any number
   * takes no memory here.
   * @returns the parts concerned, in no order
   */
  announceFrom(changes: StatementChanges): Promise<AffectedPart[]>;
}

/** A statement that changes rows, and the messages about them. */
export interface StatementChanges {
  /** INSERT, UPDATE or DELETE with RETURNING. */
  change: Sql;
  /**
   * A query on the returned rows, `changed`, with the columns `place` (number, the order of the messages), `type`, `subject`, `path`, `part_uuid`,
   * `events` (json, the payloads of one message, well below the 1,000,000 bytes that a message may have) and `count` (of the payloads).
   */
  messages: Sql;
}

/** A part that messages are about. */
export interface AffectedPart {
  partUuid: string;
  /** Stored path. */
  path: string;
  /** Events. */
  count: number;
}

export interface WorkOptions {
  /** Aborted when the client is gone or the deadline of the request has passed: the running statement is cancelled on the server. */
  signal: AbortSignal;
  /** Limit for each statement, milliseconds. */
  statementTimeoutMs: number;
  /** W3C trace context of the request: statements that are not prepared carry it as a comment, changes carry it as well. */
  traceparent?: string | undefined;
  /** Whom the work is for: a user, or the address of somebody without a name. One client gets a share of the connections for streams. */
  client?: string | undefined;
}

export interface TransactionOptions extends WorkOptions {
  /** Statements without parameters that go with BEGIN in one message and run before the work; in `write` each sees what is committed when it begins. */
  opening?: readonly string[];
}

export interface Database {
  readonly schema: string;
  /** Work that only reads, each statement on its own. */
  read<T>(options: WorkOptions, work: (session: Session) => Promise<T>): Promise<T>;
  /** Work that only reads and sees one state of the data throughout (repeatable read, read only). */
  snapshot<T>(options: TransactionOptions, work: (session: OpenedSession) => Promise<T>): Promise<T>;
  /**
   * As `snapshot`, for streaming answers, on a connection pool of their own; a full pool, or one of which the client has its share, is `Overloaded` (503) at
   * once. Ends with `DeadlineExceeded` after the total limit.
   */
  stream<T>(options: TransactionOptions, work: (session: OpenedSession) => Promise<T>): Promise<T>;
  /** Whether `stream` would find a connection for the client now. */
  canStream(client?: string): boolean;
  /**
   * One transaction (read committed): all of `work` and its events, or nothing. Serialisation failures and deadlocks run `work` again, up to five times,
   * so it must not have effects outside the session. A connection lost while committing is resolved by asking the server what became of the transaction.
   * When a statement failed the transaction fails, even if `work` caught the error, unless it rolled back to a savepoint of its own.
   */
  write<T>(options: TransactionOptions, work: (session: WriteSession) => Promise<T>): Promise<T>;
  /** Whether a trivial statement succeeds within `timeoutMs`, on a connection of its own. */
  ping(timeoutMs: number): Promise<boolean>;
  /** Connections in use and waiting requests, for metrics and for tests that look for leaks. */
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

/** One forward-only step; the number before the name, `0001-outbox`, is its place in the order and the version of the schema after it. */
export interface Migration {
  name: string;
  /** Runs inside a transaction unless `transaction` is false. `search_path` is the service's schema. */
  up: (session: Session) => Promise<void>;
  /** `false` for statements that PostgreSQL refuses inside one (CREATE INDEX CONCURRENTLY); `up` must then be able to run again after half of it. */
  transaction?: boolean;
  /** For a step that takes something away: code whose newest migration has a lower number does not work any more after it. */
  oldestCode?: number;
}
