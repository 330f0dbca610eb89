import type { Migration } from '@sinebar/database';

/** Creates what says whom alarms are told, and what was sent (docs/decisions/0071-alarms.md). */
export const alarmSubscriptions: Migration = {
  name: '0021-alarm-subscriptions',
  up: async (session) => {
    await session.query(`
      CREATE TABLE alarm_owner (
        -- User key of somebody with subscriptions; empty without sign-in.
        user_key text PRIMARY KEY,
        name text NOT NULL,
        -- Claims of the last accepted token, and when it was seen; NULL where the user signs in without a token.
        claims json,
        seen_at timestamptz(3) NOT NULL
      )`);
    await session.query(`
      CREATE TABLE alarm_subscription (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        owner text NOT NULL,
        -- The uuid outlives the deletion of its part, which an import may create again.
        part_uuid uuid NOT NULL,
        kinds text[] NOT NULL,
        -- Members of the answer; secrets are in alarm_subscription_secret.
        receiver json NOT NULL,
        escalate_minutes int,
        digest json,
        quiet_hours json,
        language text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        -- When the next message would be sent if messages came at the permitted rate.
        rate_at timestamptz(3)
      )`);
    await session.query('CREATE INDEX alarm_subscription_owner ON alarm_subscription (owner)');
    // A table of its own: backups and archives leave it out.
    await session.query(`
      CREATE TABLE alarm_subscription_secret (
        subscription_uuid uuid PRIMARY KEY,
        -- Key of the signature, or the address of a webhook that is a secret itself.
        secret text NOT NULL
      )`);
    await session.query(`
      CREATE TABLE alarm_due (
        subscription_id bigint NOT NULL,
        alarm_id bigint NOT NULL,
        due_at timestamptz(3) NOT NULL,
        PRIMARY KEY (subscription_id, alarm_id)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await session.query('CREATE INDEX alarm_due_at ON alarm_due (due_at)');
    await session.query(`
      CREATE TABLE alarm_delivery (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        subscription_id bigint NOT NULL,
        state text NOT NULL,
        is_test boolean NOT NULL,
        alarm_ids bigint[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        -- Time of the next try; while one runs, the time at which it is given up.
        next_at timestamptz(3) NOT NULL,
        -- Tries since it was created or a person asked for another one, and all of them.
        tries int NOT NULL,
        all_tries int NOT NULL,
        tried_at timestamptz(3),
        finished_at timestamptz(3),
        answer text NOT NULL
      )`);
    await session.query('CREATE INDEX alarm_delivery_subscription ON alarm_delivery (subscription_id, id DESC)');
    await session.query(`CREATE INDEX alarm_delivery_open ON alarm_delivery (next_at) WHERE state IN ('waiting', 'sending')`);
    await session.query('CREATE INDEX alarm_delivery_finished ON alarm_delivery (finished_at)');
  },
};
