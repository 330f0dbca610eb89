import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ErrorBody, ImportAnswer } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { define, PlanClient } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { defineStandard } from './import-client.fixture.ts';

const GOM = ['Element;Property;Actual;Tol +', 'Circle 1;X;10,02;0,1', 'Circle 1;D;5,01;0,1'];
const GOM_MAPPING = {
  part: 'GOM-1',
  columns: {
    Element: { is: 'characteristic' },
    Property: { is: 'characteristic' },
    Actual: { is: 'value' },
    'Tol +': { is: 'attribute', of: 'characteristic', key: 2113 },
  },
};

/** The lines of an export but their uuids; measurements without a time have no order. */
const withoutUuids = (csv: string) =>
  csv
    .replace(/^"?[\da-f-]{36}/gm, '')
    .split('\r\n')
    .sort();

describeWith(['postgres'], 'tables', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const send = (lines: readonly string[], query: Record<string, unknown> = {}, mapping?: object) =>
    request(inspection.server)
      .post('/exchangeServiceRest/imports')
      .query({ format: 'csv', zone: 'Europe/Berlin', ...query, ...(mapping && { mapping: JSON.stringify(mapping) }) })
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
  const exported = async (partPath: string, layout = 'long') =>
    (
      await request(inspection.server)
        .get('/exchangeServiceRest/values')
        .query({ format: 'csv', partPath, layout, order: '4 asc' })
        .buffer(true)
        .parse((response, done) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => done(null, text));
        })
        .expect(200)
    ).body as string;
  const values = async (partPath: string) =>
    (await exported(partPath))
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(1, 5).join());
  const paths = async (partPath: string) => (await plan.list('characteristic', `partPath=${partPath}`)).map(({ path }) => path);

  beforeAll(async () => {
    inspection = await startInspection();
    await defineStandard(inspection);
  });
  afterAll(() => inspection.stop());

  it('without a column of parts belong to the part of partPath [D11.6]', async () => {
    const first = await send(['time,A,B', '2026-01-01 10:00:00,1.5,2'], { partPath: '/Line' }).expect(201);
    expect(first.body).toMatchObject({ parts: { created: 1, found: 0 }, measurements: { created: 1 } });
    const second = await send(['time,A,C', '2026-01-01 10:00:00,7.5,2'], { partPath: '/line' }).expect(201);
    expect(second.body).toMatchObject({ parts: { created: 0, found: 1 }, characteristics: { created: 1, found: 1 } });
    expect((await paths('/Line')).sort()).toEqual(['A', 'B', 'C'].map((name) => `PC:/Line/${name}/`));
    expect(await plan.list('part', 'partPath=/Line&depth=1')).toHaveLength(1);
    const again = await send(['time,A,C', '2026-01-01 10:00:00,7.5,2'], { partPath: '/line' }).expect(200);
    expect(again.body).toMatchObject({ measurements: { created: 0, found: 1 } });
  });

  it('without a column of parts may create several parts of partPath', async () => {
    await send(['A', '1'], { partPath: '/Hall/Cell/Pump' }).expect(201);
    expect(await values('/Hall/Cell/Pump')).toEqual([',/Hall/Cell/Pump,A,1']);
  });

  it('without a column of parts are refused at the root [D11.6]', async () => {
    const { message } = (await send(['time,A', '2026-01-01 10:00:00,1.5']).expect(400)).body as ErrorBody;
    expect(message).toMatch(/names no part for its values. Name one with partPath.*"part" in the mapping, or in a column/);
  });

  it('have the order of dates that one of them shows [D11.5]', async () => {
    const lines = ['part;time;A', 'P;05/03/2026 10:00:00;1,5', 'P;13/03/2026 10:00:00;1,6'];
    const answer = (await send(lines, { partPath: '/dates' }).expect(201)).body as ImportAnswer;
    expect(answer).toMatchObject({ measurements: { created: 2 }, warnings: [] });
    expect(await values('/dates/P')).toEqual(['2026-03-05T09:00:00Z,/dates/P,A,1.5', '2026-03-13T09:00:00Z,/dates/P,A,1.6']);
  });

  it('whose dates show no order are refused until dateOrder says it [D11.5]', async () => {
    const lines = ['part;time;A', 'P;05/03/2026 10:00:00;1,5', 'P;06/03/2026 10:00:00;1,6'];
    const { message } = (await send(lines, { partPath: '/order' }).expect(400)).body as ErrorBody;
    expect(message).toMatch(/Line 2, time: "05\/03\/2026 10:00:00" may have the day or the month first.*Say dateOrder/);
    await send(lines, { partPath: '/order' }, { dateOrder: 'dmy' }).expect(201);
    await send(lines, { partPath: '/order', dateOrder: 'mdy' }).expect(201);
    expect((await values('/order/P')).map((line) => line.slice(0, 10))).toEqual(['2026-03-05', '2026-03-06', '2026-05-03', '2026-06-03']);
  });

  it('that are not certain keep what is certain when bad measurements are left out [D11.5]', async () => {
    const lines = ['part;A', 'P;1.234', 'P;1,5', 'P;2.345'];
    await send(lines, { partPath: '/certain' }).expect(400);
    const answer = (await send(lines, { partPath: '/certain', skipBad: true }).expect(201)).body as ImportAnswer;
    expect(answer.measurements).toEqual({ created: 1, found: 0 });
    expect(await values('/certain/P')).toEqual([',/certain/P,A,1.5']);
  });

  it('tell their progress in the background, when they are read again', async () => {
    const lines = ['part;time;A', 'P;05/03/2026 10:00:00;1,5', 'P;13/03/2026 10:00:00;1,6'];
    const started = await send(lines, { partPath: '/background', runAsync: true }).expect(202);
    const address = new URL(started.headers['location'] as string).pathname;
    const size = 2 * lines.map((line) => `${line}\r\n`).join('').length;
    expect((await request(inspection.server).get(address).expect(200)).body).toMatchObject({ Progress: { done: size, total: size } });
  });

  it('give the unit of their values to new characteristics, and refuse another one [D11.6]', async () => {
    await send(['part,A', 'P,12.5 mm'], { partPath: '/unit' }).expect(201);
    const [characteristic] = await plan.list('characteristic', 'partPath=/unit/P');
    expect(characteristic?.attributes).toMatchObject({ 2142: 'mm' });
    await send(['part,A', 'P,12.6 mm'], { partPath: '/unit' }).expect(201);
    const { message } = (await send(['part,A', 'P,0.5 in'], { partPath: '/unit' }).expect(400)).body as ErrorBody;
    expect(message).toMatch(/have the unit "in" in the file and "mm" on the server/);
    expect(await values('/unit/P')).toHaveLength(2);
  });

  it('have levels of characteristics, and numbers with decimal commas as attributes [D11.6]', async () => {
    await send(GOM, { partPath: '/gom' }, GOM_MAPPING).expect(201);
    expect(await values('/gom/GOM-1')).toEqual([',/gom/GOM-1,Circle 1/X,10.02', ',/gom/GOM-1,Circle 1/D,5.01']);
    const items = await plan.list('characteristic', 'partPath=/gom/GOM-1');
    expect(items.find(({ path }) => path?.endsWith('/D/') === true)?.attributes).toMatchObject({ 2113: '0.1' });
  });

  it('may write attributes of type Float with a decimal comma, which is no thousands separator', async () => {
    await define(inspection, { key: 21_001, entity: 'measurement', type: 'Float' });
    const answer = (await send(['part,21001,A', 'P,"21,5",1', 'P,"1,234",2'], { partPath: '/float' }).expect(201)).body as ImportAnswer;
    expect(answer.warnings).toMatchObject([{ key: 'K21001', message: expect.stringContaining('"1,234"') }]);
    const lines = (await exported('/float/P')).trim().split('\r\n');
    const column = lines[0]?.split(',').indexOf('21001') ?? -1;
    // Measurements without a time have no order.
    expect(
      lines
        .slice(1)
        .map((line) => line.split(',')[column])
        .sort(),
    ).toEqual(['', '21.5']);
  });

  it('warn of rows without a value [D11.6]', async () => {
    const answer = (await send(['part,A', 'P,NA', 'P,1'], { partPath: '/na' }).expect(201)).body as ImportAnswer;
    expect(answer).toMatchObject({ measurements: { created: 1 }, warnings: [{ line: 2, message: expect.stringContaining('no value') }] });
  });

  it('give no formulas to spreadsheets that divide texts, and are read again equal [D11.7]', async () => {
    const texts = ['a;=1+1', 'b,=1', 'c\t@x', '=d', "e;'=1", 'f;"=1'];
    const lines = ['part,characteristic,value,14', ...texts.map((text, i) => `P,"C;=${i}",${i},"${text.replaceAll('"', '""')}"`)];
    await send(lines, { partPath: '/formula' }).expect(201);
    for (const layout of ['long', 'wide']) {
      const csv = await exported('/formula/P', layout);
      const cells = csv.split(/[;,\t\r\n]/).map((cell) => cell.replace(/^"*/, ''));
      expect(cells.filter((cell) => /^[=+@]/.test(cell))).toEqual([]);
      await send(csv.trimEnd().split('\r\n'), { partPath: `/again/${layout}` }).expect(201);
      const again = (await exported(`/again/${layout}/formula/P`)).replaceAll(`/again/${layout}`, '');
      expect(withoutUuids(again)).toEqual(withoutUuids(await exported('/formula/P')));
    }
  });

  it('with thousands of levels are refused, and the server goes on [D11.6]', async () => {
    const deep = await send(['part,A', `${'/a'.repeat(20_000)},1`], { partPath: '/deep' }).expect(400);
    expect((deep.body as ErrorBody).message).toMatch(/below more than 100 others/);
    await request(inspection.server).get('/dataServiceRest/parts').expect(200);
  });
});
