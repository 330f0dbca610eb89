import { ROOT_PART_UUID } from '@sinebar/contracts';
import type { Migration } from '@sinebar/database';

/**
 * Creates the inspection plan.
 * There are no foreign keys inside the tree: every change runs under the plan lock, and a key would check each row of a deleted subtree.
 */
export const inspectionPlan: Migration = {
  name: '0002-inspection-plan',
  up: async (session) => {
    await session.query(`
      CREATE TABLE plan_item (
        id int PRIMARY KEY,
        uuid uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('part', 'characteristic')),
        parent_id int,
        part_id int NOT NULL,
        name text NOT NULL,
        folded_name text COLLATE "C" NOT NULL,
        path text COLLATE "C" NOT NULL,
        marked_path text NOT NULL,
        depth int NOT NULL,
        attributes jsonb NOT NULL DEFAULT '{}',
        comment text,
        version int NOT NULL,
        plan_version int NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        characteristics_modified_at timestamptz(3) NOT NULL
      )`);
    await session.query(`CREATE SEQUENCE plan_item_id AS int OWNED BY plan_item.id`);
    await session.query(`CREATE UNIQUE INDEX plan_item_uuid ON plan_item (uuid)`);
    await session.query(`CREATE INDEX plan_item_path ON plan_item (path)`);
    // Finds parts without reading the characteristics between them.
    await session.query(`CREATE INDEX plan_item_part_path ON plan_item (path) WHERE kind = 'part'`);
    await session.query(`CREATE INDEX plan_item_owner ON plan_item (part_id, path) WHERE kind = 'characteristic'`);
    // Deferred to the end of the transaction, so that two items can swap their names.
    await session.query(`
      ALTER TABLE plan_item ADD CONSTRAINT plan_item_sibling_name UNIQUE (parent_id, kind, folded_name) DEFERRABLE INITIALLY DEFERRED`);

    await session.query(`
      CREATE TABLE server_state (
        id int PRIMARY KEY CHECK (id = 1),
        revision int NOT NULL,
        inspection_plan_at timestamptz(3) NOT NULL,
        measurement_at timestamptz(3) NOT NULL,
        configuration_at timestamptz(3) NOT NULL,
        catalog_at timestamptz(3) NOT NULL
      )`);
    await session.query(`
      INSERT INTO server_state VALUES (1, -1, now(), now(), now(), now())`);
    await session.query(`
      CREATE TABLE statistics (
        id int PRIMARY KEY CHECK (id = 1),
        part_count bigint NOT NULL,
        characteristic_count bigint NOT NULL,
        measurement_count bigint NOT NULL,
        value_count bigint NOT NULL
      )`);
    await session.query(
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, version, plan_version, modified_at, characteristics_modified_at)
       VALUES (nextval('plan_item_id'), $1, 'part', NULL, currval('plan_item_id'), '', '', '', '/', 0, 0, 0, now(), now())`,
      [ROOT_PART_UUID],
    );
  },
};
