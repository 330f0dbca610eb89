import { createHash } from 'node:crypto';
import type { Database, Session } from '@sinebar/database';
import { PRODUCT_VERSION } from '@sinebar/runtime';
import { reply, type Reply } from '@sinebar/http';
import { revisionKey, type Configuration, type ConfigurationReader, type ReadState } from './configuration.js';
import { cacheHeaders, unchanged, type Reader } from '../shared/request-context.js';
import type { VersioningMode } from '../shared/versioning-mode.js';

/** The state of plan, configuration and catalogs that an answer was made from. */
export interface PlanState {
  /** Strong: it stands for the exact bytes of the answer. */
  etag: string;
  configuration: Configuration;
}

export interface PlanStateDependencies {
  database: Database;
  configurations: ConfigurationReader;
  versioning: VersioningMode;
  /** Whether searches tell `a` from `A`: with the setting another answer belongs to the same query. */
  caseSensitive: boolean;
}

type Work<T> = (session: Session, state: PlanState) => Promise<T>;
type Admission = (session: Session) => Promise<void>;

/** Answers reads of plan, configuration and catalogs with validators for HTTP caches. */
export class PlanStateReader {
  private readonly deps: PlanStateDependencies;

  constructor(deps: PlanStateDependencies) {
    this.deps = deps;
  }

  /**
   * 304 when the client has the current answer, else what `work` makes in one snapshot of the data.
   * @param work may return a JSON text, or anything else that is not for the client yet
   * @param admit runs first: it throws when there is no answer, which no validator may hide (`*` matches any)
   */
  async answer(reader: Reader, work: Work<string>, admit?: Admission): Promise<Reply>;
  async answer<T extends object>(reader: Reader, work: Work<string | T>, admit?: Admission): Promise<Reply | { rest: T; etag: string }>;
  async answer<T extends object>(reader: Reader, work: Work<string | T>, admit?: Admission): Promise<Reply | { rest: T; etag: string }> {
    return this.deps.database.snapshot(reader, async (session) => {
      await admit?.(session);
      const state = await this.read(session, reader);
      const notModified = unchanged(reader, state);
      if (notModified) return notModified;
      const made = await work(session, state);
      return typeof made === 'string' ? reply.text(made, cacheHeaders(state.etag)) : { rest: made, etag: state.etag };
    });
  }

  /** The state now. What is read after it, outside a snapshot, may be newer than its validator: a cache then asks again, and is never told an old answer is current. */
  async read(session: Session, reader: Reader): Promise<PlanState> {
    return this.stateFor(reader, await this.deps.configurations.readState(session));
  }

  /** As {@link read}, of what was read at one moment. */
  stateFor(reader: Reader, { configuration, plan }: ReadState): PlanState {
    const parts = [
      revisionKey(plan),
      PRODUCT_VERSION,
      this.deps.versioning,
      this.deps.caseSensitive,
      configuration.version,
      configuration.catalogVersion,
      [...configuration.purging],
      reader.principal.rightsKey,
      reader.fingerprint,
      // A strong validator stands for exact bytes, and these depend on the compression that is chosen from this header.
      String(reader.headers['accept-encoding'] ?? '').toLowerCase(),
    ];
    return { configuration, etag: `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"` };
  }
}
