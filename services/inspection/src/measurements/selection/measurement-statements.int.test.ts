import { PathScope } from '@sinebar/access-control';
import { type AttributeType, parseOrder, parseSearchCondition } from '@sinebar/query-language';
import { describeStatementPlans } from '@sinebar/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import type { AttributeDefinition, Configuration } from '../../configuration/configuration.ts';
import { sql } from '../../plan/plan-client.fixture.ts';
import { explained, fillMeasurements, LINES, PARTS, type ExplainedStatement } from '../many-measurements.fixture.ts';
import { MeasuredParts } from '../sets/measured-parts.ts';
import { countStatement, isCountedByIndex, selectionStatement, type MeasurementSelection } from './measurement-selection.ts';
import { findSelectedParts } from './selected-parts.ts';

const MEASUREMENTS = size({ short: 500_000, long: 1_000_000 });
const OF_EACH = MEASUREMENTS / PARTS;
/** Pages that a statement may read, and pages for each row that it finds; a scan of a million measurements reads about 30,000. */
const MAX_PAGES = 300;
const MAX_PAGES_PER_ROW = 10;
/** Pages for one scan of all measurements, through an index on time as well, and for some look-ups by key. */
const MAX_PAGES_OF_ALL = MEASUREMENTS * 0.06;
/** Limit for a scan of all measurements, as a multiple of the time for counting them; leaves room for other load on the machine. */
const MAX_COUNTS = 60;

/** Scope of one line of twenty, for which an index on time alone reads twenty measurements for each readable one. */
const ONE_LINE = PathScope.below('pline7/');

/** Time at which the measurement of this number was modified. */
const modified = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();

const definition = (key: number, type: AttributeType): [number, AttributeDefinition] => [
  key,
  { key, entity: 'measurement', description: '', type, length: 50, catalog: null },
];
const CONFIGURATION: Configuration = {
  version: 0,
  catalogVersion: 0,
  definitions: new Map([definition(5001, 'AlphaNumeric'), definition(5002, 'Integer'), definition(5005, 'Catalog')]),
  entryKeys: new Map(),
  purging: new Set(),
};

type Selected = Partial<MeasurementSelection>;

const searched = (text: string) => ({ search: parseSearchCondition(text) });
const ordered = (text: string) => ({ order: parseOrder(text) });

describeStatementPlans(`statements on ${MEASUREMENTS} measurements`, () => {
  let inspection: RunningInspection;
  let [uuids, parts, line]: [string[], string[], string] = [[], [], ''];

  beforeAll(async () => {
    inspection = await startInspection();
    await fillMeasurements(inspection, MEASUREMENTS);
    const uuidsOf = async (text: string) => (await sql<{ uuid: string }>(inspection, text)).map(({ uuid }) => uuid);
    uuids = await uuidsOf('SELECT uuid FROM measurement WHERE id <= 3 ORDER BY id');
    parts = await uuidsOf('SELECT uuid FROM plan_item WHERE id >= 1000000 ORDER BY id');
    [line = ''] = await uuidsOf(`SELECT uuid FROM plan_item WHERE path = 'pline7/'`);
  }, 240_000);
  afterAll(() => inspection.stop());

  const options = { signal: AbortSignal.timeout(600_000), statementTimeoutMs: 60_000 };
  const run = async (selected: Selected, readable = PathScope.EVERYTHING): Promise<ExplainedStatement> => {
    const selection: MeasurementSelection = {
      ...{ deep: false, caseSensitive: false, aggregation: 'measurements', order: parseOrder('4 desc') },
      ...selected,
    };
    const partIds = await inspection.database.read(options, (session) =>
      findSelectedParts(session, selection, readable, new MeasuredParts()),
    );
    const statement = selectionStatement(selection, readable, CONFIGURATION, 'm.uuid, p.uuid, m.attributes, m."values"', {
      partIds,
      areColumnsLarge: true,
    });
    return explained(inspection, statement);
  };
  const expectNoDisk = ({ nodes }: ExplainedStatement) => {
    expect(nodes.filter((node) => node['Sort Space Type'] === 'Disk' || node['Temp Written Blocks'] > 0)).toEqual([]);
  };

  it.each<[string, () => Selected, number]>([
    ['one by uuid', () => ({ measurementUuids: uuids.slice(0, 1) }), 1],
    ['some by uuid', () => ({ measurementUuids: uuids }), 3],
    ['some by uuid, limited', () => ({ measurementUuids: uuids, limit: 2 }), 2],
    ['those of a part', () => ({ partUuids: parts.slice(0, 1) }), OF_EACH],
    ['those of a part by path', () => ({ partPath: 'pline2/ppart50/' }), OF_EACH],
    ['the newest of a part', () => ({ partUuids: parts.slice(0, 1), limit: 5 }), 5],
    ['the newest of a part by path', () => ({ partPath: 'pline2/ppart50/', limit: 5 }), 5],
    ['the oldest of a part', () => ({ partUuids: parts.slice(0, 1), ...ordered('4 asc'), limit: 5 }), 5],
    ['the last modified of a part', () => ({ partUuids: parts.slice(0, 1), ...ordered('LastModified desc'), limit: 5 }), 5],
    ['the newest of a subtree', () => ({ partPath: 'pline7/', deep: true, limit: 5 }), 5],
    ['the oldest of a subtree', () => ({ partPath: 'pline7/', deep: true, ...ordered('4 asc'), limit: 5 }), 5],
    ['the newest thousand of a subtree', () => ({ partPath: 'pline7/', deep: true, limit: 1000 }), 1000],
    ['the newest of a subtree by uuid', () => ({ partUuids: [line], deep: true, limit: 5 }), 5],
    ['the newest thousand of a small subtree by uuid', () => ({ partUuids: parts.slice(3, 4), deep: true, limit: 1000 }), 1000],
    ['the newest of some parts', () => ({ partUuids: parts.slice(0, 20), limit: 5 }), 5],
    ['the newest thousand of some parts', () => ({ partUuids: parts.slice(0, 20), limit: 1000 }), 1000],
    ['the newest of many parts', () => ({ partUuids: parts.slice(0, 300), limit: 100 }), 100],
    ['some of each of some parts', () => ({ partUuids: parts.slice(0, 20), limitPerPart: 2 }), 40],
    ['some of each of many parts', () => ({ partUuids: parts.slice(0, 300), limitPerPart: 2 }), 600],
    ['the oldest of each of many parts', () => ({ partUuids: parts.slice(0, 300), limitPerPart: 2, ...ordered('4 asc') }), 600],
    ['some of each of all parts', () => ({ partPath: '', deep: true, limitPerPart: 2 }), 2 * PARTS],
    ['some of each of all parts, limited', () => ({ partPath: '', deep: true, limitPerPart: 2, limit: 900 }), 900],
    ['the newest of all', () => ({ limit: 1000 }), 1000],
    ['the oldest of all', () => ({ limit: 1000, ...ordered('4 asc') }), 1000],
    ['the newest of all, then by text', () => ({ limit: 1000, ...ordered('4 desc, 5001 asc') }), 1000],
    ['the last modified', () => ({ limit: 1000, ...ordered('LastModified desc') }), 1000],
    ['the first modified', () => ({ limit: 1000, ...ordered('LastModified asc') }), 1000],
    ['what was modified lately', () => ({ fromModificationDate: modified(MEASUREMENTS - 10) }), 9],
    ['what was modified lately, limited', () => ({ fromModificationDate: modified(MEASUREMENTS - 10), limit: 5 }), 5],
    ['what was modified long ago', () => ({ toModificationDate: '2026-01-01T00:00:10Z' }), 10],
    [
      'what was modified in a time',
      () => ({ fromModificationDate: '2026-01-03T00:00:00Z', toModificationDate: '2026-01-03T00:00:10Z' }),
      10,
    ],
    [
      'what was modified in a time, searched',
      () => searched('LastModified>[2026-01-03T07:33:10Z]+LastModified<=[2026-01-03T07:33:15Z]'),
      5,
    ],
    [
      'what was modified in a time, in a part',
      () => ({ partUuids: parts.slice(0, 1), fromModificationDate: modified(MEASUREMENTS - 1000) }),
      2,
    ],
    ['a text', () => searched('5001=[batch 77]'), 4],
    ['a text with case', () => ({ ...searched('5001=[Batch 77]'), caseSensitive: true }), 4],
    ['a text, limited', () => ({ ...searched('5001=[Batch 4711]'), limit: 3 }), 3],
    ['a text in another order', () => ({ ...searched('5001=[Batch 4711]'), limit: 3, ...ordered('LastModified desc') }), 3],
    ['one of some texts', () => searched('5001In[batch 7,BATCH 8,x]'), 8],
    ['a text that none has', () => ({ ...searched('5001=[nothing]'), limit: 100 }), 0],
    ['a text in a part', () => ({ ...searched('5001=[batch 0]'), partUuids: parts.slice(1, 2) }), 1],
    ['a text in many parts', () => ({ ...searched('5001=[batch 0]'), partUuids: parts.slice(0, 300) }), 4],
    ['a text in a subtree', () => ({ ...searched('5001=[batch 0]'), partPath: 'pline0/', deep: true }), 4],
    ['a catalog entry', () => searched('5005=[77]'), 100],
    ['a catalog entry, limited', () => ({ ...searched('5005=[77]'), limit: 5 }), 5],
    ['one of some catalog entries', () => ({ ...searched('5005In[77,78,100000000]'), limit: 150 }), 150],
    ['a time', () => searched('4=[2025-02-01T00:01:00Z]'), 1],
    ['a range of time', () => searched('4>=[2025-02-01]+4<[2025-02-01T00:10:00Z]'), 10],
    ['a range of time, limited', () => ({ ...searched('4>=[2025-02-01]'), limit: 5 }), 5],
    ['a range of time, oldest first', () => ({ ...searched('4>=[2025-02-01]'), ...ordered('4 asc'), limit: 5 }), 5],
    ['a range of time in a part', () => ({ partUuids: parts.slice(1, 2), ...searched('4>=[2025-02-01]+4<[2025-02-02]') }), 3],
    ['a range of time in some parts', () => ({ partUuids: parts.slice(1, 11), ...searched('4>=[2025-02-01]+4<[2025-02-02]') }), 30],
    ['a range of time in a subtree', () => ({ partPath: 'pline7/', deep: true, ...searched('4>=[2025-02-01]+4<[2025-02-02]') }), 75],
  ])('read %s through indexes only', async (_name, selected, found) => {
    const all = await run(selected());
    expect(all.rows).toBe(found);
    expect(all.pages).toBeLessThan(MAX_PAGES + found * MAX_PAGES_PER_ROW);
    const restricted = await run(selected(), ONE_LINE);
    // The index on time alone reads twenty rows for each readable one.
    expect(restricted.pages).toBeLessThan(MAX_PAGES + Math.max(found, restricted.rows * LINES) * MAX_PAGES_PER_ROW);
    for (const result of [all, restricted]) {
      expectNoDisk(result);
      expect(result.scans.length).toBeGreaterThan(0);
      expect(result.scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    }
  });

  it.each<[string, () => Selected, number]>([
    ['a time that has no index', () => ({ ...ordered('Created desc'), limit: 1000 }), 1000],
    ['a text', () => ({ ...ordered('5001 asc'), limit: 1000 }), 1000],
    ['a number', () => ({ ...ordered('5002 desc'), limit: 1000 }), 1000],
    ['several attributes', () => ({ ...ordered('5002 desc, 5001 asc, 4 asc'), limit: 1000 }), 1000],
    ['a number, beyond a measured value', () => ({ ...searched(`1>[${MEASUREMENTS - 10}]`), ...ordered('5002 asc'), limit: 100 }), 8],
    ['time, beyond a measured value', () => ({ ...searched(`1>[${MEASUREMENTS - 10}]`), limit: 100 }), 8],
    ['time, between measured values', () => ({ ...searched(`1>[${MEASUREMENTS}]+1<[${2 * MEASUREMENTS}]`), limit: 100 }), 0],
    ['time, of some measured values', () => ({ ...searched('1In[17,18]'), limit: 100 }), 2],
    ['time, without some measured values', () => ({ ...searched('1NotIn[2,3]'), limit: 100 }), 100],
    ['time, with a pattern', () => ({ ...searched('5001Like[%abc%]'), limit: 100 }), 0],
    ['time, above a number', () => ({ ...searched('5002>[999]'), limit: 100 }), 0],
    ['time, without a text', () => ({ ...searched(`5001<>[Batch 3]+5002=[907]+5005>[${MEASUREMENTS / 100 - 2}]`), limit: 100 }), 1],
    ['time, of aggregations', () => ({ aggregation: 'aggregations', ...ordered('5002 asc'), limit: 100 }), 100],
    ['time, created then', () => ({ ...searched('Created<[2025-01-01]'), limit: 100 }), 0],
  ])('sort by %s in memory after one read of each measurement', async (_name, selected, found) => {
    const count = await explained(inspection, { text: 'SELECT count(*) FROM measurement', values: [] });
    for (const readable of [PathScope.EVERYTHING, ONE_LINE]) {
      const result = await run(selected(), readable);
      if (readable.isEverything) expect(result.rows).toBe(found);
      expectNoDisk(result);
      expect(result.pages).toBeLessThan(MAX_PAGES_OF_ALL);
      expect(result.executionMs).toBeLessThan(MAX_COUNTS * count.executionMs);
    }
  });

  it.each<[string, () => Selected, number]>([
    ['newer half', () => ({ partUuids: parts.slice(5, 6), limit: OF_EACH / 2 }), OF_EACH],
    ['newest with a limit for each part', () => ({ partUuids: parts.slice(5, 6), limitPerPart: 50 }), 50],
  ])('read the %s of one part in index order without a sort', async (_name, selected, found) => {
    const { rows, nodes } = await run(selected());
    expect(rows).toBe(Math.min(found, selected().limit ?? Infinity));
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  });

  it.each<[string, () => Selected, number]>([
    ['an attribute', () => ({ partPath: 'pline7/', deep: true, ...ordered('5001 asc, 5002 desc') }), MEASUREMENTS / LINES],
    ['the time, oldest first', () => ({ partPath: 'pline7/', deep: true, ...ordered('4 asc') }), MEASUREMENTS / LINES],
    ['the time of those of some parts', () => ({ partUuids: parts.slice(0, 3), ...ordered('4 asc') }), 3 * OF_EACH],
  ])('sort all by %s without their values, and read the values afterwards', async (_name, selected, found) => {
    const { rows, nodes } = await run(selected());
    expect(rows).toBe(found);
    const sorts = nodes.filter((node) => node['Node Type'].includes('Sort'));
    expect(sorts.length).toBeGreaterThan(0);
    // PostgreSQL estimates this width for two texts and a number.
    for (const sort of sorts) expect(sort['Plan Width']).toBeLessThan(80);
  });

  it('read the first measurements of each part in another order without sorting on disk', async () => {
    const result = await run({ partPath: '', deep: true, limitPerPart: 2, ...ordered('LastModified desc'), limit: 1000 });
    expect(result.rows).toBe(1000);
    expectNoDisk(result);
    expect(result.scans.map((node) => node['Index Name'])).toContain('measurement_part_time');
  });

  describe('that count', () => {
    beforeAll(() => inspection.vacuum(), 240_000);

    it.each<[string, () => Selected, number]>([
      ['all', () => ({}), MEASUREMENTS],
      ['all aggregations', () => ({ aggregation: 'aggregations' }), MEASUREMENTS / 1000],
      ['those of a part', () => ({ partUuids: parts.slice(0, 1) }), OF_EACH],
      ['those of some parts', () => ({ partUuids: parts.slice(0, 20) }), 20 * OF_EACH],
      ['those of a subtree', () => ({ partPath: 'pline7/', deep: true }), MEASUREMENTS / LINES],
      ['those of a time', () => searched('4>=[2025-02-01]+4<[2025-02-02]'), 1426],
      ['those of a part and a time', () => ({ partUuids: parts.slice(1, 2), ...searched('4>=[2025-02-01]+4<[2025-02-02]') }), 3],
      ['those modified lately', () => ({ fromModificationDate: modified(MEASUREMENTS - 1000) }), 1000],
    ])('%s read indexes and no measurement', async (_name, selected, found) => {
      const selection: MeasurementSelection = {
        ...{ deep: false, caseSensitive: false, aggregation: 'all', order: [] },
        ...selected(),
      };
      expect(isCountedByIndex(selection)).toBe(true);
      for (const readable of [PathScope.EVERYTHING, ONE_LINE]) {
        const partIds = await inspection.database.read(options, (session) =>
          findSelectedParts(session, selection, readable, new MeasuredParts()),
        );
        if (partIds?.length === 0) continue;
        const statement = countStatement(selection, readable, CONFIGURATION, partIds);
        const { scans } = await explained(inspection, statement);
        expect(scans.length).toBeGreaterThan(0);
        expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        if (!readable.isEverything) continue;
        expect(scans.filter((node) => node['Node Type'] !== 'Index Only Scan')).toEqual([]);
        const [row] = await inspection.database.read(options, (session) => session.query<{ count: number }>(statement));
        expect(row?.count).toBe(found);
      }
    });
  });

  it('are recognised when they use no index', async () => {
    const { scans } = await run({ ...ordered('5001 asc'), limit: 3 });
    expect(scans.map((node) => node['Node Type'])).toContain('Seq Scan');
  });
});
