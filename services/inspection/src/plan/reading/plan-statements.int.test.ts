import { PathScope } from '@sinebar/access-control';
import { parseSearchCondition } from '@sinebar/query-language';
import { describeStatementPlans } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { attributeSearch } from '../../shared/search-sql.ts';
import { sql } from '../plan-client.fixture.ts';
import { expectConsistentPlan } from '../plan-consistency.fixture.ts';
import { planCountStatement, planStatement, type PlanSelection } from './plan-query.ts';
import { type Statement } from '@sinebar/database';
import { HISTORY_COLUMN, ITEM_COLUMNS } from './plan-rows.ts';

const PARTS = size({ short: 250, long: 1000 });
const CHARACTERISTICS_OF_EACH = 199;
/** Pages that a statement may read, and pages for each row that it finds; a full scan of 1,000 parts reads about 8,000. */
const MAX_PAGES = 300;
const MAX_PAGES_PER_ROW = 8;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

describeStatementPlans(`statements on a plan of ${PARTS * (1 + CHARACTERISTICS_OF_EACH)} items`, () => {
  let inspection: RunningInspection;
  let uuids: string[] = [];

  beforeAll(async () => {
    inspection = await startInspection();
    const columns = `id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes, version, plan_version, modified_at, characteristics_modified_at`;
    await sql(
      inspection,
      `INSERT INTO plan_item (${columns})
       SELECT 1000000 + p, gen_random_uuid(), 'part', root.id, 1000000 + p, 'part' || p, 'part' || p, 'ppart' || p || '/', 'P:/part' || p || '/', 1,
         jsonb_build_object('1001', 'drawing ' || p, '1002', (p % 7)::text), 0, 0, now(), now()
       FROM plan_item root, generate_series(1, ${PARTS}) AS p`,
    );
    await sql(
      inspection,
      `INSERT INTO plan_item (${columns})
       SELECT 2000000 + part.id * 0 + row_number() OVER (), gen_random_uuid(), 'characteristic', part.id, part.id, 'c' || c, 'c' || c, part.path || 'cc' || c || '/',
         'PC' || substr(part.marked_path, 2) || 'c' || c || '/', 2, jsonb_build_object('2001', 'limit'), 0, 0, now(), now()
       FROM plan_item part, generate_series(1, ${CHARACTERISTICS_OF_EACH}) AS c WHERE part.id > 1000000`,
    );
    await sql(inspection, 'ANALYZE plan_item');
    uuids = (await sql<{ uuid: string }>(inspection, `SELECT uuid FROM plan_item WHERE id > 1000000 ORDER BY id LIMIT 3`)).map(
      ({ uuid }) => uuid,
    );
  });
  afterAll(async () => {
    try {
      await expectConsistentPlan(inspection);
    } finally {
      await inspection.stop();
    }
  });

  /** Runs the statement. @returns the nodes of its plan and the pages that it read */
  const explained = async ({ text, values }: Statement) => {
    const [row] = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(inspection, `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, [
      ...values,
    ]);
    const top = row?.['QUERY PLAN'][0].Plan as Node;
    const nodes: Node[] = [];
    const visit = (node: Node) => {
      nodes.push(node);
      node.Plans?.forEach(visit);
    };
    visit(top);
    return { nodes, rows: top['Actual Rows'], pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'] };
  };
  const searchFor = (kind: 'part' | 'characteristic', text: string): PlanSelection['search'] => ({
    kind,
    condition: attributeSearch(parseSearchCondition(text), { typeOf: () => 'AlphaNumeric', caseSensitive: false }),
  });
  const columns = `${ITEM_COLUMNS}, ${HISTORY_COLUMN} AS history`;

  it.each<[string, () => PlanSelection, number]>([
    ['one part by uuid', () => ({ kinds: ['part'], uuids: uuids.slice(0, 1) }), 1],
    ['some parts by uuid', () => ({ kinds: ['part'], uuids }), 3],
    ['one part by uuid with its children', () => ({ kinds: ['part'], uuids: uuids.slice(0, 1), depth: 1 }), 1],
    ['one part by path', () => ({ kinds: ['part'], paths: ['ppart200/'], depth: 0 }), 1],
    ['a part that is not there', () => ({ kinds: ['part'], paths: ['pnothing/'], depth: 1 }), 0],
    ['a part with its direct children', () => ({ kinds: ['part', 'characteristic'], paths: ['ppart200/'], depth: 1 }), 200],
    ['a part with everything below', () => ({ kinds: ['part', 'characteristic'], paths: ['ppart200/'], depth: 65_535 }), 200],
    ['the parts below a part', () => ({ kinds: ['part'], paths: ['ppart200/'], depth: 65_535 }), 1],
    ['all parts', () => ({ kinds: ['part'], paths: [''], depth: 65_535 }), PARTS + 1],
    ['several places', () => ({ kinds: ['part', 'characteristic'], paths: ['ppart5/', 'ppart6/'], depth: 3 }), 400],
    [
      'characteristics of one part',
      () => ({ kinds: ['characteristic'], paths: ['ppart200/'], depth: 65_535, ownCharacteristicsOnly: true }),
      199,
    ],
    ['characteristics of the root', () => ({ kinds: ['characteristic'], paths: [''], depth: 65_535, ownCharacteristicsOnly: true }), 0],
    [
      'characteristics with their parts',
      () => ({ kinds: ['part', 'characteristic'], paths: ['ppart200/'], onlyPartsWithCharacteristics: true }),
      200,
    ],
    ['parts with a text', () => ({ kinds: ['part'], paths: [''], depth: 65_535, search: searchFor('part', '1001=[Drawing 77]') }), 1],
    [
      'parts with one of some texts',
      () => ({ kinds: ['part'], paths: [''], depth: 65_535, search: searchFor('part', '1001In[drawing 7,DRAWING 8,x]') }),
      2,
    ],
    [
      'characteristics with a text that none has',
      () => ({ kinds: ['characteristic'], paths: [''], depth: 65_535, search: searchFor('characteristic', '2001=[nothing]') }),
      0,
    ],
  ])('read %s through indexes only', async (_name, selection, found) => {
    const maxPages = MAX_PAGES + found * MAX_PAGES_PER_ROW;
    const list = planStatement(selection(), PathScope.EVERYTHING, columns);
    expect((await explained(list)).rows).toBe(found);
    for (const statement of [
      list,
      planCountStatement(selection(), PathScope.EVERYTHING),
      planStatement(selection(), PathScope.below('ppart200/'), columns),
    ]) {
      const { nodes, pages } = await explained(statement);
      const scans = nodes.filter((node) => node['Relation Name'] === 'plan_item');
      expect(scans.length).toBeGreaterThan(0);
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(pages).toBeLessThan(maxPages);
    }
  });

  it('are recognised when they use no index', async () => {
    const { nodes, pages } = await explained(
      planStatement({ kinds: ['part', 'characteristic'], depth: 65_535 }, PathScope.EVERYTHING, columns),
    );
    expect(nodes.some((node) => node['Node Type'] === 'Seq Scan') || pages > MAX_PAGES).toBe(true);
  });
});
