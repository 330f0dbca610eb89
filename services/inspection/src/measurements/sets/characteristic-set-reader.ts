import type { Session } from '@sinebar/database';
import { LRUCache } from 'lru-cache';
import type { ReadSet } from '../codec/read-set.ts';

interface SetRow {
  id: number;
  ids: number[];
  uuids: (string | null)[];
  limits: (number | null)[][];
}

/** Characteristics kept at a time; more are read again when they are needed again. */
const MAX_KEPT_CHARACTERISTICS = 200_000;

/** Characteristic sets in one state of the plan. Memory does not grow with the number of parts. */
export class CharacteristicSetReader {
  private readonly wanted: ReadonlySet<string> | undefined;
  private readonly kept = new LRUCache<number, ReadSet>({
    maxSize: MAX_KEPT_CHARACTERISTICS,
    // A size must be positive; a set may be empty.
    sizeCalculation: ({ positions }) => positions.length + 1,
  });

  /** @param wanted uuids of the characteristics that are asked for; all where it is left out */
  constructor(wanted?: readonly string[]) {
    this.wanted = wanted && new Set(wanted);
  }

  knows(id: number): boolean {
    return this.kept.has(id);
  }

  /** The sets with these ids, read where they are not known. Several answers may use one reader at a time. */
  async read(session: Session, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, ReadSet>> {
    const found = new Map<number, ReadSet>();
    for (const id of ids) {
      const set = this.kept.get(id);
      if (set) found.set(id, set);
    }
    const missing = [...ids].filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const rows = await session.query<SetRow>(
      `SELECT s.id, s.characteristic_ids AS ids, array_agg(item.uuid ORDER BY one.position) AS uuids,
         array_agg(ARRAY[item.lower_tolerance, item.upper_tolerance, item.lower_warning, item.upper_warning]
           ORDER BY one.position) AS limits
       FROM characteristic_set s CROSS JOIN LATERAL unnest(s.characteristic_ids) WITH ORDINALITY AS one(id, position)
         LEFT JOIN plan_item item ON item.id = one.id
       WHERE s.id = ANY($1::int[]) GROUP BY s.id`,
      [missing],
      { name: 'characteristic-sets' },
    );
    for (const row of rows) {
      const set = this.readSet(row);
      found.set(row.id, set);
      this.kept.set(row.id, set);
    }
    return found;
  }

  private readSet({ ids, uuids, limits }: SetRow): ReadSet {
    const positions = ids.map((id, i) => {
      const uuid = uuids[i];
      if (uuid == null || this.wanted?.has(uuid) === false) return undefined;
      const [lowerTolerance, upperTolerance, lowerWarning, upperWarning] = limits[i] ?? [];
      return {
        id,
        uuid,
        prefix: Buffer.from(`"${uuid}":{"1":"`),
        // A limit that is missing is one that nothing is beyond.
        lowerTolerance: lowerTolerance ?? -Infinity,
        upperTolerance: upperTolerance ?? Infinity,
        lowerWarning: lowerWarning ?? -Infinity,
        upperWarning: upperWarning ?? Infinity,
      };
    });
    return { positions };
  }
}
