import type { Migration } from '@sinebar/database';

/** Creates reports that are made again and again, and what was sent of them (docs/decisions/0080-report-schedules.md). */
export const reportSchedules: Migration = {
  name: '0024-report-schedules',
  up: async (session) => {
    await session.query(`
      CREATE TABLE report_schedule (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        -- User key of whose rights count (alarm_owner); empty without sign-in.
        owner text NOT NULL,
        name text NOT NULL,
        -- The uuid outlives the deletion of its part, which an import may create again.
        part_uuid uuid NOT NULL,
        -- The other members of the answer that its user has written.
        content json NOT NULL,
        created_at timestamptz(3) NOT NULL,
        -- NULL where no report is due any more.
        next_at timestamptz(3)
      )`);
    await session.query('CREATE INDEX report_schedule_owner ON report_schedule (owner)');
    await session.query('CREATE INDEX report_schedule_next ON report_schedule (next_at)');
    // A table of its own: backups leave it out.
    await session.query(`
      CREATE TABLE report_schedule_secret (
        schedule_uuid uuid PRIMARY KEY,
        secret text NOT NULL
      )`);
    await session.query(`
      CREATE TABLE report_run (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        schedule_uuid uuid NOT NULL,
        due_at timestamptz(3) NOT NULL,
        state text NOT NULL,
        reason text NOT NULL,
        report_uuid uuid NOT NULL,
        is_whole boolean,
        tries int NOT NULL,
        started_at timestamptz(3) NOT NULL,
        -- While it runs: when its process is given up.
        until_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3)
      )`);
    await session.query('CREATE UNIQUE INDEX report_run_due ON report_run (schedule_uuid, due_at)');
    await session.query(`CREATE INDEX report_run_open ON report_run (until_at) WHERE state = 'running'`);
    await session.query(`
      CREATE TABLE report_sending (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        run_uuid uuid NOT NULL,
        receiver json NOT NULL,
        state text NOT NULL,
        tries int NOT NULL,
        -- Time of the next try; while one runs, the time at which it is given up.
        next_at timestamptz(3) NOT NULL,
        tried_at timestamptz(3),
        finished_at timestamptz(3),
        answer text NOT NULL
      )`);
    await session.query('CREATE INDEX report_sending_run ON report_sending (run_uuid)');
    await session.query(`CREATE INDEX report_sending_open ON report_sending (next_at) WHERE state IN ('waiting', 'sending')`);
  },
};
