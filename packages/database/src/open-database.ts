import { ServiceError, type Tracer } from '@sinebar/contracts';
import { ConnectionPool } from './pool/connection-pool.ts';
import { assertSchemaName, POOL_KEEPALIVE, type ConnectionSettings, type ServerAddress } from './connection/connection-settings.ts';
import { ControlConnections } from './pool/control-connections.ts';
import type { Database, OpenedSession, PoolUsage, Session, TransactionOptions, WorkOptions, WriteSession } from './database.ts';
import { Lease, type LeaseDependencies } from './pool/lease.ts';
import { failureFields, SILENT_LOG, type DatabaseLog } from './log.ts';
import { StreamShares, type StreamLimits } from './pool/stream-shares.ts';
import { reachServer } from './connection/server-check.ts';
import { ConnectionSession, TransactionSession } from './transaction/session.ts';
import { runTransaction } from './transaction/unit-of-work.ts';

export interface OpenDatabaseOptions {
  /** `postgres://user:password@host:port/database`; options of libpq such as `sslmode` are understood. */
  url: string;
  /** The service's schema, which need not exist yet: lower-case letters, digits and `_`. */
  schema: string;
  /** Name that the server shows for each connection. */
  applicationName: string;
  /** CloudEvents `source` of announced changes, `/inspection`; without it `announce` fails. */
  eventSource?: string;
  /** Sizes of the pools, by default 10 for requests and 5 for streams; up to two more connections serve cancelling and pings. */
  poolSizes?: { requests?: number; streams?: number };
  streamLimits?: StreamLimits;
  /** Time that work waits for a connection before it fails with 503. */
  acquireTimeoutMs?: number;
  /** Time to wait for a server that does not answer yet; 0 means one attempt. */
  startTimeoutMs?: number;
  /** `statement_timeout` of new connections; work with the same limit saves a round trip. */
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  /** Idle time after which the server ends a transaction; above the 60 s for which a stream may stall. */
  idleInTransactionTimeoutMs?: number;
  /** Time to ask for the outcome of a transaction whose connection was lost in COMMIT. */
  commitOutcomeTimeoutMs?: number;
  log?: DatabaseLog;
  /** Creates a span for every transaction of a traced request. */
  tracer?: Tracer | undefined;
  now?: () => Date;
}

/**
 * Connects to the server, checks that it is usable and opens the pools (spec: decisions.md 10.1, 10.3).
 * @throws UnsuitableDatabaseError with a sentence that says what to change; ServiceError `Unavailable` when the server could not be reached
 * in `startTimeoutMs`.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  assertSchemaName(options.schema);
  const { url, schema, applicationName, acquireTimeoutMs = 5000, log = SILENT_LOG } = options;
  const address: ServerAddress = { url, applicationName, connectTimeoutMs: acquireTimeoutMs };
  const settings: ConnectionSettings = {
    schema,
    statementTimeoutMs: options.statementTimeoutMs ?? 60_000,
    lockTimeoutMs: options.lockTimeoutMs ?? 30_000,
    idleInTransactionTimeoutMs: options.idleInTransactionTimeoutMs ?? 90_000,
    keepaliveSeconds: POOL_KEEPALIVE,
  };
  const client = await reachServer(address, { timeoutMs: options.startTimeoutMs ?? 60_000, log });
  await client.end();
  const pool = (name: string, size: number) => new ConnectionPool({ address, settings, name, size, acquireTimeoutMs, log });
  return new PostgresDatabase(schema, {
    requests: pool('requests', options.poolSizes?.requests ?? 10),
    streams: pool('streams', options.poolSizes?.streams ?? 5),
    shares: new StreamShares(options.poolSizes?.streams ?? 5, options.streamLimits),
    control: new ControlConnections(address, options.commitOutcomeTimeoutMs ?? 20_000, log),
    eventSource: options.eventSource,
    log,
    tracer: options.tracer,
    now: options.now ?? (() => new Date()),
  });
}

interface DatabaseDependencies {
  requests: ConnectionPool;
  streams: ConnectionPool;
  shares: StreamShares;
  control: ControlConnections;
  eventSource: string | undefined;
  log: DatabaseLog;
  tracer: Tracer | undefined;
  now: () => Date;
}

class PostgresDatabase implements Database {
  readonly schema: string;
  private readonly deps: DatabaseDependencies;
  private readonly listeners: (() => void)[] = [];
  private closed: Promise<void> | undefined;

  constructor(schema: string, deps: DatabaseDependencies) {
    this.schema = schema;
    this.deps = deps;
  }

  read<T>(options: WorkOptions, work: (session: Session) => Promise<T>): Promise<T> {
    return this.traced('read', options, (traced) =>
      Lease.use(this.lease('requests'), traced, async (lease) => {
        await lease.limitStatements();
        return await work(new ConnectionSession(lease.client, (statement) => lease.execute(statement)));
      }),
    );
  }

  snapshot<T>(options: TransactionOptions, work: (session: OpenedSession) => Promise<T>): Promise<T> {
    return this.snapshotOn('requests', options, work);
  }

  canStream(client?: string): boolean {
    return !this.deps.streams.full && this.deps.shares.hasRoomFor(client);
  }

  async stream<T>(options: TransactionOptions, work: (session: OpenedSession) => Promise<T>): Promise<T> {
    const { streams, shares } = this.deps;
    if (streams.full) {
      throw new ServiceError('Overloaded', 'Too many large answers are being sent at present. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      });
    }
    return await shares.use(options, (limited) => this.snapshotOn('streams', limited, work));
  }

  private snapshotOn<T>(
    pool: 'requests' | 'streams',
    options: TransactionOptions,
    work: (session: OpenedSession) => Promise<T>,
  ): Promise<T> {
    return this.traced('snapshot', options, (traced) => this.untracedSnapshotOn(pool, traced, work));
  }

  private untracedSnapshotOn<T>(
    pool: 'requests' | 'streams',
    options: TransactionOptions,
    work: (session: OpenedSession) => Promise<T>,
  ): Promise<T> {
    return Lease.use(this.lease(pool), options, async (lease) => {
      const opening = await lease.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', options.opening);
      const result = await work(new TransactionSession(lease.client, (statement) => lease.execute(statement), opening));
      // Nothing was changed, so a failure here loses nothing, and the lease cleans up.
      await lease.executeToTheEnd('COMMIT').catch(() => undefined);
      return result;
    });
  }

  async write<T>(options: TransactionOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const { control, eventSource, now } = this.deps;
    const { result, announced } = await this.traced('write', options, (traced) =>
      runTransaction({ lease: this.lease('requests'), control, eventSource, now }, traced, work),
    );
    if (announced) this.tellAnnounced();
    return result;
  }

  /** Creates a span for work of a traced request; background work has none. */
  private traced<O extends WorkOptions, T>(kind: string, options: O, work: (options: O) => Promise<T>): Promise<T> {
    const { tracer } = this.deps;
    const { traceparent } = options;
    if (!tracer || traceparent === undefined) return work(options);
    const attributes = { 'db.system.name': 'postgresql', 'db.namespace': this.schema };
    return tracer.within(`database ${kind}`, { kind: 'client', parent: traceparent, attributes }, (span) =>
      work({ ...options, traceparent: span.traceparent }),
    );
  }

  private lease(pool: 'requests' | 'streams'): LeaseDependencies {
    const { control, log } = this.deps;
    return { pool: this.deps[pool], control, log };
  }

  private tellAnnounced(): void {
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        // The change is committed, so a listener cannot make it fail.
        this.deps.log.error(failureFields(error), 'a listener for announced changes failed');
      }
    }
  }

  ping(timeoutMs: number): Promise<boolean> {
    return this.deps.control.ping(timeoutMs);
  }

  poolUsage(): { requests: PoolUsage; streams: PoolUsage } {
    return { requests: this.deps.requests.usage(), streams: this.deps.streams.usage() };
  }

  onAnnounced(listener: () => void): void {
    this.listeners.push(listener);
  }

  close(): Promise<void> {
    return (this.closed ??= this.closePools());
  }

  private async closePools(): Promise<void> {
    await Promise.all([this.deps.requests.close(), this.deps.streams.close()]);
    // Closed last, because running work can be cancelled until then.
    await this.deps.control.close();
  }
}
