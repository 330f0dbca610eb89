import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { defineStandard, ImportClient } from './import-client.fixture.ts';

const FIELD = '\u0014';
const value = (number: string, minute: string) => [number, '0', `05.01.2026/08:${minute}:00`, '', '#B7', '0', '12', '3'].join(FIELD);
const RING = ['K0100 1', 'K1001/1 A-100', 'K1002/1 Ring'];
const BORE = ['K2001/1 1', 'K2002/1 Bore', 'K2101/1 12', 'K2110/1 11.9', 'K2111/1 12.1', 'K2142/1 mm'];
const BASIC = [...RING, ...BORE, value('12.01', '30'), value('12.02', '31')];
const BASIC_2 = [...RING, ...BORE, value('12.03', '30'), value('12.04', '31')];
const BORE_ATTRIBUTES = { 2001: '1', 2002: 'Bore', 2101: '12', 2110: '11.9', 2111: '12.1', 2142: 'mm' };
const limits = (lower: string, upper: string, ...values: string[]) => [
  'K0100 1',
  'K1001/1 LM-1',
  'K2002/1 D',
  `K2110/1 ${lower}`,
  `K2111/1 ${upper}`,
  ...values,
];

/** A caller with all rights on parts, and with some on the server. */
const caller = (holds: readonly string[], writable: PathScope = PathScope.EVERYTHING): Principal => ({
  ...EVERYONE,
  scopeOf: (right) => (right === 'plan:write' ? writable : PathScope.EVERYTHING),
  holds: (right) => holds.includes(right),
});

describeWith(['postgres'], 'imports', () => {
  let inspection: RunningInspection;
  const files = new ImportClient(() => inspection);
  const plan = new PlanClient(() => inspection);
  const characteristic = async (path = '/A-100') => {
    const items = await plan.list('characteristic', `partPath=${path}`);
    return items[0] as NonNullable<(typeof items)[0]>;
  };
  const measurements = async () =>
    (await request(inspection.server).get('/dataServiceRest/measurements?order=4 asc').expect(200)).body as { attributes: object }[];
  const values = async () =>
    sql<{ name: string; value: number }>(
      inspection,
      `SELECT item.name, value FROM measurement m JOIN characteristic_set s ON s.id = m.characteristic_set_id,
         unnest(s.characteristic_ids, m."values") AS v (id, value) JOIN plan_item item ON item.id = v.id
       WHERE value <> 'NaN' ORDER BY m.id, value`,
    );

  beforeEach(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
  });
  afterEach(() => inspection.stop());

  describe('into a server without definitions', () => {
    it('define the standard attributes that a file needs [D11.1]', async () => {
      const answer = await files.import(BASIC);
      expect(answer.attributes.created).toEqual([6, 7, 8, 10, 1001, 1002, 2001, 2002, 2101, 2110, 2111, 2142, 4062, 4063, 4092, 4093]);
      expect(answer.warnings).toEqual([]);
      expect((await characteristic()).attributes).toEqual(BORE_ATTRIBUTES);
      const second = await files.import(BASIC_2);
      expect(second).toMatchObject({ attributes: { created: [] }, filled: [], warnings: [], characteristics: { created: 0, found: 1 } });
      expect(await measurements()).toHaveLength(4);
      expect((await measurements())[0]).toMatchObject({ attributes: { 6: 'B7', 7: '0', 8: '1', 10: '1' } });
      const catalogs = (await request(inspection.server).get('/dataServiceRest/catalogs').expect(200)).body as object[];
      expect(catalogs).toMatchObject([
        { name: 'Operators', catalogEntries: [{ key: 1, attributes: { 4092: '12' } }] },
        { name: 'Machines', catalogEntries: [{ key: 1, attributes: { 4062: '3' } }] },
      ]);
      const announced = (await inspection.announced()).filter(({ type }) => type === 'ConfigurationModified');
      expect(announced.map(({ EntityType }) => EntityType)).toEqual(['part', 'characteristic', 'measurement', 'catalog']);
    });

    it('define nothing in a dry run, which names the same [D11.1]', async () => {
      const dry = await files.import(BASIC, 'dryRun=true', 200);
      expect(await sql(inspection, 'SELECT key FROM attribute_definition')).toEqual([]);
      expect({ ...dry, firstMeasurements: [] }).toEqual({ ...(await files.import(BASIC)), firstMeasurements: [] });
    });

    it('define each attribute once when two files come at the same time [D11.1]', async () => {
      const answers = await Promise.all([files.send(BASIC), files.send(BASIC_2)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      const created = answers.map(({ body }) => (body as { attributes: { created: number[] } }).attributes.created.length);
      expect(created.sort((a, b) => a - b)).toEqual([0, 16]);
      expect(await measurements()).toHaveLength(4);
      expect((await measurements()).map(({ attributes }) => attributes)).toMatchObject(Array(4).fill({ 8: '1', 10: '1' }));
    });

    it('are refused for a caller who may not define attributes, and name what would be lost [D11.1]', async () => {
      await inspection.as(caller([]), async () => {
        const body = (await files.send(BASIC).expect(400)).body as ErrorBody;
        expect(body).toMatchObject({ ExceptionType: 'InvalidRequest', message: expect.stringContaining('K2101, K2110, K2111, K2142') });
        expect(body.details?.[0]).toEqual({ field: 'K2101', message: 'The server has no characteristic attribute 2101.' });
        const answer = await files.import(BASIC, 'ignoreUndefined=true');
        expect(answer.attributes.created).toEqual([]);
        expect(answer.warnings.map(({ key }) => key)).toContain('K2110');
      });
    });

    it('take the number that a file describes for an entry of a catalog, and create each once', async () => {
      const one = (...lines: string[]) => [...RING, 'K2002/1 D', ...lines, value('1', '30')];
      await files.import(one());
      await files.import(one('K4060/1 3', 'K4062/1 M3', 'K4063/1 Mill', 'K4093/12 Kim'));
      await files.import(one('K4060/1 3', 'K4062/1 M3', 'K4093/12 Kim', 'K1003/1 x'));
      await files.import(one('K4060/1 9', 'K4063/1 Mill', 'K4090/1 12', 'K4092/1 12', 'K4093/1 Lee'));
      const entries = await sql<{ texts: object }>(inspection, 'SELECT attributes AS texts FROM catalog_entry ORDER BY attributes::text');
      expect(entries.map(({ texts }) => texts)).toEqual([{ 4062: '3' }, { 4062: 'M3', 4063: 'Mill' }, { 4092: '12' }, { 4093: 'Kim' }]);
      expect((await measurements()).map(({ attributes }) => attributes)).toMatchObject([
        { 8: '1', 10: '1' },
        { 8: '2', 10: '2' },
        { 8: '2', 10: '2' },
        { 8: '1', 10: '1' },
      ]);
    });

    it('define no catalogs for a caller who may not change these', async () => {
      await inspection.as(caller(['configuration:write']), async () => {
        const answer = await files.import(BASIC);
        expect(answer.attributes.created).toEqual([6, 7, 1001, 1002, 2001, 2002, 2101, 2110, 2111, 2142]);
        expect(answer.warnings.map(({ key }) => key)).toEqual(['K0008', 'K0010']);
      });
    });

    it('define what a later file needs beside standard attributes, by name in either language [D11.1]', async () => {
      await files.import([...RING, 'K2002/1 D', '1']);
      const german = { key: 2002, description: 'Merkmalsbezeichnung', type: 'AlphaNumeric', length: 80 };
      const renamed = [{ ...german, definitionType: 'AttributeDefinition' }];
      await request(inspection.server).put('/dataServiceRest/configuration/characteristic').send(renamed).expect(200);
      const answer = await files.import(BASIC);
      expect(answer).toMatchObject({
        attributes: { created: [6, 7, 8, 10, 2001, 2101, 2110, 2111, 2142, 4062, 4063, 4092, 4093] },
        warnings: [],
      });
      const further = await files.import([...RING, ...BORE, 'K2022/1 3', 'K2120/1 2', '12.03', 'K0012/0 7', 'K0014/0 S']);
      expect(further).toMatchObject({ attributes: { created: [12, 14, 2022, 2120, 4072, 4073, 4074] }, warnings: [] });
    });

    it.each([
      ['another name', { description: 'Nominal size' }],
      ['another length', { key: 2002, description: 'Characteristic description', length: 81 }],
      ['another type', { type: 'AlphaNumeric', length: 20 }],
      ['another key', { key: 2999, description: 'Nominal value' }],
    ])('define nothing of a kind that has an attribute with %s [D11.1]', async (_, change) => {
      const isText = 'length' in change;
      const nominal = { key: 2101, description: 'Nominal value', type: isText ? 'AlphaNumeric' : 'Float', ...change };
      await request(inspection.server)
        .post('/dataServiceRest/configuration/characteristic')
        .send([{ ...nominal, definitionType: 'AttributeDefinition' }])
        .expect(201);
      await files.send(BASIC).expect(400);
      const { attributes } = await files.import([...RING, 'K2002/1 D', value('1', '30')]);
      expect(attributes.created).toEqual([6, 7, 8, 10, 1001, 1002, 4062, 4063, 4092, 4093]);
    });

    it('define again what was deleted, after its values are removed', async () => {
      await files.import(BASIC);
      await request(inspection.server).delete('/dataServiceRest/configuration').expect(200);
      const answer = await files.import(BASIC_2);
      expect(answer.attributes.created).toContain(2110);
      expect((await characteristic()).attributes).toMatchObject({ 2110: '11.9' });
    });
  });

  describe('into a server with definitions', () => {
    beforeEach(() => defineStandard(inspection));

    it('fill limits and unit that were lost before, as a change of the plan [D11.3]', async () => {
      await inspection.stop();
      inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
      await files.import(BASIC, 'ignoreUndefined=true');
      expect((await characteristic()).attributes).toEqual({});
      const { uuid, version } = await characteristic();
      await defineStandard(inspection);
      const { filled } = await files.import(BASIC_2);
      expect(filled.find((item) => item.uuid === uuid)).toEqual({
        kind: 'characteristic',
        uuid,
        path: 'PC:/A-100/Bore/',
        keys: [2001, 2002, 2101, 2110, 2111, 2142],
      });
      const after = await plan.one('characteristic', uuid, 'withHistory=true');
      expect(after).toMatchObject({
        attributes: BORE_ATTRIBUTES,
        comment: 'Attributes of an imported file',
        history: [{ version, attributes: {} }],
      });
      const modified = (await inspection.announced()).filter(({ type }) => type === 'CharacteristicModified');
      expect(modified).toMatchObject([{ CharacteristicUuid: uuid }]);
    });

    it('fill the plan of content that was imported before, and store no values [D11.3]', async () => {
      await files.import(limits('9.9', '10.1', '10.0'));
      const { uuid } = await characteristic('/LM-1');
      await plan.put('characteristic', [{ uuid, attributes: { 2002: 'D' } }]).expect(200);
      const dry = await files.import(limits('9.9', '10.1', '10.0'), 'dryRun=true', 200);
      expect(dry.filled).toMatchObject([{ uuid, keys: [2110, 2111] }]);
      expect((await characteristic('/LM-1')).attributes).toEqual({ 2002: 'D' });
      const answer = await files.import(limits('9.9', '10.1', '10.0'), '', 200);
      expect(answer).toMatchObject({ filled: [{ uuid, keys: [2110, 2111] }], measurements: { created: 0, found: 1 } });
      expect((await characteristic('/LM-1')).attributes).toEqual({ 2002: 'D', 2110: '9.9', 2111: '10.1' });
      expect(await measurements()).toHaveLength(1);
    });

    it('create nothing that was deleted since the same content was imported', async () => {
      await files.import(limits('9.9', '10.1', '10.0'));
      await plan.delete(`characteristics/${(await characteristic('/LM-1')).uuid}`).expect(200);
      await files.import(limits('9.9', '10.1', '10.0'), '', 200);
      expect(await plan.list('characteristic', 'partPath=/LM-1')).toEqual([]);
    });

    it('fill nothing with fill=false, and name what is not filled without the right', async () => {
      await plan.create('P:/LM-1/', 'PC:/LM-1/D/');
      const left = await files.import(limits('9.9', '10.1', '10.0'), 'fill=false');
      expect(left).toMatchObject({ filled: [], warnings: [] });
      await inspection.as(caller([], PathScope.NOTHING), async () => {
        const { filled, warnings } = await files.import(limits('9.9', '10.1', '10.2'));
        expect(filled).toEqual([]);
        expect(warnings).toContainEqual({
          key: 'K2002',
          message:
            'The characteristic /LM-1/D has no K2002, K2110, K2111, and you need the right plan:write there to fill them from the file.',
        });
      });
      expect((await characteristic('/LM-1')).attributes).toEqual({});
    });

    it('keep other limits and name both, or take them, or are refused [D11.3]', async () => {
      await files.import(limits('9.9', '10.1', '10.0'));
      const refused = await files.send(limits('9.99', '10.01', '10.05'), 'onDifference=refuse').expect(409);
      expect(refused.body).toMatchObject({ ExceptionType: 'Conflict', details: [{ field: 'K2110' }, { field: 'K2111' }] });
      await files.send(limits('9.99', '10.01', '10.05'), 'onDifference=refuse&dryRun=true').expect(409);
      expect(await measurements()).toHaveLength(1);
      const kept = await files.import(limits('9.99', '10.01', '10.05'));
      expect(kept.warnings[0]).toEqual({
        key: 'K2110',
        message:
          'The lower limit K2110 of the characteristic /LM-1/D is 9.9 on the server and 9.99 in the file. ' +
          'That of the server stays; onDifference=update takes that of the file.',
      });
      expect((await characteristic('/LM-1')).attributes).toMatchObject({ 2110: '9.9', 2111: '10.1' });
      await files.import(limits('9.99', '10.01', '10.05'), 'onDifference=update', 200);
      expect((await characteristic('/LM-1')).attributes).toMatchObject({ 2110: '9.99', 2111: '10.01' });
    });

    it('may not change limits without the right', async () => {
      await files.import(limits('9.9', '10.1', '10.0'));
      await inspection.as(caller([], PathScope.NOTHING), async () => {
        await files.send(limits('9.99', '10.01', '10.05'), 'onDifference=update').expect(403);
        await files.import(limits('9.99', '10.01', '10.05'));
      });
    });

    it('compare limits with allowances, as numbers', async () => {
      await files.import([...RING, 'K2002/1 Bore', 'K2101/1 12', 'K2112/1 -0.1', 'K2113/1 0.1', '12.01']);
      const same = await files.import([...RING, 'K2002/1 Bore', 'K2101/1 12.0', 'K2110/1 11.90', 'K2111/1 12.10', '12.02']);
      expect(same).toMatchObject({ filled: [], warnings: [] });
      await files.import([...RING, 'K2002/1 Bore', 'K2101/1 12.0', 'K2110/1 11.8', '12.03'], 'onDifference=update');
      expect((await characteristic()).attributes).toEqual({ 2002: 'Bore', 2101: '12', 2110: '11.8', 2113: '0.1' });
    });

    it('find siblings of one name by their numbers [D11.2]', async () => {
      const first = ['K0100 2', 'K1001/1 SN-1', 'K2001/1 10', 'K2002/1 Diameter', 'K2001/2 20', 'K2002/2 Diameter', '10.1\u000f20.1'];
      const second = ['K0100 1', 'K1001/1 SN-1', 'K2001/1 20', 'K2002/1 Diameter', '20.2'];
      await files.import(first);
      expect(await files.import(second)).toMatchObject({ characteristics: { created: 0, found: 1 }, warnings: [] });
      expect(await values()).toEqual([
        { name: 'Diameter (10)', value: 10.1 },
        { name: 'Diameter (20)', value: 20.1 },
        { name: 'Diameter (20)', value: 20.2 },
      ]);
    });

    it('find siblings of one name in the other order, too, and without the attributes', async () => {
      const first = ['K0100 2', 'K1001/1 SN-1', 'K2001/1 10', 'K2002/1 Diameter', 'K2001/2 20', 'K2002/2 Diameter', '10.1\u000f20.1'];
      const second = ['K0100 1', 'K1001/1 SN-1', 'K2001/1 20', 'K2002/1 Diameter', '20.2'];
      await files.import(second, 'partPath=/A');
      expect(await files.import(first, 'partPath=/A')).toMatchObject({ characteristics: { created: 1, found: 1 } });
      expect((await values()).map(({ name, value: number }) => `${name} ${number}`)).toEqual([
        'Diameter 20.2',
        'Diameter (10) 10.1',
        'Diameter 20.1',
      ]);
    });

    it('find renamed parts and characteristics by number and name [D11.2]', async () => {
      await files.import(BASIC);
      const { uuid } = await characteristic();
      const [part] = await plan.list('part', 'partPath=/A-100');
      await plan.put('characteristic', [{ uuid, path: 'PC:/A-100/Bore of the ring/' }]).expect(200);
      await plan.put('part', [{ uuid: part?.uuid, path: 'P:/Ring 100/' }]).expect(200);
      expect(await files.import(BASIC_2)).toMatchObject({ parts: { created: 0, found: 1 }, characteristics: { created: 0, found: 1 } });
    });

    it('take parts of one description with different numbers for different parts [D11.2]', async () => {
      const shaft = (number: string, ...values: string[]) => [
        'K0100 1',
        `K1001/1 ${number}`,
        'K1002/1 Shaft',
        'K2001/1 1',
        'K2002/1 D',
        ...values,
      ];
      await files.import(shaft('A-100', '100.1'));
      expect(await files.import(shaft('A-200', '200.1'))).toMatchObject({ parts: { created: 1, found: 0 }, warnings: [] });
      expect(await files.import(shaft('A-200', '200.2'))).toMatchObject({ parts: { created: 0, found: 1 } });
      await files.import(shaft('A-100', '100.2'));
      const parts = await plan.list('part', 'depth=1');
      expect(parts.map(({ path }) => path).sort()).toEqual(['/', 'P:/A-100/', 'P:/A-200/']);
      const counts = await sql<{ name: string; count: number }>(
        inspection,
        `SELECT p.name, count(*)::int FROM measurement m JOIN plan_item p ON p.id = m.part_id GROUP BY p.name ORDER BY p.name`,
      );
      expect(counts).toEqual([
        { name: 'A-100', count: 2 },
        { name: 'A-200', count: 2 },
      ]);
    });

    it('tell new parts apart from others that have their names in paths [D11.2]', async () => {
      await plan.create('P:/A-200/', 'PC:/A-200/D/');
      const [other] = await plan.list('part', 'partPath=/A-200&depth=0');
      await plan.put('part', [{ uuid: other?.uuid, attributes: { 1001: 'B-9', 1002: 'Bush' } }]).expect(200);
      await files.import(['K0100 1', 'K1001/1 A-200', 'K1002/1 Shaft', 'K2002/1 D', '1']);
      await files.import(['K0100 1', 'K1001/1 A-200', 'K1002/1 Shaft', 'K2002/1 D', '2']);
      expect((await plan.list('part', 'depth=1')).map(({ path }) => path).sort()).toEqual(['/', 'P:/A-200 (Shaft)/', 'P:/A-200/']);
      expect(await measurements()).toHaveLength(2);
    });

    it('take the same number with another name for another item, with a warning', async () => {
      await files.import(limits('9.9', '10.1', '10.0').with(2, 'K2002/1 D').toSpliced(2, 0, 'K2001/1 1'));
      const answer = await files.import(limits('9.9', '10.1', '10.0').with(2, 'K2002/1 Width').toSpliced(2, 0, 'K2001/1 1'));
      expect(answer).toMatchObject({ characteristics: { created: 1, found: 0 } });
      expect(answer.warnings).toContainEqual({
        key: 'K2001',
        message: expect.stringContaining('the number 1 stands for "d" and "width"'),
      });
    });

    it('name another number of an item that its name finds', async () => {
      await files.import(BASIC);
      const answer = await files.import(BASIC_2.with(3, 'K2001/1 7'));
      expect(answer.characteristics).toEqual({ created: 0, found: 1 });
      expect(answer.warnings).toContainEqual({ key: 'K2001', message: expect.stringContaining('is 1 on the server and 7 in the file') });
    });

    it('find no entry of a catalog by its key [D11.1]', async () => {
      const machine = (number: string, text: string) => ['K0100 1', 'K1001/1 M', 'K2002/1 D', `K0001/1 ${number}`, `K0010/1 ${text}`];
      const catalog = '0f000000-0000-4000-8000-000000000002';
      await request(inspection.server)
        .post('/dataServiceRest/catalogs')
        .send([{ uuid: catalog, name: 'Machines', validAttributes: [4062], catalogEntries: [{ key: 3, attributes: { 4062: 'M-7' } }] }])
        .expect(201);
      await request(inspection.server)
        .post('/dataServiceRest/configuration/measurement')
        .send([{ key: 10, description: 'Machine', catalog, definitionType: 'CatalogAttributeDefinition' }])
        .expect(201);
      await files.import(machine('1', '3'));
      await files.import(machine('2', 'M-7'));
      const rows = await sql<{ key: string }>(inspection, `SELECT attributes ->> '10' AS key FROM measurement ORDER BY id`);
      expect(rows.map(({ key }) => key)).toEqual(['1', '3']);
      const texts = await sql<{ text: string }>(inspection, `SELECT attributes ->> '4062' AS text FROM catalog_entry ORDER BY key`);
      expect(texts.map(({ text }) => text)).toEqual(['3', 'M-7']);
    });

    it('refuse a table whose limits would be attributes of its measurements [D11.1]', async () => {
      const table = ['part,characteristic,value,2110,K2142', 'P,D,1,0.9,mm'];
      const { message } = (await files.send(table, '', 'csv').expect(400)).body as ErrorBody;
      expect(message).toMatch(/no attribute for K2110, K2142.*Say in the mapping that these columns are attributes of the characteristic/);
      const attribute = (key: number) => ({ is: 'attribute', of: 'characteristic', key });
      const mapping = JSON.stringify({ columns: { 2110: attribute(2110), K2142: attribute(2142) } });
      await files.send(table, `mapping=${mapping}`, 'csv').expect(201);
      expect((await characteristic('/P')).attributes).toMatchObject({ 2110: '0.9', 2142: 'mm' });
    });

    it('warn of everything else that is not defined', async () => {
      expect((await files.import([...RING, 'K2002/1 D', 'K2777/1 x', '1'])).warnings).toEqual([
        { key: 'K2777', message: expect.stringContaining('no characteristic attribute 2777') },
      ]);
    });
  });
});
