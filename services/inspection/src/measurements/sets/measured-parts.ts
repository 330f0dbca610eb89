import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import { LRUCache } from 'lru-cache';
import { revisionKey, type PlanRevision } from '../../configuration/configuration.ts';
import type { IndexedMeasurement } from '../codec/sent-measurement.ts';

/** A part as its measurements are written or read. */
export interface MeasuredPart {
  id: number;
  uuid: string;
  /** Stored path. */
  path: string;
  planVersion: number;
  /**
   * The newest characteristic set, `null` when there is none. Not a stale one: the compaction may remove it before what is written with it
   * is seen.
   */
  setId: number | null;
}

/** Parts in memory, at most: about 300 bytes each. */
const MAX_PARTS = 50_000;

/**
 * Parts as they were read, valid while the plan is unchanged: only a change of the plan makes sets stale.
 * A part that was read before another transaction added a set names an older one; writers then read the characteristics of the part again.
 */
export class MeasuredPartCache {
  private state = '';
  private known = new MeasuredParts();

  /**
   * A transaction that began in another state keeps what it was given.
   * @param plan as a transaction sees it throughout: in a snapshot, or under the plan lock
   */
  at(plan: PlanRevision): MeasuredParts {
    const state = revisionKey(plan);
    if (this.state !== state) [this.state, this.known] = [state, new MeasuredParts()];
    return this.known;
  }
}

/** Parts at one state of the plan. */
export class MeasuredParts {
  // `max` would allocate all entries at once, for each state of the plan.
  private readonly byUuid = new LRUCache<string, MeasuredPart>({ maxSize: MAX_PARTS, sizeCalculation: () => 1 });

  /** @returns parts by uuid; those that do not exist are left out */
  async find(session: Session, uuids: ReadonlySet<string>): Promise<ReadonlyMap<string, MeasuredPart>> {
    const found = new Map<string, MeasuredPart>();
    const unknown: string[] = [];
    for (const uuid of uuids) {
      const part = this.byUuid.get(uuid);
      if (part) found.set(uuid, part);
      else unknown.push(uuid);
    }
    if (unknown.length === 0) return found;
    const read = await session.query<MeasuredPart & Record<string, unknown>>(
      `SELECT id, uuid, path, plan_version AS "planVersion",
         (SELECT max(id) FROM characteristic_set WHERE part_id = plan_item.id AND NOT stale) AS "setId"
       FROM plan_item WHERE uuid = ANY($1) AND kind = 'part'`,
      [unknown],
      { name: 'measured-parts' },
    );
    for (const part of read) {
      found.set(part.uuid, part);
      this.put(part);
    }
    return found;
  }

  /** Keeps a part; call it after the commit. */
  put(part: MeasuredPart): void {
    this.byUuid.set(part.uuid, part);
  }
}

/**
 * @param owners the parts of the measurements, in their order
 * @throws ServiceError 403 that names the measurement, because its part need not be in the request
 */
export function refuseForbidden(sent: readonly IndexedMeasurement[], owners: readonly MeasuredPart[], principal: Principal): void {
  const writable = principal.scopeOf('measurement:write');
  const forbidden = new Set([...new Set(owners)].filter(({ path }) => !writable.includes(path)));
  const first = sent.find((_, i) => forbidden.has(owners[i] as MeasuredPart));
  if (first) throw new ServiceError('Forbidden', `[${first.index}]: You may not write the measurement ${first.uuid}.`);
}
