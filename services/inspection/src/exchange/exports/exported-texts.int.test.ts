import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { ImportClient } from '../imports/import-client.fixture.ts';

const FIELD = '\u0014';
const value = (number: string, minute: string, operator: string, machine: string) =>
  [number, '0', `05.01.2026/08:${minute}:00`, '', '#B7', '0', operator, machine].join(FIELD);
const PLAN = ['K0100 1', 'K1001/1 A-100', 'K1002/1 Ring', 'K2001/1 1', 'K2002/1 Bore'];
const BASIC = [...PLAN, value('12.01', '30', '12', '3'), value('12.02', '31', '7', '3')];

describeWith(['postgres'], 'texts in exports', () => {
  let inspection: RunningInspection;
  const files = new ImportClient(() => inspection);
  const download = async (query: string): Promise<Buffer> =>
    (await request(inspection.server).get(`/exchangeServiceRest/values?${query}`).responseType('blob').expect(200)).body as Buffer;
  const exported = async (query: string) => (await download(query)).toString('utf8');
  const send = (text: string | Buffer, format: string, partPath: string) =>
    request(inspection.server)
      .post(`/exchangeServiceRest/imports?format=${format}&zone=UTC&partPath=${partPath}`)
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from(text))
      .expect(201);
  /** Operators and machines of the measurements below a part, as people see them. */
  const shownBelow = async (part: string) => {
    const rows = await sql<{ operator: string; machine: string }>(
      inspection,
      `SELECT o.attributes ->> '4092' AS operator, ma.attributes ->> '4062' AS machine
       FROM measurement m JOIN plan_item p ON p.id = m.part_id
       LEFT JOIN catalog_entry o ON o.key = (m.attributes ->> '8')::int
         AND o.catalog = (SELECT catalog FROM attribute_definition WHERE key = 8)
       LEFT JOIN catalog_entry ma ON ma.key = (m.attributes ->> '10')::int
         AND ma.catalog = (SELECT catalog FROM attribute_definition WHERE key = 10)
       WHERE p.path LIKE $1 ORDER BY m.attributes ->> '4'`,
      [`p${part}/%`],
    );
    return rows.map(({ operator, machine }) => `${operator} ${machine}`);
  };
  const entries = async () =>
    (await sql<{ texts: string }>(inspection, 'SELECT attributes::text AS texts FROM catalog_entry ORDER BY texts')).map(
      ({ texts }) => texts,
    );

  beforeEach(async () => {
    inspection = await startInspection();
  });
  afterEach(() => inspection.stop());

  const anotherServer = async () => {
    await inspection.stop();
    inspection = await startInspection();
    // Its keys 3 and 1 are other machines, its keys 12 and 1 other operators.
    await files.import(
      [...PLAN, ...Array.from({ length: 12 }, (_, i) => value('1', String(10 + i), `O-${i}`, `M-${i}`))],
      'partPath=/first',
    );
  };

  it('name entries of catalogs in AQDEF by their texts, here and elsewhere [D11.1]', async () => {
    await files.import(BASIC, 'partPath=/one');
    const text = await exported('format=aqdef&order=4 asc');
    expect(text.match(/^K40.*$/gm)).toEqual(['K4090/1 12', 'K4092/1 12', 'K4090/2 7', 'K4092/2 7', 'K4060/1 3', 'K4062/1 3']);
    expect(text).toContain(['12.01', '0', '05.01.2026/07:30:00', '', '#B7', '0', '12', '3'].join(FIELD));
    await send(text, 'aqdef', '/two');
    expect(await shownBelow('two')).toEqual(['12 3', '7 3']);
    expect(await entries()).toEqual(['{"4062": "3"}', '{"4092": "12"}', '{"4092": "7"}']);
    await anotherServer();
    await send(text, 'aqdef', '/two');
    expect(await shownBelow('two')).toEqual(['12 3', '7 3']);
  });

  it.each(['format=csv', 'format=csv&layout=wide', 'format=xlsx', 'format=xlsx&layout=wide'])(
    'name entries of catalogs by their texts with %s, here and elsewhere [D11.1]',
    async (query) => {
      await files.import(BASIC, 'partPath=/one');
      const file = await download(`${query}&order=4 asc`);
      if (query.includes('csv')) {
        const [header = '', first = ''] = file.toString().split('\r\n');
        expect(header).toContain('6,7,K0008,K0010');
        expect(first).toContain('B7,0,12,3');
      }
      const format = query.includes('csv') ? 'csv' : 'xlsx';
      await send(file, format, '/two');
      expect(await shownBelow('two')).toEqual(['12 3', '7 3']);
      expect(await entries()).toEqual(['{"4062": "3"}', '{"4092": "12"}', '{"4092": "7"}']);
      await anotherServer();
      await send(file, format, '/two');
      expect(await shownBelow('two')).toEqual(['12 3', '7 3']);
    },
  );

  it('are keys of entries in earlier exports [D11.1]', async () => {
    await files.import(BASIC, 'partPath=/one');
    const csv = 'measurement,time,part,characteristic,value,6,8,10\r\nm-1,2026-01-05T07:30:00Z,/two/A,Bore,12.01,B7,2,1\r\n';
    await send(csv, 'csv', '/old');
    expect(await shownBelow('old')).toEqual(['7 3']);
    const aqdef = ['\ufeffK0100 1', 'K1001/1 A', 'K2002/1 Bore', value('12.01', '30', '1', '1'), ''].join('\r\n');
    await send(aqdef, 'aqdef', '/oldest');
    expect(await shownBelow('oldest')).toEqual(['12 3']);
    await send('time,part,Bore,8,10\r\n2026-01-05T07:30:00Z,A,1.5,1,1\r\n', 'csv', '/other');
    expect(await shownBelow('other')).toEqual(['1 1']);
  });

  it('name entries with equal texts and without texts so that they are found again', async () => {
    const uuid = '0f000000-0000-4000-8000-000000000008';
    await files.import(BASIC, 'partPath=/one');
    const [operators] = await sql<{ uuid: string }>(inspection, 'SELECT catalog AS uuid FROM attribute_definition WHERE key = 8');
    await request(inspection.server)
      .post(`/dataServiceRest/catalogs/${operators?.uuid}`)
      .send([
        { key: 20, attributes: { 4092: '12', 4093: 'Kim' } },
        { key: 21, attributes: {} },
      ])
      .expect(201);
    const [part] = await sql<{ uuid: string }>(inspection, `SELECT uuid FROM plan_item WHERE name = 'A-100'`);
    const measurement = (key: number) => ({
      uuid: uuid.replace(/8$/, key === 20 ? 'a' : 'b'),
      partUuid: part?.uuid,
      attributes: { 4: `2026-02-0${key - 19}T00:00:00Z`, 8: String(key) },
    });
    await request(inspection.server)
      .post('/dataServiceRest/measurements')
      .send([measurement(20), measurement(21)])
      .expect(201);
    await send(await exported('format=aqdef&order=4 asc'), 'aqdef', '/two');
    const keys = await sql<{ key: string }>(
      inspection,
      `SELECT m.attributes ->> '8' AS key FROM measurement m JOIN plan_item p ON p.id = m.part_id WHERE p.path LIKE 'ptwo/%' ORDER BY m.attributes ->> '4'`,
    );
    expect(keys.map(({ key }) => key)).toEqual(['1', '2', '20', '21']);
  });

  it('name entries by their numbers, whatever order the plant gave to their attributes, and find texts with blanks around', async () => {
    await files.import(BASIC, 'partPath=/one');
    const [machines] = await sql<{ uuid: string }>(inspection, 'SELECT catalog AS uuid FROM attribute_definition WHERE key = 10');
    await request(inspection.server)
      .put('/dataServiceRest/catalogs')
      .send([
        {
          uuid: machines?.uuid,
          name: 'Machines',
          validAttributes: [4063, 4062],
          catalogEntries: [{ key: 1, attributes: { 4062: ' 3\t', 4063: 'Mill' } }],
        },
      ])
      .expect(200);
    const [, first = ''] = (await exported('format=csv&order=4 asc')).split('\r\n');
    expect(first).toMatch(/B7,0,12," 3\t"$/);
    await send(await exported('format=csv&order=4 asc'), 'csv', '/two');
    await send(await exported('format=aqdef&order=4 asc'), 'aqdef', '/three');
    await files.import([...PLAN, value('1', '33', '12', '4')], 'partPath=/four');
    const texts = await sql<{ key: number; texts: object }>(
      inspection,
      'SELECT key, attributes AS texts FROM catalog_entry WHERE catalog = $1 ORDER BY key',
      [machines?.uuid],
    );
    expect(texts).toEqual([
      { key: 1, texts: { 4062: ' 3\t', 4063: 'Mill' } },
      { key: 2, texts: { 4062: '4' } },
    ]);
  });

  it('have ß at all positions of a path', async () => {
    const rows = [
      'part,time,characteristic,value',
      '/Straße 1/Gießerei/Maß,2026-01-05T07:30:00Z,Außen/Größe/Maß,1.5',
      '/Strasse 2/Gasse,2026-01-05T07:31:00Z,Mass,2.5',
    ];
    await send([...rows, ''].join('\r\n'), 'csv', '/');
    const [header, ...lines] = (await exported('format=csv&order=4 asc')).trim().split('\r\n');
    expect([header, ...lines].map((line) => line?.split(',').slice(1).join())).toEqual([
      'time,part,characteristic,value',
      ...rows.slice(1).map((row) => {
        const [part, time, ...rest] = row.split(',');
        return [time, part, ...rest].join();
      }),
    ]);
    const [wide] = (await exported('format=csv&layout=wide&order=4 asc')).split('\r\n');
    expect(wide).toContain('Außen/Größe/Maß');
    expect(wide).toContain(',Mass');
  });
});
