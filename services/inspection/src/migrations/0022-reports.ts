import type { Migration } from '@sinebar/database';

/** Creates reports that are kept (docs/decisions/0075-kept-reports.md). */
export const reports: Migration = {
  name: '0022-reports',
  up: async (session) => {
    await session.query(`
      CREATE TABLE report (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        -- User key of who had it made; empty without sign-in.
        owner text NOT NULL,
        made_by text NOT NULL,
        template text NOT NULL,
        title text NOT NULL,
        -- The part and its paths when the report was made.
        part_uuid uuid NOT NULL,
        path text NOT NULL COLLATE "C",
        marked_path text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        from_at timestamptz(3),
        to_at timestamptz(3) NOT NULL,
        language text NOT NULL,
        state text NOT NULL,
        reason text NOT NULL,
        pages int,
        size_bytes int,
        sha256 text,
        is_whole boolean NOT NULL,
        -- While it is written: when its process is given up.
        expires_at timestamptz(3) NOT NULL
      )`);
    await session.query('CREATE INDEX report_expires ON report (expires_at)');
    await session.query(`
      CREATE TABLE report_content (
        report_uuid uuid NOT NULL,
        position int NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (report_uuid, position)
      )`);
  },
};
