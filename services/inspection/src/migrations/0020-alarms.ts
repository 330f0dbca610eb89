import type { Migration } from '@sinebar/database';

/** Creates alarms and what they are judged by (docs/decisions/0071-alarms.md). Ids of items and measurements are never reused. */
export const alarms: Migration = {
  name: '0020-alarms',
  up: async (session) => {
    await session.query(`
      CREATE TABLE alarm_change (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        part_id int NOT NULL,
        -- The oldest changed measurement of the part, or a place before it.
        measured_at timestamptz,
        measurement_id bigint NOT NULL,
        -- The time that the transaction gave to what it wrote (measurement.last_modified); NULL where points only went away.
        changed_at timestamptz(3)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await session.query(`
      CREATE TABLE kept_limits (
        characteristic_id int PRIMARY KEY,
        -- Control limits as they were computed last, with the evaluation that they follow from.
        state json NOT NULL
      )`);
    await session.query(`
      CREATE TABLE alarm (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        part_id int NOT NULL,
        -- NULL for the silence of a part.
        characteristic_id int,
        kind text NOT NULL,
        -- Rule of the chart and the chart that it is broken on; empty for other kinds.
        rule text NOT NULL,
        chart text NOT NULL,
        state text NOT NULL,
        revision int NOT NULL,
        raised_at timestamptz(3) NOT NULL,
        first_at timestamptz,
        last_at timestamptz,
        point_count int NOT NULL,
        last_measurement_id bigint,
        last_value float8,
        -- Limits of the newest point, or the statuses of the process: the members of the answer.
        detail json NOT NULL,
        owner text NOT NULL,
        reaction text NOT NULL,
        is_muted boolean NOT NULL,
        is_old boolean NOT NULL,
        acknowledged_by text NOT NULL DEFAULT '',
        acknowledged_at timestamptz(3),
        closed_by text NOT NULL DEFAULT '',
        closed_at timestamptz(3),
        cause int,
        cause_text text,
        action int,
        action_text text,
        note text NOT NULL DEFAULT ''
      )`);
    await session.query('CREATE INDEX alarm_raised ON alarm (raised_at DESC, id DESC)');
    await session.query('CREATE INDEX alarm_part ON alarm (part_id, raised_at DESC)');
    await session.query('CREATE INDEX alarm_characteristic ON alarm (characteristic_id, kind, rule, chart)');
    await session.query(`CREATE INDEX alarm_open ON alarm (part_id) WHERE state IN ('raised', 'acknowledged')`);
    await session.query(`
      CREATE TABLE alarm_point (
        characteristic_id int NOT NULL,
        kind text NOT NULL,
        rule text NOT NULL,
        chart text NOT NULL,
        measurement_id bigint NOT NULL,
        alarm_id bigint NOT NULL,
        -- A point belongs to one alarm of a kind, however often it is judged.
        PRIMARY KEY (characteristic_id, kind, rule, chart, measurement_id)
      )`);
    await session.query('CREATE INDEX alarm_point_alarm ON alarm_point (alarm_id)');
    await session.query('CREATE INDEX alarm_point_measurement ON alarm_point (measurement_id)');
    await session.query(`
      CREATE TABLE alarm_step (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        alarm_id bigint NOT NULL,
        state text NOT NULL,
        at timestamptz(3) NOT NULL,
        -- Empty for what the server did, and without sign-in.
        made_by text NOT NULL,
        cause_text text,
        action_text text,
        note text NOT NULL
      )`);
    await session.query('CREATE INDEX alarm_step_alarm ON alarm_step (alarm_id, id)');
    await session.query(`
      CREATE TABLE alarm_mute (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        part_id int NOT NULL,
        from_at timestamptz(3) NOT NULL,
        until_at timestamptz(3) NOT NULL,
        reason text NOT NULL,
        created_by text NOT NULL
      )`);
    // Notices that subscribers still have to get, in the order in which things happened.
    await session.query(`
      CREATE TABLE alarm_notice (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        alarm_id bigint NOT NULL,
        state text NOT NULL,
        at timestamptz(3) NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
  },
};
