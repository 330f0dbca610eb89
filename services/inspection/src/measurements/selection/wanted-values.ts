import type { Session } from '@sinebar/database';

/** Most characteristics of a request for which the database picks single values. */
const MAX_CHARACTERISTICS = 20;
/** Most positions of all sets together for which the database picks single values. */
const MAX_PLACES = 400;

/** Positions of some characteristics, so that a statement selects their values instead of the whole array of each measurement. */
export class WantedValues {
  /** Positions from 1, ascending, by the id of the characteristic set. */
  readonly placesBySet: ReadonlyMap<number, readonly number[]>;

  private constructor(placesBySet: ReadonlyMap<number, readonly number[]>) {
    this.placesBySet = placesBySet;
  }

  /** @returns `undefined` for so many positions that reading whole arrays is faster */
  static async find(session: Session, characteristicUuids: readonly string[]): Promise<WantedValues | undefined> {
    if (characteristicUuids.length > MAX_CHARACTERISTICS) return undefined;
    const rows = await session.query<{ id: number; places: number[] }>(
      `WITH wanted AS MATERIALIZED (
         SELECT coalesce(array_agg(id), '{}') AS ids FROM plan_item WHERE uuid = ANY($1::uuid[]) AND kind = 'characteristic')
       SELECT s.id, array_agg(one.place::int ORDER BY one.place) AS places
       FROM wanted CROSS JOIN characteristic_set s CROSS JOIN LATERAL unnest(s.characteristic_ids) WITH ORDINALITY AS one (id, place)
       WHERE s.characteristic_ids && wanted.ids AND one.id = ANY(wanted.ids) GROUP BY s.id`,
      [characteristicUuids],
      { name: 'wanted-values' },
    );
    const count = rows.reduce((sum, { places }) => sum + places.length, 0);
    return count > MAX_PLACES ? undefined : new WantedValues(new Map(rows.map(({ id, places }) => [id, places])));
  }

  /** Select expressions on the measurement `m` for the values at the positions and their digits; NULL for measurements of other sets. */
  get columns(): { values: string; digits: string } {
    const expression = (type: string, ofPlaces: (places: readonly number[]) => string) => {
      const cases = [...this.placesBySet].map(([set, places]) => `WHEN ${set} THEN ${ofPlaces(places)}`);
      return cases.length === 0 ? `NULL::${type}` : `CASE m.characteristic_set_id ${cases.join(' ')} END`;
    };
    return {
      values: expression('float8[]', (places) => `ARRAY[${places.map((place) => `m."values"[${place}]`).join(', ')}]`),
      digits: expression('bytea', (places) => places.map((place) => `substring(m.digits FROM ${place} FOR 1)`).join(' || ')),
    };
  }
}
