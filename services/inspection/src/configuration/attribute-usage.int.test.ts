import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

describeWith(['postgres'], 'attribute usage', () => {
  let inspection: RunningInspection;
  const work = () => ({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 });
  beforeAll(async () => {
    inspection = await startInspection();
    await inspection.database.write(work(), async (session) => {
      await session.query(`INSERT INTO catalog (uuid, name, valid_attributes) VALUES ($1, 'c', '{5}')`, [
        '11111111-1111-1111-1111-111111111111',
      ]);
      await session.query(`INSERT INTO attribute_definition (key, entity, description, type, length, catalog) VALUES
        (1001, 'part', 'text', 'AlphaNumeric', 100, NULL), (1002, 'part', 'integer', 'Integer', NULL, NULL), (1003, 'part', 'float', 'Float', NULL, NULL),
        (1004, 'part', 'date', 'DateTime', NULL, NULL), (1005, 'part', 'catalog', 'Catalog', NULL, '11111111-1111-1111-1111-111111111111'),
        (2001, 'characteristic', 'text', 'AlphaNumeric', 100, NULL), (5, 'catalog', 'text', 'AlphaNumeric', 100, NULL)`);
      await session.query(`INSERT INTO catalog_entry VALUES ('11111111-1111-1111-1111-111111111111', 7, '{"5": "Red"}')`);
      await session.query(
        'UPDATE server_state SET configuration_version = configuration_version + 1, catalog_version = catalog_version + 1',
      );
    });
    const attributes = { 1001: 'Door/Left "A"', 1002: 12, 1003: '0.50', 1004: '2026-01-31T12:00:00+01:00', 1005: 7 };
    await request(inspection.server)
      .post('/dataServiceRest/parts')
      .send([{ uuid: randomUUID(), path: 'P:/a/', attributes }])
      .expect(201);
    await request(inspection.server)
      .post('/dataServiceRest/characteristics')
      .send([{ uuid: randomUUID(), path: 'PC:/a/x/', attributes: { 2001: '"quoted"' } }])
      .expect(201);
  });
  afterAll(() => inspection.stop());

  it.each([
    ['1001/Door%2FLeft%20%22A%22', 204],
    ['1001/door/left%20%22a%22', 204],
    ['1001/%22Door/Left%20%22A%22%22', 204],
    ['1001/Door', 404],
    ['1002/12', 204],
    ['1002/12.0', 204],
    ['1002/13', 404],
    ['1002/twelve', 404],
    ['1003/.5', 204],
    ['1003/5e-1', 204],
    ['1004/2026-01-31T11:00:00Z', 204],
    ['1004/2026-01-31', 404],
    ['1005/7', 204],
    ['1005/8', 404],
    ['2001/%22%22quoted%22%22', 204],
    ['2001/%22quoted%22', 404],
    ['5/RED', 204],
    ['999/1', 404],
    ['70000/1', 400],
    ['x/1', 400],
    ['1001/%E0%A4', 400],
    ['1001/a%00', 400],
  ])('GET /attributes/%s answers %i [I18, I72, I185, I200, D1.4]', async (address, status) => {
    const { status: answered } = await request(inspection.server).get(`/dataServiceRest/attributes/${address}`);
    expect(answered).toBe(status);
  });

  it('counts only items that the caller may read [D8.3]', async () => {
    await inspection.as({ name: 'stub', rightsKey: 'b', scopeOf: () => PathScope.below('pb/'), holds: () => false }, async () => {
      await request(inspection.server).get('/dataServiceRest/attributes/1002/12').expect(404);
    });
  });
});
