import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { PendingChange } from '@sinebar/contracts';
import { connected, createTestDatabase as createEmptyDatabase, describeWith } from '@sinebar/testing';
import pg from 'pg';
import type { Database } from './database.ts';
import type { DatabaseLog } from './log.ts';
import { openDatabase } from './open-database.ts';

const SERVER_URL = process.env['DATABASE_URL'];

/** Defines a suite that needs a PostgreSQL server; reports when there is none. */
export function describeWithPostgres(name: string, define: () => void): void {
  describeWith(['postgres'], name, define);
}

export interface TestDatabase {
  url: string;
  query: <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;
  drop: () => Promise<void>;
}

/** @param definition clauses of CREATE DATABASE; by default those of a suitable database */
export async function createTestDatabase(definition?: string): Promise<TestDatabase> {
  const created = definition === undefined ? await createEmptyDatabase() : await createDatabaseWith(definition);
  const { url } = created;
  const pool = new pg.Pool({ connectionString: url, max: 3, application_name: 'test' });
  pool.on('error', () => undefined);
  return {
    url,
    query: async <R extends object>(text: string, values: unknown[] = []) => (await pool.query<R>(text, values)).rows,
    drop: async () => {
      await pool.end();
      await created.drop();
    },
  };
}

/** Defines a suite with an open database, whose connections must be free again after each test. */
export function describeWithDatabase(name: string, define: (database: () => Database, test: () => TestDatabase) => void): void {
  describeWithPostgres(name, () => {
    let test: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      test = await createTestDatabase();
      await test.query('CREATE SCHEMA unit');
      database = await openDatabase({ url: test.url, schema: 'unit', applicationName: 'sinebar-unit' });
    });
    afterEach(() => {
      expect(database.poolUsage()).toMatchObject({ requests: { used: 0, waiting: 0 }, streams: { used: 0, waiting: 0 } });
    });
    afterAll(async () => {
      await database.close();
      await test.drop();
    });
    define(
      () => database,
      () => test,
    );
  });
}

async function createDatabaseWith(definition: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `sinebar_database_${randomUUID().slice(0, 8)}`;
  const onServer = (statement: string) => connected(SERVER_URL as string, async (client) => void (await client.query(statement)));
  await onServer(`CREATE DATABASE ${name} ${definition}`);
  const url = new URL(SERVER_URL as string);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/**
 * The fate of the client's COMMIT: it never arrives; it arrives but its answer does not; it never arrives and the server does not notice.
 */
export type CommitFate = 'lost-before' | 'lost-after' | 'lost-silently';

export interface Proxy {
  url: string;
  onNextCommit: (fate: CommitFate) => void;
  goDown: () => Promise<void>;
  refuseNew: () => void;
  comeBack: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a TCP proxy before the server that loses connections on request. */
export async function startProxy(targetUrl: string): Promise<Proxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<net.Socket>();
  let fate: CommitFate | undefined;
  const onConnection = (client: net.Socket) => {
    const server = net.connect(Number(target.port || 5432), target.hostname);
    let dropAnswer = false;
    const pair = [client, server];
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    let apart = false;
    const cut = () => pair.forEach((socket) => socket.destroy());
    client.on('close', () => {
      if (!apart) cut();
    });
    server.on('close', cut);
    client.on('data', (chunk: Buffer) => {
      if (fate === undefined || !chunk.includes('COMMIT\0')) {
        server.write(chunk);
        return;
      }
      const met = fate;
      fate = undefined;
      if (met === 'lost-before') cut();
      if (met === 'lost-after') {
        dropAnswer = true;
        server.write(chunk);
      }
      if (met === 'lost-silently') {
        apart = true;
        client.destroy();
      }
    });
    server.on('data', (chunk: Buffer) => {
      if (dropAnswer) cut();
      else client.write(chunk);
    });
  };
  const listen = async (port: number) => {
    const server = net.createServer(onConnection);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const goDown = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const refuseNew = () => {
    server.close();
  };
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    onNextCommit: (next) => {
      fate = next;
    },
    goDown,
    refuseNew,
    comeBack: async () => {
      server = await listen(port);
    },
    close: goDown,
  };
}

export function rememberingLog(): DatabaseLog & { sentences: string[] } {
  const sentences: string[] = [];
  const note = (fields: object, sentence: string) => {
    sentences.push(`${sentence} ${JSON.stringify(fields)}`);
  };
  return { sentences, info: note, warn: note, error: note };
}

export function limits(overrides: { signal?: AbortSignal; statementTimeoutMs?: number } = {}) {
  return { signal: new AbortController().signal, statementTimeoutMs: 30_000, ...overrides };
}

/** Makes a change that `subject` identifies. */
export function change(subject: string, path = 'pA/'): PendingChange {
  return { type: 'PartModified', subject, path, partUuid: subject, events: [{ PartUuid: subject }] };
}

export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
}
