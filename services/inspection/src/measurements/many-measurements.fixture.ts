import type { Session, Statement } from '@sinebar/database';
import type { RunningInspection } from '../running-inspection.fixture.ts';

/** Count of parts with measurements, below {@link LINES} lines. */
export const LINES = 20;
export const PARTS = 500;
const STATEMENT_TIMEOUT_MS = 180_000;

const options = () => ({ signal: AbortSignal.timeout(STATEMENT_TIMEOUT_MS), statementTimeoutMs: STATEMENT_TIMEOUT_MS });

/**
 * Inserts measurements, one a minute, in turn for {@link PARTS} parts `/lineL/partP` of {@link LINES} lines, with ids from 1,000,000.
 * Measurement number n has the values n, 2 and 3 of its part's characteristics.
 * Attribute 5001 is a text (`Batch 0` for the first four measurements), 5002 a number from 0 to 999, 5005 a catalog entry.
 * Every hundredth measurement has no time, every thousandth is an aggregation.
 * The indexes of the schema are built after the insertion. The tables are unlogged, which does not affect query plans.
 */
export async function fillMeasurements(inspection: RunningInspection, count: number): Promise<void> {
  await inspection.database.write(options(), async (session) => {
    await createParts(session);
    await session.query(`SET LOCAL maintenance_work_mem = '256MB'`);
    await session.query('ALTER TABLE measurement SET UNLOGGED');
    await withoutIndexes(session, 'measurement', () =>
      session.query(
        `INSERT INTO measurement (uuid, part_id, characteristic_set_id, measured_at, last_modified, created, aggregation, attributes, "values")
         SELECT md5(i::text)::uuid, 1000000 + i % ${PARTS}, 1 + i % ${PARTS}, time, '2026-01-01'::timestamptz + i * interval '1 second', now(), i % 1000 = 999,
           jsonb_strip_nulls(jsonb_build_object('4', time, '5001', 'Batch ' || i / 4, '5002', (i % 1000)::text, '5005', (i / 100)::text, '99', CASE WHEN i % 1000 = 999 THEN '1' END)),
           ARRAY[i, 2, 3]
         FROM (SELECT i, CASE WHEN i % 100 <> 0 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END AS time FROM generate_series(0, $1::int - 1) AS i) AS one`,
        [count],
      ),
    );
    await session.query('ANALYZE');
  });
}

async function createParts(session: Session): Promise<void> {
  const columns = `id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, version, plan_version, modified_at, characteristics_modified_at`;
  await session.query(
    `INSERT INTO plan_item (${columns})
     SELECT 1000 + n, gen_random_uuid(), 'part', root.id, 1000 + n, 'line' || n, 'line' || n, 'pline' || n || '/', 'P:/line' || n || '/', 1, 0, 0, now(), now()
     FROM plan_item root, generate_series(0, ${LINES - 1}) AS n WHERE root.path = ''`,
  );
  await session.query(
    `INSERT INTO plan_item (${columns})
     SELECT 1000000 + n, gen_random_uuid(), 'part', line.id, 1000000 + n, 'part' || n, 'part' || n, line.path || 'ppart' || n || '/', 'PP:/' || line.name || '/part' || n || '/', 2, 0, 0, now(), now()
     FROM generate_series(0, ${PARTS - 1}) AS n JOIN plan_item line ON line.id = 1000 + n / ${PARTS / LINES}`,
  );
  await session.query(
    `INSERT INTO plan_item (${columns})
     SELECT 2000000 + 3 * (part.id - 1000000) + c, gen_random_uuid(), 'characteristic', part.id, part.id, 'c' || c, 'c' || c, part.path || 'cc' || c || '/',
       'PPC' || substr(part.marked_path, 3) || 'c' || c || '/', 3, 0, 0, now(), now()
     FROM plan_item part, generate_series(0, 2) AS c WHERE part.id >= 1000000`,
  );
  await session.query(
    `INSERT INTO characteristic_set (id, part_id, characteristic_ids, hash) OVERRIDING SYSTEM VALUE
     SELECT 1 + n, 1000000 + n, ARRAY[2000000 + 3 * n, 2000001 + 3 * n, 2000002 + 3 * n], '' FROM generate_series(0, ${PARTS - 1}) AS n`,
  );
}

/** Drops all indexes of a table during `work`, which is many times as fast without them. */
async function withoutIndexes(session: Session, table: string, work: () => Promise<unknown>): Promise<void> {
  const read = () =>
    session.query<{ drop: string; create: string }>(
      `SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
           ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END AS drop,
         CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
           ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) END AS create
       FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid WHERE i.indrelid = $1::regclass ORDER BY 2`,
      [table],
    );
  const before = await read();
  for (const { drop } of before) await session.query(drop);
  await work();
  for (const { create } of before) await session.query(create);
  if (JSON.stringify(await read()) !== JSON.stringify(before)) throw new Error('the indexes are not what they were');
}

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Sort Method'?: string;
  'Sort Space Type'?: string;
  'Plan Width': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Temp Written Blocks': number;
  Plans?: PlanNode[];
}

export interface ExplainedStatement {
  nodes: PlanNode[];
  /** Scans of measurements and of their indexes. */
  scans: PlanNode[];
  rows: number;
  /** Pages that were read; a page counts once for each access. */
  pages: number;
  executionMs: number;
}

export async function explained(inspection: RunningInspection, { text, values }: Statement): Promise<ExplainedStatement> {
  const [row] = await inspection.database.read(options(), (session) =>
    session.query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    ),
  );
  if (!row) throw new Error('no plan');
  const [{ Plan: top, 'Execution Time': executionMs }] = row['QUERY PLAN'];
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  visit(top);
  const scans = nodes.filter((node) => node['Relation Name'] === 'measurement' || node['Index Name']?.startsWith('measurement'));
  return { nodes, scans, rows: top['Actual Rows'], pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'], executionMs };
}
