import type { Session } from '@sinebar/database';

/** Most characteristics of a request for which the database picks single values. */
const MAX_CHARACTERISTICS = 20;
/** Most positions of all sets together for which the database picks single values. */
const MAX_POSITIONS = 400;

/** Positions of some characteristics, so that a statement selects their values instead of the whole array of each measurement. */
export class WantedValues {
  /** Positions from 1, ascending, by the id of the characteristic set. */
  readonly positionsBySet: ReadonlyMap<number, readonly number[]>;

  private constructor(positionsBySet: ReadonlyMap<number, readonly number[]>) {
    this.positionsBySet = positionsBySet;
  }

  /** @returns `undefined` for so many positions that reading whole arrays is faster */
  static async find(session: Session, characteristicUuids: readonly string[]): Promise<WantedValues | undefined> {
    if (characteristicUuids.length > MAX_CHARACTERISTICS) return undefined;
    const rows = await session.query<{ id: number; positions: number[] }>(
      `WITH wanted AS MATERIALIZED (
         SELECT coalesce(array_agg(id), '{}') AS ids FROM plan_item WHERE uuid = ANY($1::uuid[]) AND kind = 'characteristic')
       SELECT s.id, array_agg(one.position::int ORDER BY one.position) AS positions
       FROM wanted CROSS JOIN characteristic_set s CROSS JOIN LATERAL unnest(s.characteristic_ids) WITH ORDINALITY AS one (id, position)
       WHERE s.characteristic_ids && wanted.ids AND one.id = ANY(wanted.ids) GROUP BY s.id`,
      [characteristicUuids],
      { name: 'wanted-values' },
    );
    const count = rows.reduce((sum, { positions }) => sum + positions.length, 0);
    return count > MAX_POSITIONS ? undefined : new WantedValues(new Map(rows.map(({ id, positions }) => [id, positions])));
  }

  /** Select expressions on the measurement `m` for the values at the positions and their digits; NULL for measurements of other sets. */
  get columns(): { values: string; digits: string } {
    const expression = (type: string, ofPositions: (positions: readonly number[]) => string) => {
      const cases = [...this.positionsBySet].map(([set, positions]) => `WHEN ${set} THEN ${ofPositions(positions)}`);
      return cases.length === 0 ? `NULL::${type}` : `CASE m.characteristic_set_id ${cases.join(' ')} END`;
    };
    return {
      values: expression('float8[]', (positions) => `ARRAY[${positions.map((position) => `m."values"[${position}]`).join(', ')}]`),
      digits: expression('bytea', (positions) => positions.map((position) => `substring(m.digits FROM ${position} FOR 1)`).join(' || ')),
    };
  }
}
