import { advisoryKey, knex, sql, tryAdvisoryLock, type Knex, type WriteSession } from '@sinebar/database';
import { lockPlan } from '../shared/plan-lock.ts';
import type { AttributeEntity } from './configuration.ts';
import { STORED_ATTRIBUTES } from './stored-attributes.ts';

/** Rows of one transaction, which locks the plan for some hundredths of a second. */
const ROWS_PER_BATCH = 2000;

export interface AttributeKeys {
  entity: AttributeEntity;
  keys: readonly number[];
}

interface PurgeRow {
  entity: AttributeEntity;
  key: number;
  stage: number;
  position: string | null;
}

/** Statements that remove the values of deleted attributes inside one transaction. */
export class AttributePurgeStore {
  private readonly session: WriteSession;

  constructor(session: WriteSession) {
    this.session = session;
  }

  async request(entity: AttributeEntity, keys: readonly number[], at: Date): Promise<void> {
    await this.session.query(
      `INSERT INTO attribute_purge (entity, key, requested_at) SELECT $1, key, $3 FROM unnest($2::int[]) AS key
       ON CONFLICT (entity, key) DO UPDATE SET requested_at = EXCLUDED.requested_at, stage = 0, position = NULL`,
      [entity, keys, at],
    );
  }

  /** Finds the keys whose values have not all been removed. */
  async pendingAmong({ entity, keys }: AttributeKeys): Promise<number[]> {
    const rows = await this.session.query<{ key: number }>(sql`${requested({ entity, keys }).select('key')}`);
    return rows.map(({ key }) => key);
  }

  /** @returns false when another transaction removes values at the moment and `wait` is false */
  async lock(wait: boolean): Promise<boolean> {
    if (wait) {
      await this.session.query(`SELECT pg_advisory_xact_lock(${advisoryKey('attributePurge')})`);
      return true;
    }
    return tryAdvisoryLock(this.session, 'attributePurge');
  }

  /**
   * Removes the next batch of values, under the purge lock, and stores the progress in the same transaction.
   * Locks the plan, because a concurrent change that has read attributes would write removed values back.
   * @param wanted restricts the batch to these attributes; otherwise the oldest request is next
   * @returns false when there is nothing to remove
   */
  async removeBatch(wanted?: AttributeKeys): Promise<boolean> {
    await lockPlan(this.session);
    const oldest = requested(wanted).select('entity', 'key', 'stage', 'position').orderBy(['requested_at', 'entity', 'key']).limit(1);
    const [first] = await this.session.query<PurgeRow>(sql`${oldest}`);
    if (!first) return false;
    const group = await this.session.query<{ key: number }>(
      'SELECT key FROM attribute_purge WHERE entity = $1 AND stage = $2 AND position IS NOT DISTINCT FROM $3',
      [first.entity, first.stage, first.position],
    );
    const keys = group.map(({ key }) => key);
    const stores = STORED_ATTRIBUTES[first.entity];
    const position = (await stores[first.stage]?.removeKeys(this.session, keys, first.position, ROWS_PER_BATCH)) ?? null;
    const stage = position === null ? first.stage + 1 : first.stage;
    const done = requested({ entity: first.entity, keys });
    await this.session.query(sql`${stage < stores.length ? done.update({ stage, position }) : done.delete()}`);
    return true;
  }
}

/** The requests for these attributes, or all. */
function requested(wanted?: AttributeKeys): Knex.QueryBuilder {
  const all = knex('attribute_purge');
  return wanted ? all.where('entity', wanted.entity).whereRaw('key = ANY(?)', [[...wanted.keys]]) : all;
}
