import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { importAnswerSchema, importRefusalSchema, type ImportAnswer } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { define, sql } from '../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { SHARE_PLAN } from '../shared/plan-lock.ts';

const DIAMETER = ['K2001/1 1', 'K2002/1 Diameter', 'K2003/1 D', 'K2101/1 20'];
const PLAN = ['K0100 2', 'K1001/1 4711', 'K1002/1 Shaft', ...DIAMETER, 'K2001/2 2', 'K2002/2 Length'];
const FIELD = '\u0014';
const FILE = [
  ...PLAN,
  `20.010${FIELD}0${FIELD}05.01.2026/08:30:00\u000f75.0${FIELD}0${FIELD}05.01.2026/08:30:00`,
  'K0014/0 SN-1',
  `20.02${FIELD}0${FIELD}05.01.2026/08:45:00`,
  '',
].join('\r\n');

describeWith(['postgres'], 'files in and out', () => {
  let inspection: RunningInspection;
  const post = (text: string, query: string) =>
    request(inspection.server).post(`/exchangeServiceRest/imports?format=aqdef&${query}`).set('Content-Type', 'text/plain').send(text);
  const imported = async (text: string, query: string, status = 201): Promise<ImportAnswer> =>
    importAnswerSchema.parse((await post(text, query).expect(status)).body);
  const exported = async (query: string): Promise<string> =>
    (
      await request(inspection.server)
        .get(`/exchangeServiceRest/values?${query}`)
        .buffer(true)
        .parse((response, done) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => done(null, text));
        })
        .expect(200)
    ).body as string;
  const count = async (table: string) =>
    (await sql<{ count: number }>(inspection, `SELECT count(*)::int AS count FROM ${table}`))[0]?.count;

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric', length: 30 },
      { key: 1002, entity: 'part', type: 'AlphaNumeric', length: 80 },
      { key: 2001, entity: 'characteristic', type: 'AlphaNumeric', length: 20 },
      { key: 2002, entity: 'characteristic', type: 'AlphaNumeric', length: 80 },
      { key: 2101, entity: 'characteristic', type: 'Float' },
      { key: 4, entity: 'measurement', type: 'DateTime' },
      { key: 14, entity: 'measurement', type: 'AlphaNumeric', length: 40 },
    );
  });
  afterAll(() => inspection.stop());

  it('name their versions', async () => {
    expect((await request(inspection.server).get('/exchangeServiceRest/').expect(200)).body).toEqual({ supportedVersions: ['1.0.0'] });
  });

  it('are only checked in a dry run', async () => {
    const answer = await imported(FILE, 'partPath=/dry&zone=Europe/Berlin&dryRun=true', 200);
    expect(answer).toMatchObject({
      parts: { created: 2, found: 0 },
      characteristics: { created: 2, found: 0 },
      measurements: { created: 2, found: 0 },
    });
    expect(await count('measurement')).toBe(0);
  });

  it('may be sent compressed, and are refused in a coding that the server does not know or that their bytes are not in', async () => {
    const send = (coding: string, bytes: Buffer) =>
      request(inspection.server)
        .post('/exchangeServiceRest/imports?format=aqdef&partPath=/dry&dryRun=true')
        .set({ 'Content-Type': 'text/plain', 'Content-Encoding': coding })
        .serialize((body: unknown) => body as string)
        .send(bytes);
    expect((await send('gzip', gzipSync(FILE)).expect(200)).body).toMatchObject({ measurements: { created: 2 } });
    expect((await send('zstd', Buffer.from(FILE)).expect(415)).body).toMatchObject({ ExceptionType: 'UnsupportedMediaType' });
    expect((await send('gzip', Buffer.from(FILE)).expect(400)).body).toMatchObject({
      message: expect.stringContaining('Content-Encoding'),
    });
  });

  it('store plan and measurements, and say what the server cannot keep', async () => {
    const answer = await imported(FILE, 'partPath=/once&zone=Europe/Berlin');
    expect(answer).toEqual({
      attributes: { created: [] },
      parts: { created: 2, found: 0 },
      characteristics: { created: 2, found: 0 },
      filled: [],
      measurements: { created: 2, found: 0 },
      values: 3,
      firstMeasurements: [expect.any(String)],
      warnings: [{ key: 'K2003', message: expect.stringMatching(/no characteristic attribute 2003.*Define it/) as unknown }],
    });
  });

  it('are read again as CSV, digit by digit', async () => {
    const lines = (await exported('format=csv&partPath=/once/4711&order=4 asc')).split('\r\n');
    expect(lines[0]).toBe('measurement,time,part,characteristic,value,14');
    expect(lines.slice(1).map((line) => line.split(',').slice(1).join())).toEqual([
      '2026-01-05T07:30:00Z,/once/4711,Diameter,20.010,SN-1',
      '2026-01-05T07:30:00Z,/once/4711,Length,75.0,SN-1',
      '2026-01-05T07:45:00Z,/once/4711,Diameter,20.02,',
      '',
    ]);
  });

  it('are restricted by time', async () => {
    const text = await exported('format=csv&partPath=/once/4711&from=2026-01-05T07:40:00Z&to=2026-01-05T08:00:00Z');
    expect(text.trim().split('\r\n')).toHaveLength(2);
  });

  it('are restricted by the time of the change', async () => {
    expect((await exported('format=csv&partPath=/once/4711&modifiedAfter=2100-01-01T00:00:00Z')).trim().split('\r\n')).toHaveLength(1);
  });

  it('are read again as AQDEF, and stored elsewhere equal', async () => {
    const text = await exported('format=aqdef&partPath=/once/4711&order=4 asc&zone=Europe/Berlin');
    await imported(text, 'partPath=/again&zone=Europe/Berlin');
    const columns = (csv: string) => csv.split('\r\n').map((line) => line.split(',').filter((_, i) => i !== 0 && i !== 2));
    expect(columns(await exported('format=csv&partPath=/again/4711&order=4 asc'))).toEqual(
      columns(await exported('format=csv&partPath=/once/4711&order=4 asc')),
    );
  });

  it('are stored once', async () => {
    const before = await count('measurement');
    const answer = await imported(FILE, 'partPath=/once&zone=Europe/Berlin', 200);
    expect(answer).toMatchObject({ parts: { created: 0, found: 2 }, measurements: { created: 0, found: 2 } });
    expect(await count('measurement')).toBe(before);
  });

  it('are stored in the background, where the operation tells the answer', async () => {
    const file = [...PLAN, '20.3', ''].join('\n');
    const started = await post(file, 'partPath=/once&runAsync=true').expect(202);
    const address = new URL(started.headers['location'] as string).pathname;
    expect(address).toMatch(/^\/dataServiceRest\/pendingOperations\//);
    const answer = await request(inspection.server).get(address).expect(200);
    expect(answer.body).toMatchObject({
      ExecutionStatus: 'Finished',
      Exception: null,
      Progress: { done: 2 * file.length, total: 2 * file.length },
      Result: { measurements: { created: 1, found: 0 } },
    });
  });

  it('with errors end their operation in the background, and store nothing', async () => {
    const before = await count('measurement');
    const started = await post([...PLAN, 'abc', ''].join('\n'), 'partPath=/once&runAsync=true').expect(202);
    const answer = await request(inspection.server)
      .get(new URL(started.headers['location'] as string).pathname)
      .expect(200);
    expect(answer.body).toMatchObject({
      ExecutionStatus: 'Exception',
      Exception: { ExceptionType: 'InvalidRequest', details: [{ field: '10 K0001' }] },
    });
    expect(await count('measurement')).toBe(before);
  });

  it('are stored once when they are sent at the same time', async () => {
    const before = (await count('measurement')) ?? 0;
    const file = [...PLAN, '20.31', '20.32', ''].join('\n');
    const answers = await Promise.all([1, 2, 3].map(() => post(file, 'partPath=/once')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(await count('measurement')).toBe(before + 2);
  });

  it('of a known plan are stored while others write', async () => {
    const shared = await inspection.database.write({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 }, async (session) => {
      await session.query(SHARE_PLAN);
      return post([...PLAN, '20.4', ''].join('\n'), 'partPath=/once');
    });
    expect(shared.status).toBe(201);
  });

  it('find the parts and characteristics that are there', async () => {
    const answer = await imported([...PLAN, '20.03', ''].join('\n'), 'partPath=/once');
    expect(answer).toMatchObject({
      parts: { created: 0, found: 2 },
      characteristics: { created: 0, found: 2 },
      measurements: { created: 1, found: 0 },
    });
  });

  it('with errors are refused as a whole', async () => {
    const before = await count('plan_item');
    const answer = await post([...PLAN, '20.1', 'abc', ''].join('\n'), 'partPath=/bad').expect(400);
    expect(importRefusalSchema.parse(answer.body)).toMatchObject({ ExceptionType: 'InvalidRequest', errors: [{ line: 11, key: 'K0001' }] });
    expect(await count('plan_item')).toBe(before);
  });

  it('are stored without the measurements that have errors, when that is wanted', async () => {
    expect(await imported([...PLAN, '20.1', 'abc', ''].join('\n'), 'partPath=/bad&skipBad=true')).toMatchObject({
      measurements: { created: 1 },
    });
  });

  it('of CALYPSO are read too', async () => {
    const rows = ['planid\tpartnb\tid\tactual\tnominal', 'Housing\t1\tBore\t20,01\t20', 'Housing\t2\tBore\t20,02\t20', 'END'];
    const answer = await request(inspection.server)
      .post('/exchangeServiceRest/imports?format=calypso&partPath=/calypso')
      .set('Content-Type', 'text/plain')
      .send(rows.join('\r\n'))
      .expect(201);
    expect(answer.body).toMatchObject({ parts: { created: 2 }, measurements: { created: 2 } });
  });

  const table = (format: 'csv' | 'xlsx', body: string | Buffer, query: string) =>
    request(inspection.server)
      .post(`/exchangeServiceRest/imports?format=${format}&${query}`)
      .set('Content-Type', 'application/octet-stream')
      .send(typeof body === 'string' ? Buffer.from(body) : body);
  const bytes = async (query: string): Promise<Buffer> =>
    (
      await request(inspection.server)
        .get(`/exchangeServiceRest/values?${query}`)
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(null, Buffer.concat(chunks)));
        })
        .expect(200)
    ).body as Buffer;
  const withoutUuids = (csv: string) => csv.split('\r\n').map((line) => line.split(',').slice(1).join());

  it('are read again as CSV, and stored below another part equal', async () => {
    for (const layout of ['long', 'wide']) {
      const query = `format=csv&layout=${layout}&partPath=/once/4711&order=4 asc`;
      const csv = (await exported(query)).replaceAll('/once/4711', `/${layout}/4711`);
      expect((await table('csv', csv, 'partPath=/tables').expect(201)).body).toMatchObject({ warnings: [] });
      // Measurements without a time have no order of their own.
      expect(withoutUuids(await exported(query.replace('/once', `/tables/${layout}`))).sort()).toEqual(
        withoutUuids(csv)
          .map((line) => line.replace(`/${layout}/`, `/tables/${layout}/`))
          .sort(),
      );
    }
  });

  it('have one row for each measurement in wide layout', async () => {
    const csv = await exported('format=csv&layout=wide&partPath=/once/4711&to=2026-01-05T07:40:00Z');
    expect(withoutUuids(csv)).toEqual(['time,part,14,Diameter,Length', '2026-01-05T07:30:00Z,/once/4711,SN-1,20.010,75.0', '']);
  });

  it('are read again as Excel, and stored below another part equal', async () => {
    const workbook = await bytes('format=xlsx&layout=wide&partPath=/once/4711&order=4 asc');
    await table('xlsx', workbook, 'partPath=/workbook').expect(201);
    const times = async (path: string) =>
      withoutUuids(await exported(`format=csv&partPath=${path}&order=4 asc`)).map((line) => line.split(',')[0]);
    expect(await times('/workbook/once/4711')).toEqual(await times('/once/4711'));
  });

  it('are read as Parquet', async () => {
    const file = await bytes('format=parquet&partPath=/once/4711');
    expect(file.subarray(0, 4).toString()).toBe('PAR1');
    expect(file.subarray(-4).toString()).toBe('PAR1');
  });

  it('of tables are read by a mapping', async () => {
    const mapping = JSON.stringify({
      part: 'Shaft',
      columns: { Zeit: { is: 'time' }, Ø: { is: 'value', characteristic: 'Diameter', attributes: { 2001: '7' } } },
    });
    const csv = Buffer.from('Zeit;Ø\r\n05.01.2026 08:30;20,5\r\n', 'latin1');
    const query = `partPath=/mapped&zone=Europe/Berlin&mapping=${encodeURIComponent(mapping)}`;
    await table('csv', csv, query).expect(201);
    const text = await exported('format=csv&partPath=/mapped/Shaft');
    expect(withoutUuids(text)[1]).toBe('2026-01-05T07:30:00Z,/mapped/Shaft,Diameter,20.5,');
    expect((await table('csv', csv, query).expect(200)).body).toMatchObject({ measurements: { created: 0, found: 1 } });
  });

  it('of tables with errors are refused with line and column', async () => {
    const answer = await table('csv', 'part;x\nA;abc', 'partPath=/bad').expect(400);
    expect(answer.body).toMatchObject({
      errors: [
        { line: 2, key: 'x', message: '"abc" is no number. Write a value such as 20.012, or leave the field empty where there is none.' },
      ],
    });
  });

  it.each([
    ['format=csv&mapping=x', /mapping.*must be a JSON object such as/],
    ['format=csv&mapping={"part":7}', /mapping.*does not fit the schema TableMapping; part: /],
    ['format=csv&mapping={"columns":{"A":{"is":"price"}}}', /mapping.*columns\.A/],
    ['format=csv&mapping={"teil":"A"}', /mapping.*teil/],
    ['format=aqdef&mapping={}', /mapping: The format aqdef has columns of its own. Leave mapping out/],
  ])('are refused with %s', async (query, message) => {
    const answer = await request(inspection.server).post('/exchangeServiceRest/imports').query(query).send('part,x').expect(400);
    expect((answer.body as { message: string }).message).toMatch(message);
  });

  it.each([
    ['format=pdf', /must be one of csv, parquet, aqdef, xlsx/],
    ['format=csv&layout=tall', /layout.*must be one of long, wide/],
    ['format=aqdef&layout=wide', /layout: AQDEF has a layout of its own. Leave layout out/],
    ['format=csv&zone=Europe/Berlin', /zone: Times in csv are in UTC. Leave zone out/],
    ['format=csv&from=soon', /from.*must be a date such as/],
  ])('are not written with %s', async (query, message) => {
    const answer = await request(inspection.server).get('/exchangeServiceRest/values').query(query).expect(400);
    expect((answer.body as { message: string }).message).toMatch(message);
  });

  it('create missing entries of catalogs with their number', async () => {
    const catalog = '0f000000-0000-4000-8000-000000000001';
    await define(inspection, { key: 4062, entity: 'catalog', type: 'AlphaNumeric', length: 20 });
    await request(inspection.server)
      .post('/dataServiceRest/catalogs')
      .send([{ uuid: catalog, name: 'Machines', validAttributes: [4062], catalogEntries: [{ key: 7, attributes: { 4062: 'M-7' } }] }])
      .expect(201);
    await request(inspection.server)
      .post('/dataServiceRest/configuration/measurement')
      .send([{ key: 10, description: 'Machine', catalog, definitionType: 'CatalogAttributeDefinition' }])
      .expect(201);
    await imported([...PLAN, 'K0001/1 1', 'K0010/1 M-7', 'K0001/1 2', 'K0010/1 M-8', ''].join('\n'), 'partPath=/machines');
    const rows = await sql<{ machine: string }>(
      inspection,
      `SELECT attributes ->> '10' AS machine FROM measurement WHERE attributes ? '10' ORDER BY id`,
    );
    expect(rows.map(({ machine }) => machine)).toEqual(['7', '1']);
  });

  it.each([
    ['an unknown format', 'format=pdf', /must be one of aqdef, calypso, csv, xlsx/],
    ['an unknown zone', 'format=aqdef&zone=Mars', /time zone such as Europe\/Berlin/],
    ['no format', 'partPath=/x', /format/],
  ])('are refused with %s', async (_, query, message) => {
    const answer = await request(inspection.server).post(`/exchangeServiceRest/imports?${query}`).send('K0100 1').expect(400);
    expect((answer.body as { message: string }).message).toMatch(message);
  });
});
