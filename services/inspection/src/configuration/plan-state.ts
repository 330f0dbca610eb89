import { createHash } from 'node:crypto';
import type { Database, Session } from '@sinebar/database';
import { PRODUCT_VERSION } from '@sinebar/runtime';
import { reply, type Reply } from '@sinebar/http';
import { revisionKey, type Configuration, type ConfigurationReader, type ReadState } from './configuration.ts';
import { cacheHeaders, unchanged, type Reader } from '../shared/request-context.ts';
import type { ShownUsers } from '../shared/answers/shown-users.ts';
import type { VersioningMode } from '../shared/versioning-mode.ts';

/** The state of plan, configuration and catalogs on which an answer is based. */
export interface PlanState {
  /** Strong validator: it identifies the exact bytes of the answer. */
  etag: string;
  configuration: Configuration;
}

export interface PlanStateDependencies {
  database: Database;
  configurations: ConfigurationReader;
  versioning: VersioningMode;
  /** The users whose names comments show. */
  shownUsers: ShownUsers;
  /** Whether searches are case-sensitive; the setting changes the answer to the same query. */
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
   * Answers 304 if the client has the current answer, otherwise the result of `work` in one snapshot of the data.
   * @param work returns a JSON text, or an object for the caller to continue with
   * @param admit runs first and throws when there is no answer; the validator `*` would turn a 404 into a 304
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

  /**
   * Reads the current state. Data read later outside a snapshot may be newer than this validator: a cache then revalidates, and never keeps
   * an outdated answer.
   */
  async read(session: Session, reader: Reader): Promise<PlanState> {
    return this.stateFor(reader, await this.deps.configurations.readState(session));
  }

  stateFor(reader: Reader, { configuration, plan }: ReadState): PlanState {
    const parts = [
      revisionKey(plan),
      PRODUCT_VERSION,
      this.deps.versioning,
      this.deps.shownUsers,
      this.deps.shownUsers === 'own' ? reader.principal.name : '',
      this.deps.caseSensitive,
      configuration.version,
      configuration.catalogVersion,
      [...configuration.purging],
      reader.principal.rightsKey,
      reader.fingerprint,
      // The bytes depend on the compression, which is chosen from this header.
      String(reader.headers['accept-encoding'] ?? '').toLowerCase(),
    ];
    return { configuration, etag: `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"` };
  }
}
