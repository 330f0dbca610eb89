import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { importAnswerSchema, importRefusalSchema, type ImportAnswer } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { define, sql } from '../plan/plan-client.fixture.js';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.js';

const PLAN = ['K0100 2', 'K1001/1 4711', 'K1002/1 Shaft', 'K2001/1 1', 'K2002/1 Diameter', 'K2101/1 20', 'K2001/2 2', 'K2002/2 Length'];
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
      parts: { created: 2, found: 0 },
      characteristics: { created: 2, found: 0 },
      measurements: { created: 2, found: 0 },
      values: 3,
      warnings: [{ key: 'K2101', message: expect.stringMatching(/no characteristic attribute 2101.*Define it/) as unknown }],
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
    expect(importRefusalSchema.parse(answer.body)).toMatchObject({ ExceptionType: 'InvalidRequest', errors: [{ line: 10, key: 'K0001' }] });
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
    ['an unknown format', 'format=pdf', /must be one of aqdef, calypso/],
    ['an unknown zone', 'format=aqdef&zone=Mars', /time zone such as Europe\/Berlin/],
    ['no format', 'partPath=/x', /format/],
  ])('are refused with %s', async (_, query, message) => {
    const answer = await request(inspection.server).post(`/exchangeServiceRest/imports?${query}`).send('K0100 1').expect(400);
    expect((answer.body as { message: string }).message).toMatch(message);
  });
});
