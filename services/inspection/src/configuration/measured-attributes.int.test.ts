import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeEach, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { storeMeasurements } from '../measurements/stored-measurements.fixture.ts';
import { PlanClient, sql } from '../plan/plan-client.fixture.ts';

describeWith(['postgres'], 'attributes of measurements and values', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  let [part, elsewhere, x, y]: string[] = [];
  const catalog = randomUUID();
  const api = (method: 'get' | 'post' | 'put' | 'delete', address: string) =>
    request(inspection.server)[method](`/dataServiceRest/${address}`);
  const text = (key: number) => ({
    key,
    description: 'of a test',
    definitionType: 'AttributeDefinition',
    type: 'AlphaNumeric',
    length: 50,
  });
  const reference = (key: number) => ({ key, description: 'of a test', definitionType: 'CatalogAttributeDefinition', catalog });

  beforeAll(async () => {
    inspection = await startInspection();
    [part, elsewhere, x, y] = await plan.create('P:/a/', 'P:/b/', 'PC:/a/x/', 'PC:/a/y/');
    await api('post', 'catalogs')
      .send([{ uuid: catalog, name: 'c', validAttributes: [], catalogEntries: [7, 8].map((key) => ({ key, attributes: {} })) }])
      .expect(201);
  });
  afterAll(() => inspection.stop());
  beforeEach(async () => {
    await sql(inspection, 'DELETE FROM measurement');
    await api('delete', 'configuration').expect(200);
    await api('post', 'configuration/measurement')
      .send([text(12), text(99), reference(13)])
      .expect(201);
    await api('post', 'configuration/value')
      .send([text(21), reference(22)])
      .expect(201);
  });

  const store = async () => {
    const [uuid] = (await storeMeasurements(inspection, {
      part: part as string,
      attributes: { 4: '2026-01-31T12:00:00+01:00', 12: '12.0', 13: '7', 99: 'x' },
      values: { [x as string]: 1.5, [y as string]: null },
      extras: { [x as string]: { 21: 'a', 22: '8' }, [y as string]: { 21: 'Long text' } },
    })) as [string];
    return uuid;
  };
  const stored = async (uuid: string) => {
    const [row] = await sql<{ attributes: Record<string, string>; aggregation: boolean; extras: unknown; values: unknown[] }>(
      inspection,
      'SELECT attributes, aggregation, extras, "values" FROM measurement WHERE uuid = $1',
      [uuid],
    );
    return { ...row, extras: Object.values(row?.extras ?? {}) as unknown[] };
  };

  it('removes the values of deleted attributes, except times and measured values', async () => {
    const uuid = await store();
    await api('delete', 'configuration').expect(200);
    await eventually(async () => (await sql(inspection, 'SELECT FROM attribute_purge')).length === 0);
    expect(await stored(uuid)).toEqual({
      attributes: { 4: '2026-01-31T12:00:00+01:00' },
      aggregation: false,
      values: [1.5, null],
      extras: [{}, {}],
    });
  });

  it('removes only the values of deleted attributes', async () => {
    const uuid = await store();
    await api('delete', 'configuration/measurement/{12}').expect(200);
    await api('delete', 'configuration/value/{21}').expect(200);
    await eventually(async () => (await sql(inspection, 'SELECT FROM attribute_purge')).length === 0);
    expect(await stored(uuid)).toMatchObject({
      attributes: { 4: '2026-01-31T12:00:00+01:00', 13: '7', 99: 'x' },
      aggregation: true,
      extras: [{ 22: '8' }, {}],
    });
  });

  it.each([
    ['measurement', { ...text(12), length: 3 }],
    ['measurement', { ...text(12), type: 'Integer' }],
    ['value', { ...text(21), length: 8 }],
    ['value', { ...text(21), type: 'Float' }],
    ['value', reference(21)],
  ])('refuses another type of a %s attribute when a stored value does not fit', async (entity, definition) => {
    await store();
    await api('put', `configuration/${entity}`).send([definition]).expect(400);
    await sql(inspection, 'DELETE FROM measurement');
    await api('put', `configuration/${entity}`).send([definition]).expect(200);
  });

  it('removes references to deleted catalog entries [I93, D3.5]', async () => {
    const uuid = await store();
    await api('delete', `catalogs/${catalog}/{8}`).expect(200);
    expect(await stored(uuid)).toMatchObject({ attributes: { 13: '7' }, extras: [{ 21: 'a' }, { 21: 'Long text' }] });
    await api('delete', `catalogs/${catalog}/{7}`).expect(200);
    expect((await stored(uuid)).attributes).toEqual({ 4: '2026-01-31T12:00:00+01:00', 12: '12.0', 99: 'x' });
    await api('post', `catalogs/${catalog}`).send([7, 8].map((key) => ({ key, attributes: {} })));
  });

  it.each([
    ['12/12.0', 204],
    ['12/12', 404],
    ['13/7', 204],
    ['13/8', 404],
    ['4/2026-01-31T11:00:00Z', 204],
    ['4/2026-01-31', 404],
    ['4/yesterday', 404],
    ['1/1.50', 204],
    ['1/15e-1', 204],
    ['1/1.6', 404],
    ['1/many', 404],
    ['21/LONG%20text', 204],
    ['21/Long', 404],
    ['22/8', 204],
    ['22/7', 404],
  ])('reports by GET /attributes/%s whether a value is in use: %i [I18, I72, I185]', async (address, status) => {
    await sql(
      inspection,
      `INSERT INTO catalog_entry (catalog, key, attributes) SELECT $1, key, '{}' FROM unnest('{7,8}'::int[]) AS key ON CONFLICT DO NOTHING`,
      [catalog],
    );
    await store();
    expect((await api('get', `attributes/${address}`)).status).toBe(status);
    const restricted = { name: 'stub', rightsKey: 'b', scopeOf: () => PathScope.below('pb/'), holds: () => false };
    await inspection.as(restricted, async () => expect((await api('get', `attributes/${address}`)).status).toBe(404));
    expect(elsewhere).toBeDefined();
  });

  it('ignores values of a deleted characteristic [I72]', async () => {
    const [gone] = (await plan.create('PC:/a/gone/')) as [string];
    await storeMeasurements(inspection, { part: part as string, values: { [gone]: 77 }, extras: { [gone]: { 21: 'gone' } } });
    for (const address of ['1/77', '21/gone']) expect((await api('get', `attributes/${address}`)).status).toBe(204);
    // This is the state before the compaction.
    await sql(
      inspection,
      'UPDATE characteristic_set SET stale = true WHERE (SELECT id FROM plan_item WHERE uuid = $1) = ANY(characteristic_ids)',
      [gone],
    );
    await sql(inspection, 'DELETE FROM plan_item WHERE uuid = $1', [gone]);
    for (const address of ['1/77', '21/gone']) expect((await api('get', `attributes/${address}`)).status).toBe(404);
  });
});
