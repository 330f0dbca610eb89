import type { PendingChange } from '@sinebar/contracts';
import type pg from 'pg';
import type { OpenedSession, Session, StatementChanges, TextRow, AffectedPart, WriteSession } from '../database.ts';
import { storeWaiting } from '../outbox/waiting-messages.ts';
import { AS_TEXT } from '../connection/row-stream.ts';
import type { Statement } from '../sql.ts';

export type Execute = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

export class ConnectionSession implements Session {
  readonly client: pg.ClientBase;
  private readonly run: Execute;

  constructor(client: pg.ClientBase, execute: Execute) {
    this.client = client;
    this.run = execute;
  }

  async query<R extends object>(statement: string | Statement, values?: readonly unknown[], options?: { name?: string }): Promise<R[]> {
    const result = await this.run(configOf(statement, values, options));
    return result.rows as R[];
  }

  async execute(text: string, values?: readonly unknown[], options?: { name?: string }): Promise<number> {
    const result = await this.run(configOf(text, values, options));
    return result.rowCount ?? 0;
  }

  async queryTexts(statement: string | Statement, values?: readonly unknown[], options?: { name?: string }): Promise<TextRow[]> {
    const config: pg.QueryArrayConfig = { ...configOf(statement, values, options), rowMode: 'array', types: AS_TEXT };
    const result = await this.run(config);
    return result.rows as TextRow[];
  }
}

function configOf(statement: string | Statement, given: readonly unknown[] = [], options: { name?: string } = {}): pg.QueryConfig {
  const { text, values } = typeof statement === 'string' ? { text: statement, values: given } : statement;
  return { text, values: values as unknown[], ...options };
}

export class TransactionSession extends ConnectionSession implements OpenedSession {
  readonly opening: readonly (readonly object[])[];

  constructor(client: pg.ClientBase, execute: Execute, opening: readonly (readonly object[])[]) {
    super(client, execute);
    this.opening = opening;
  }
}

/** Changes of one `announce`, or the number of a batch in the database. */
export type Announcement = PendingChange[] | number;

export class ChangeSession extends TransactionSession implements WriteSession {
  readonly announced: Announcement[] = [];
  readonly lastStatements: (() => string | undefined)[] = [];
  private batches = 0;

  announce(changes: Iterable<PendingChange>): void {
    this.announced.push([...changes]);
  }

  runLast(statement: () => string | undefined): void {
    this.lastStatements.push(statement);
  }

  async announceFrom(changes: StatementChanges): Promise<AffectedPart[]> {
    const batch = this.batches++;
    this.announced.push(batch);
    const parts = await storeWaiting(this, changes, batch);
    if (parts.length === 0) this.announced.splice(this.announced.indexOf(batch), 1);
    return parts;
  }
}
