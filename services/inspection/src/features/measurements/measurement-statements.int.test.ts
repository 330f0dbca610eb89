import type { ReadableParts } from '@sinebar/access-control';
import { parseOrder, parseSearchCondition } from '@sinebar/query-language';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../../running-inspection.test-case.js';
import type { Configuration } from '../configuration/configuration.js';
import { sql } from '../plan/plan-client.test-case.js';
import type { Statement } from '../plan/plan-query.js';
import { selectionStatement, type MeasurementSelection } from './measurement-selection.js';

const PARTS = 500;
const MEASUREMENTS_OF_EACH = 400;
const MEASUREMENTS = PARTS * MEASUREMENTS_OF_EACH;
/** Pages that a statement may touch, and more for each row that it finds: a scan of the measurements takes about 4,000, one through an index many more. */
const MAX_PAGES = 300;
const MAX_PAGES_PER_ROW = 10;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

const CONFIGURATION: Configuration = {
  version: 0,
  catalogVersion: 0,
  definitions: new Map([[5001, { key: 5001, entity: 'measurement', description: '', type: 'AlphaNumeric', length: 50, catalog: null }]]),
  entryKeys: new Map(),
  purging: new Set(),
};

describeWith(['postgres'], `statements on ${MEASUREMENTS} measurements`, () => {
  let inspection: RunningInspection;
  let uuids: string[] = [];
  let parts: string[] = [];

  beforeAll(async () => {
    inspection = await startInspection();
    await sql(
      inspection,
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, version, plan_version, modified_at, characteristics_modified_at)
       SELECT 1000000 + p, gen_random_uuid(), 'part', root.id, 1000000 + p, 'part' || p, 'part' || p, 'ppart' || p || '/', 'P:/part' || p || '/', 1, 0, 0, now(), now()
       FROM plan_item root, generate_series(1, ${PARTS}) AS p`,
    );
    // One in a hundred has no time.
    await sql(
      inspection,
      `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, aggregation, attributes, "values")
       SELECT gen_random_uuid(), 1000001 + i % ${PARTS}, time, '2026-01-01'::timestamptz + i * interval '1 second', now(), false,
         jsonb_strip_nulls(jsonb_build_object('4', time, '5001', 'Batch ' || i / 4)), ARRAY[1, 2, 3]
       FROM (SELECT i, CASE WHEN i % 100 <> 0 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END AS time FROM generate_series(0, ${MEASUREMENTS - 1}) AS i) AS one`,
    );
    // What VACUUM does in the course of time.
    await sql(inspection, `SELECT gin_clean_pending_list('measurement_attribute_terms')`);
    await sql(inspection, 'ANALYZE');
    uuids = (await sql<{ uuid: string }>(inspection, 'SELECT uuid FROM measurement ORDER BY id LIMIT 3')).map(({ uuid }) => uuid);
    parts = (await sql<{ uuid: string }>(inspection, 'SELECT uuid FROM plan_item WHERE id > 1000000 ORDER BY id LIMIT 100')).map(
      ({ uuid }) => uuid,
    );
  }, 120_000);
  afterAll(async () => inspection.stop());

  const explained = async ({ text, values }: Statement) => {
    const [row] = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      inspection,
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    const top = row?.['QUERY PLAN'][0].Plan as Node;
    const nodes: Node[] = [];
    const visit = (node: Node) => {
      nodes.push(node);
      node.Plans?.forEach(visit);
    };
    visit(top);
    return { nodes, rows: top['Actual Rows'], pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'] };
  };
  const statementFor = (selection: Partial<MeasurementSelection>, readable: ReadableParts = 'all') =>
    selectionStatement(
      { deep: false, caseSensitive: false, aggregation: 'measurements', order: parseOrder('4 desc'), ...selection },
      readable,
      CONFIGURATION,
      'm.uuid, p.uuid, m.attributes, m."values"',
    );
  const searched = (text: string) => ({ search: parseSearchCondition(text) });
  const SOME = 1000;

  it.each<[string, () => Partial<MeasurementSelection>, number]>([
    ['one by uuid', () => ({ measurementUuids: uuids.slice(0, 1) }), 1],
    ['some by uuid', () => ({ measurementUuids: uuids, limit: 2 }), 2],
    ['those of a part', () => ({ partUuids: parts.slice(0, 1) }), 400],
    ['the newest of a part', () => ({ partUuids: parts.slice(0, 1), limit: 5 }), 5],
    ['the newest of a part by path', () => ({ partPath: 'ppart7/', limit: 5 }), 5],
    ['the newest of a subtree', () => ({ partPath: 'ppart7/', deep: true, limit: 5 }), 5],
    ['the newest of some parts', () => ({ partUuids: parts.slice(0, 20), limit: 5 }), 5],
    ['some of each of some parts', () => ({ partUuids: parts, limitPerPart: 2 }), 200],
    ['some of each of all parts', () => ({ partPath: '', deep: true, limitPerPart: 2 }), 1000],
    ['the newest of all', () => ({ limit: SOME }), SOME],
    ['the oldest of all', () => ({ limit: SOME, order: parseOrder('4 asc') }), SOME],
    ['the last modified', () => ({ limit: SOME, order: parseOrder('LastModified desc') }), SOME],
    ['what was modified lately', () => ({ fromModificationDate: '2026-01-03T07:33:10Z' }), 10],
    ['what was modified in a time', () => ({ ...searched('LastModified>[2026-01-03T07:33:10Z]+LastModified<=[2026-01-03T07:33:15Z]') }), 5],
    ['a text', () => searched('5001=[batch 77]'), 4],
    ['a text, limited', () => ({ ...searched('5001=[Batch 4711]'), limit: 3 }), 3],
    ['one of some texts', () => searched('5001In[batch 7,BATCH 8,x]'), 8],
    ['a text that none has', () => ({ ...searched('5001=[nothing]'), limit: 100 }), 0],
    ['a time', () => searched('4>=[2025-02-01]+4<[2025-02-01T00:10:00Z]'), 10],
    ['a time in a part', () => ({ partUuids: parts.slice(1, 2), ...searched('4>=[2025-02-01]+4<[2025-02-02]') }), 3],
  ])('read %s through indexes only', async (_name, selection, found) => {
    for (const readable of ['all', [{ prefix: 'ppart1/' }, { prefix: 'ppart7/' }]] as const) {
      const { nodes, rows, pages } = await explained(statementFor(selection(), readable));
      if (readable === 'all') {
        expect(rows).toBe(found);
        expect(pages).toBeLessThan(MAX_PAGES + found * MAX_PAGES_PER_ROW);
      }
      const scans = nodes.filter((node) => node['Relation Name'] === 'measurement' || node['Index Name']?.startsWith('measurement'));
      expect(scans.length).toBeGreaterThan(0);
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    }
  });

  it('and would tell if one did not', async () => {
    const { nodes } = await explained(statementFor({ order: parseOrder('5001 asc'), limit: 3 }));
    expect(nodes.map((node) => node['Node Type'])).toContain('Seq Scan');
  });
});
