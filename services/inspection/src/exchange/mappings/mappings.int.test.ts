import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { importAnswerSchema, importRefusalSchema, tableMappingListSchema } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

const MAPPING = { part: 'Shaft', columns: { Zeit: { is: 'time' }, D1: { is: 'value', characteristic: 'Bore' } }, decimal: ',' };
const TABLE = 'Zeit;D1\n2026-01-05T08:00:00Z;20,01\n2026-01-05T08:01:00Z;20,02\n';
const READER: Principal = { name: 'reader', rightsKey: 'reader', scopeOf: () => PathScope.EVERYTHING, holds: () => false };

describeWith(['postgres'], 'mappings of tables', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const PATH = '/exchangeServiceRest/mappings';
  const address = (name: string) => `${PATH}/${encodeURIComponent(name)}`;
  const put = (name: string, body: object = MAPPING) => request(inspection.server).put(address(name)).send(body);
  const get = (name: string) => request(inspection.server).get(address(name));
  const remove = (name: string) => request(inspection.server).delete(address(name));
  const send = (query: string, text = TABLE) =>
    request(inspection.server).post(`/exchangeServiceRest/imports?format=csv&${query}`).set('Content-Type', 'text/csv').send(text);
  const names = async () =>
    tableMappingListSchema.parse((await request(inspection.server).get(PATH).expect(200)).body).map(({ name }) => name);

  it('are kept by name, and answered as they were sent', async () => {
    const { etag } = (await put('gauge 7 (ö)').expect(200)).headers as { etag: string };
    const read = await get('gauge 7 (ö)').expect(200);
    expect(read.body).toEqual(MAPPING);
    expect(read.headers['etag']).toBe(etag);
    await get('gauge 7 (ö)').set('If-None-Match', etag).expect(304);
    await put('another', {}).expect(200);
    expect(await names()).toEqual(['another', 'gauge 7 (ö)']);
    await put('gauge 7 (ö)', { part: 'A' }).set('If-Match', etag).expect(200);
    expect(messageOf(await put('gauge 7 (ö)').set('If-Match', etag).expect(412))).toContain('"gauge 7 (ö)" has changed');
    await remove('gauge 7 (ö)').set('If-Match', etag).expect(412);
    await put('third').set('If-Match', etag).expect(412);
    for (const name of await names()) await remove(name).expect(200);
    await get('another').expect(404);
    await remove('another').expect(404);
  });

  it.each([
    ['x'.repeat(101), MAPPING, '1 to 100 characters'],
    [' ', MAPPING, '1 to 100 characters'],
    ['a\n', MAPPING, undefined],
    ['a/b', MAPPING, 'without /'],
    ['x', { columns: { A: { is: 'valu' } } }, 'columns.A'],
    ['x', { colums: {} }, 'colums'],
  ])('refuse the name %j with %j', async (name, body, message) => {
    const answer = await put(name, body);
    if (message === undefined) expect(answer.status).toBe(200);
    else {
      expect(answer.status).toBe(400);
      expect(messageOf(answer)).toContain(message);
    }
  });

  it('are read by all, and changed with configuration:write', async () => {
    await put('x').expect(200);
    await inspection.as(READER, async () => {
      await get('x').expect(200);
      await request(inspection.server).get(PATH).expect(200);
      await put('x').expect(403);
      await remove('x').expect(403);
    });
  });

  it('of a thousand columns are used by name; an address has no room for them', async () => {
    const columns = Array.from({ length: 1000 }, (_, i) => `Durchmesser der Bohrung ${i + 1} links [mm]`);
    const mapping = {
      part: 'Wide',
      columns: {
        Zeit: { is: 'time' },
        ...Object.fromEntries(columns.map((name, i) => [name, { is: 'value', characteristic: `Bohrung ${i + 1}` }])),
      },
    };
    const table = `${['Zeit', ...columns].join(';')}\n2026-01-05T08:00:00Z${';20.01'.repeat(1000)}\n`;
    await send(`dryRun=true&mapping=${encodeURIComponent(JSON.stringify(mapping))}`, table).expect(431);
    await put('wide', mapping).expect(200);
    const answer = importAnswerSchema.parse((await send('mapping=@wide&dryRun=true', table).expect(200)).body);
    expect(answer.characteristics.created).toBe(1000);
    await remove('wide').expect(200);
  });

  it('are used by imports that name them, as the same import as with the mapping itself', async () => {
    await put('by name').expect(200);
    const dry = importAnswerSchema.parse((await send('mapping=@by%20name&dryRun=true').expect(200)).body);
    expect(dry).toMatchObject({ parts: { created: 1 }, characteristics: { created: 1 }, values: 2 });
    await send('mapping=@by%20name').expect(201);
    await send(`mapping=${encodeURIComponent(JSON.stringify(MAPPING))}`).expect(200);
    const refused = await send('mapping=@nobody').expect(400);
    expect(messageOf(refused)).toMatch(/Parameter mapping: There is no mapping "nobody"\. .*"by name"/);
    await send('mapping=@').expect(400);
    const aqdef = await request(inspection.server)
      .post('/exchangeServiceRest/imports?format=aqdef&mapping=@by%20name')
      .send('x')
      .expect(400);
    expect(messageOf(aqdef)).toContain('columns of its own');
  });

  describe('the dry run of a table', () => {
    it('answers what its columns were taken for, as the start of a mapping', async () => {
      const text = 'time;part;6;Bore;\n05.01.2026;A;B1;20.01;\n06.01.2026;A;B2;20.02;x\n';
      const { table } = importAnswerSchema.parse((await send('dryRun=true&dateOrder=dmy&skipBad=true', text).expect(200)).body);
      expect(table).toEqual({
        headerRow: 1,
        separator: ';',
        columnCount: 5,
        columns: [
          { name: 'time', holds: { is: 'time' }, examples: ['05.01.2026', '06.01.2026'] },
          { name: 'part', holds: { is: 'part' }, examples: ['A', 'A'] },
          { name: '6', holds: { is: 'attribute', of: 'measurement', key: 6 }, examples: ['B1', 'B2'] },
          { name: 'Bore', holds: { is: 'value', characteristic: 'Bore' }, examples: ['20.01', '20.02'] },
          { name: '#5', holds: { is: 'nothing' }, examples: ['', 'x'] },
        ],
      });
      const columns = Object.fromEntries((table?.columns ?? []).map(({ name, holds }) => [name, holds]));
      const mapping = encodeURIComponent(JSON.stringify({ columns }));
      expect((await send(`dryRun=true&dateOrder=dmy&mapping=${mapping}`, text).expect(200)).body).toMatchObject({ table });
    });

    it('answers them also where the table is refused, and only in a dry run', async () => {
      const text = 'part;time\nA;B\n';
      const refused = importRefusalSchema.parse((await send('dryRun=true', text).expect(400)).body);
      expect(refused.message).toContain('No column holds values.');
      expect(refused.table?.columns.map(({ holds }) => holds)).toEqual([{ is: 'part' }, { is: 'time' }]);
      expect((await send('', text).expect(400)).body).not.toHaveProperty('table');
      expect((await send('partPath=/P', 'Bore\n1\n').expect(201)).body).not.toHaveProperty('table');
    });

    it('follows the mapping that it is sent', async () => {
      const mapping = encodeURIComponent(JSON.stringify({ headerRow: 2, otherColumns: 'nothing', columns: { B: { is: 'value' } } }));
      const answer = await send(`partPath=/P&dryRun=true&mapping=${mapping}`, 'a title\nA;B\nx;1\n').expect(200);
      expect(importAnswerSchema.parse(answer.body).table).toMatchObject({
        headerRow: 2,
        columns: [
          { name: 'A', holds: { is: 'nothing' } },
          { name: 'B', holds: { is: 'value' }, examples: ['1'] },
        ],
      });
    });
  });
});
