import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PathScope } from '@sinebar/access-control';
import type { RawDataInformation } from '@sinebar/contracts';
import { describeStatementPlans, reachableBytes } from '@sinebar/testing';
import request from 'supertest';
import { size } from '@sinebar/testing/size';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { filterCondition } from '../filter/filter-condition.ts';
import { parseFilter } from '../filter/filter-parser.ts';
import { listStatement } from '../objects/object-listing.ts';

const ROWS = size({ short: 250_000, long: 1_000_000 });
/** Two of a thousand files are scans, and one of three of these has the ending of a PDF. */
const SCANS = ROWS / 500;
const PDF_SCANS = Array.from({ length: SCANS }, (_, scan) => Math.floor(scan / 2) * 1000 + (scan % 2)).filter((n) => n % 3 === 1).length;
/** The time of the last 2,080 files, of which one is created each minute. */
const LATELY = new Date(Date.UTC(2020, 0, 1) + (ROWS - 2080) * 60_000);
const NOW = new Date(LATELY.getTime() + 2 * 24 * 60 * 60_000);
const WORK = { signal: new AbortController().signal, statementTimeoutMs: 280_000 };
const ONE_OF_TWENTY: PathScope = PathScope.below('p7/');

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

describeStatementPlans(`a listing of ${ROWS} files`, () => {
  let running: RunningRawData;

  beforeAll(async () => {
    running = await startRawData();
    await running.database.write(WORK, async (session) => {
      await session.query(`SET LOCAL maintenance_work_mem = '256MB'`);
      // Indexes are built after the rows and without a write-ahead log, which takes a tenth of the time.
      await session.query('ALTER TABLE raw_data_object SET UNLOGGED');
      const indexes = await session.query<{ name: string; definition: string }>(
        `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
         WHERE indrelid = 'raw_data_object'::regclass AND NOT indisunique`,
      );
      for (const { name } of indexes) await session.query(`DROP INDEX ${name}`);
      await session.query(
        `INSERT INTO part (uuid, path) SELECT lpad(to_hex(n + 1), 32, '0')::uuid, 'p' || n % 20 || '/p' || n || '/'
         FROM generate_series(0, 1999) AS n`,
      );
      await session.query(
        `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
           created, last_modified, object_name)
         SELECT 'Measurement', lpad(to_hex(n / 2), 32, '0')::uuid, '00000000-0000-0000-0000-000000000000',
           lpad(to_hex(n / 2 % 2000 + 1), 32, '0')::uuid, n % 2,
           CASE WHEN n % 1000 < 2 THEN 'Surface Scan ' || n ELSE (ARRAY['Bild_', 'Protokoll ', 'curve-'])[1 + n % 3] || n END
             || (ARRAY['.png', '.PDF', '.txt'])[1 + n % 3],
           CASE WHEN n % 1000 < 2 THEN 'model/STL' ELSE (ARRAY['image/png', 'application/pdf', 'text/plain'])[1 + n % 3] END,
           CASE WHEN n % 1000 < 2 THEN 5000000 ELSE n % 1000000 END, decode(lpad(to_hex(n), 32, '0'), 'hex'),
           timestamptz '2020-01-01' + n * interval '1 minute', timestamptz '2020-01-01' + n * interval '1 minute',
           lpad(to_hex(n), 32, '0')::uuid
         FROM generate_series(0, $1::integer - 1) AS n`,
        [ROWS],
      );
      for (const { definition } of indexes) await session.query(definition);
      await session.query('ANALYZE raw_data_object, part');
    });
  }, 290_000);
  afterAll(() => running.stop(), 60_000);

  const plan = async (filter: string, readable: PathScope): Promise<PlanNode[]> => {
    const condition = filterCondition(parseFilter(filter, NOW));
    const { text, values } = listStatement({ entity: 'Measurement', condition }, readable);
    const [row] = await running.database.snapshot(WORK, (session) =>
      session.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values),
    );
    const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
    return flat((row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan);
  };
  /** Rows of files that the statement read. */
  const rowsRead = (nodes: readonly PlanNode[]) =>
    nodes
      .filter((node) => node['Relation Name'] === 'raw_data_object')
      .map(
        (node) =>
          (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'],
      )
      .reduce((sum, rows) => sum + rows, 0);

  it.each([
    [`FileName like '*scan*'`, SCANS],
    [`FileName like 'surface*'`, SCANS],
    [`FileName like '*face?scan*.pdf'`, PDF_SCANS],
    [`FileName eq 'SURFACE scan 7000.PDF'`, 1],
    [`FileName in ('Bild_3.png', 'bild_6.PNG', 'nothing')`, 2],
    [`FileName gt 'surface' and FileName lt 't'`, SCANS],
    [`MimeType eq 'model/stl'`, SCANS],
    [`MimeType in ('MODEL/STL', 'model/x')`, SCANS],
    [`MimeType like 'model/*'`, SCANS],
    [`MimeType like '*STL'`, SCANS],
    [`Length ge 1000000`, SCANS],
    [`Length gt 999999.5 and Length lt 6000000`, SCANS],
    [`Length in (17, 4711, 2.5)`, 2],
    [`Created gt '${LATELY.toISOString()}'`, 2079],
    [`LastModified ge '-2d'`, 2080],
    [`LastModified lt 2020-01-01T10:00:00+02:00`, 480],
    [`MD5 in ('0000000000000000000000000000000a', '00000000-0000-0000-0000-00000000000b')`, 2],
    [`FileName like '*scan*' or Length in (17, 4711) or MD5 eq '000000000000000000000000000000ff'`, SCANS + 3],
    [`FileName like '*scan*' and not (MimeType like 'model*')`, 0],
  ])('filtered by %s reads matching rows by indexes, and few others', async (filter, matches) => {
    for (const readable of [PathScope.EVERYTHING, ONE_OF_TWENTY]) {
      const nodes = await plan(filter, readable);
      expect(nodes[0]?.['Actual Rows']).toBeLessThanOrEqual(matches);
      if (readable.isEverything) expect(nodes[0]?.['Actual Rows']).toBe(matches);
      expect(nodes.filter((node) => node['Node Type'].includes('Seq Scan') && node['Relation Name'] === 'raw_data_object')).toEqual([]);
      expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * matches + 0.0042 * ROWS);
    }
  });

  const list = (filter: string) => request(running.server).get('/rawDataServiceRest/rawDataInformation/measurement').query({ filter });

  it('returns matching files in the usual order [R37]', async () => {
    const all = (await list(`FileName like '*scan*'`).expect(200)).body as RawDataInformation[];
    expect(all).toHaveLength(SCANS);
    const targetKeys = all.map(({ target, key }) => `${target.uuid} ${key}`);
    expect(targetKeys).toEqual([...targetKeys].sort());
    await running.as(somebody({ read: ['p0/', 'p7/'] }), async () => {
      const own = (await list(`FileName like '*scan*'`).expect(200)).body as RawDataInformation[];
      // 2,000 parts and a scan at every 500th target: all of them are below the first subtree.
      expect(own).toEqual(all.filter(({ target }) => (parseInt(target.uuid.slice(-8), 16) % 2000) % 20 === 0));
      expect(own).toHaveLength(SCANS);
    });
    await running.as(somebody({ read: ['p7/'] }), async () => {
      expect((await list(`Length le 999`).expect(200)).body).toHaveLength(50);
      expect((await list(`FileName like '*scan*'`).expect(200)).body).toEqual([]);
    });
  });

  it.each([`Length ge 0`, undefined])(
    'is streamed with the filter %s',
    async (filter) => {
      const controller = new AbortController();
      const query = filter === undefined ? '' : `?filter=${encodeURIComponent(filter)}`;
      const address = `http://127.0.0.1:${running.port}/rawDataServiceRest/rawDataInformation/measurement${query}`;
      const answer = await fetch(address, { signal: controller.signal, headers: { 'Accept-Encoding': 'identity' } });
      expect(answer.status).toBe(200);
      const bytesBefore = reachableBytes();
      let received = 0;
      let growth = 0;
      const drained = (async () => {
        for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
          received += chunk.length;
          if (received <= 20_000_000 || controller.signal.aborted) continue;
          // More than two thirds of the answer, some 300 bytes for each file, are still to come.
          growth = reachableBytes() - bytesBefore;
          controller.abort();
        }
      })();
      await expect(drained).rejects.toThrow('abort');
      expect(growth).toBeLessThan(ROWS * 150);
    },
    120_000,
  );
});
