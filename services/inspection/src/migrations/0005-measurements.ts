import type { Migration } from '@sinebar/database';

/**
 * Creates measurements: one row each, with the values as an array.
 * Its positions are those of a characteristic set that the measurements of a part share (docs/architecture.md, Measured values).
 */
export const measurements: Migration = {
  name: '0005-measurements',
  up: async (session) => {
    await session.query(`
      CREATE TABLE characteristic_set (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        part_id int NOT NULL,
        -- Ids of plan items, ascending, never changed: a deleted characteristic keeps its position until a compaction.
        characteristic_ids int[] NOT NULL,
        hash bytea NOT NULL,
        UNIQUE (part_id, hash)
      )`);
    await session.query(`
      CREATE TABLE measurement (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        part_id int NOT NULL,
        measured_at timestamptz,
        last_modified timestamptz(3) NOT NULL,
        created timestamptz(3) NOT NULL,
        characteristic_set_id int,
        aggregation boolean NOT NULL,
        attributes jsonb NOT NULL,
        comment text,
        "values" float8[],
        digits bytea,
        extras jsonb
      )`);
    await session.query(`ALTER TABLE measurement ALTER COLUMN "values" SET STORAGE EXTERNAL`);
    await session.query(`CREATE INDEX measurement_part_time ON measurement (part_id, measured_at DESC NULLS LAST, id DESC)`);
    await session.query(`CREATE INDEX measurement_time ON measurement (measured_at DESC NULLS LAST, id DESC)`);
    await session.query(`CREATE INDEX measurement_last_modified ON measurement (last_modified)`);
    await session.query(`CREATE INDEX measurement_attribute_terms ON measurement USING gin (attribute_terms(attributes - '4'))`);
    // Returns NULL for a text that is not a number or does not fit a float8: any type may be defined for the attributes of limits.
    await session.query(`
      CREATE FUNCTION limit_number(text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT CASE WHEN $1 ~ '^[+-]?(\\d{1,100}(\\.\\d{0,100})?|\\.\\d{1,100})([eE][+-]?\\d{1,2})?$' THEN $1::numeric END $$`);
    // Numeric limits of a characteristic, NULL when missing, generated from the attributes.
    // Nominal value and deviation are added as decimals: 10.1 + 0.2 is 10.3, so a value of 10.3 is within.
    const limit = (name: string, expression: string) =>
      `ADD COLUMN ${name} float8 GENERATED ALWAYS AS (CASE WHEN kind = 'characteristic' THEN (${expression})::float8 END) STORED`;
    const number = (key: number) => `limit_number(attributes ->> '${key}')`;
    await session.query(`
      ALTER TABLE plan_item
        ${limit('lower_tolerance', `coalesce(${number(2110)}, ${number(2101)} + ${number(2112)})`)},
        ${limit('upper_tolerance', `coalesce(${number(2111)}, ${number(2101)} + ${number(2113)})`)},
        ${limit('lower_warning', number(8014))},
        ${limit('upper_warning', number(8015))}`);
  },
};
