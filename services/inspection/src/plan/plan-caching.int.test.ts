import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVERYONE, PathScope } from '@sinebar/access-control';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql, type ReadItem } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

const RESOURCES = [
  'parts',
  `parts/${ROOT_PART_UUID}`,
  'parts/count',
  'characteristics?partPath=/',
  'characteristics/count',
  'inspectionPlanItems',
  'inspectionPlanItems/count',
];

describeWith(['postgres'], 'caching of the plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: 1001, entity: 'part', type: 'AlphaNumeric' });
    await plan.create('P:/a/', 'C:/x/');
  });
  afterAll(async () => {
    try {
      await expectConsistentPlan(inspection);
    } finally {
      await inspection.stop();
    }
  });

  const etagOf = async (resource: string, headers: Record<string, string> = {}) => {
    const answer = await plan.get(resource).set(headers).expect(200);
    const etag = answer.headers['etag'] as unknown as string;
    expect(etag).toMatch(/^"[\w-]+"$/);
    return etag;
  };

  it.each(RESOURCES)('answers 304 for %s while nothing has changed, and requires revalidation', async (resource) => {
    const first = await plan.get(resource).expect(200);
    const etag = await etagOf(resource);
    expect(first.headers['etag']).toBe(etag);
    expect(first.headers['cache-control']).toBe('private, no-cache, max-age=0, no-transform');
    expect(String(first.headers['vary']).toLowerCase().split(/, */)).toEqual(expect.arrayContaining(['accept-encoding', 'authorization']));
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, etag.slice(1, -1), '*']) {
      const again = await plan.get(resource).set('If-None-Match', header).expect(304);
      expect(again.text).toBe('');
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache, max-age=0, no-transform' });
      expect(again.headers['content-type']).toBeUndefined();
    }
    for (const header of ['"other"', etag.slice(1, -2), '']) await plan.get(resource).set('If-None-Match', header).expect(200);
    const head = await request(inspection.server).head(`/dataServiceRest/${resource}`).set('Accept-Encoding', 'gzip, deflate').expect(200);
    expect(head.headers['etag']).toBe(etag);
  });

  it.each<[string, () => PromiseLike<unknown>]>([
    ['a created part', () => plan.create(`P:/${randomUUID()}/`)],
    ['a created characteristic', () => plan.create(`C:/${randomUUID()}/`)],
    ['changed attributes', () => plan.put('part', [{ uuid: ROOT_PART_UUID, attributes: { 1001: randomUUID() } }]).expect(200)],
    ['a deletion', () => plan.delete('characteristics?charPath=/x').expect(200)],
    ['a definition', () => define(inspection, { key: 1200, entity: 'part', type: 'Integer' })],
    ['a catalog', () => sql(inspection, 'UPDATE server_state SET catalog_version = catalog_version + 1')],
    ['a deleted definition', () => sql(inspection, `INSERT INTO attribute_purge (entity, key, requested_at) VALUES ('part', 1201, now())`)],
    ['a restored database', () => sql(inspection, `UPDATE server_state SET inspection_plan_at = '2026-01-01T00:00:00Z'`)],
  ])('changes the ETag of all answers after %s', async (_name, change) => {
    const before = await Promise.all(RESOURCES.map((resource) => etagOf(resource)));
    await change();
    const after = await Promise.all(RESOURCES.map((resource) => etagOf(resource)));
    RESOURCES.forEach((resource, i) => expect([resource, before[i]]).not.toEqual([resource, after[i]]));
    for (const [i, resource] of RESOURCES.entries())
      await plan
        .get(resource)
        .set('If-None-Match', before[i] as string)
        .expect(200);
  });

  it('uses different ETags for another query, encoding, resource or caller', async () => {
    const queries = [
      '',
      '?depth=0',
      '?depth=2',
      '?partPath=/a',
      '?requestedPartAttributes=None',
      '?withHistory=true',
      '?searchCondition=1001=[a]',
      '?partUuids={}',
    ];
    const etags = await Promise.all([
      ...queries.map((query) => etagOf(`parts${query}`)),
      etagOf('parts/count'),
      etagOf('inspectionPlanItems'),
    ]);
    expect(new Set(etags).size).toBe(etags.length);
    const encodings = ['gzip', 'br', 'deflate', 'identity', 'gzip;q=0, identity'];
    const encoded = await Promise.all(encodings.map((encoding) => etagOf('parts?depth=9', { 'Accept-Encoding': encoding })));
    expect(new Set(encoded).size).toBe(encodings.length);
    // The spelling of a query does not matter.
    expect(await etagOf(`parts?PARTPATH=a&depth=1`)).toBe(await etagOf('parts?depth=1&partPath=/A/'));
    const everyone = await etagOf('parts');
    await inspection.as({ ...EVERYONE, rightsKey: 'others' }, async () => expect(await etagOf('parts')).not.toBe(everyone));
  });

  it('answers 403 and 404 whatever ETag is sent', async () => {
    await plan.get(`parts/${randomUUID()}`).set('If-None-Match', '*').expect(404);
    const [other] = await plan.create('P:/other/');
    await inspection.as({ name: 'stub', rightsKey: 'a', scopeOf: () => PathScope.below('pa/'), holds: () => false }, async () => {
      const answer = await plan.get(`parts/${other}`).set('If-None-Match', '*').expect(403);
      expect(answer.headers['etag']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
    });
  });

  it('returns more than 1,000 items by a stream, in the same form as few items [D10.2, D10.5]', async () => {
    const items = Array.from({ length: 2500 }, (_, i) => ({
      uuid: randomUUID(),
      path: `PP:/a/${i} "\\\\\\/ü/`,
      attributes: { 1001: `"${i}\n` },
    }));
    await plan.post('part', items).expect(201);
    const streamed = await plan.list('part', 'partPath=/a');
    expect(streamed).toHaveLength(2501);
    const pieces: ReadItem[] = [];
    for (let i = 0; i < streamed.length; i += 500) {
      const uuids = streamed.slice(i, i + 500).map(({ uuid }) => uuid);
      pieces.push(...(await plan.list('part', `partUuids={${uuids.join(',')}}`)));
    }
    expect(streamed).toEqual(pieces);
    const [plain, zipped] = await Promise.all(
      ['identity', 'gzip'].map((encoding) => plan.get('parts?partPath=/a').set('Accept-Encoding', encoding).expect(200)),
    );
    expect(zipped?.headers['content-encoding']).toBe('gzip');
    expect(plain?.headers['content-encoding']).toBeUndefined();
    expect(plain?.text).toBe(zipped?.text);
    const etag = zipped?.headers['etag'] as unknown as string;
    await plan.get('parts?partPath=/a').set('Accept-Encoding', 'gzip').set('If-None-Match', etag).expect(304);
    await plan
      .get('parts?partPath=/a')
      .set('Accept-Encoding', 'gzip')
      .set('If-None-Match', plain?.headers['etag'] as unknown as string)
      .expect(200);
  });

  it('releases the connection when a client disconnects during a stream', async () => {
    await sql(
      inspection,
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes, version, plan_version, modified_at, characteristics_modified_at)
       SELECT n, gen_random_uuid(), 'part', root.id, n, 'n' || i, 'n' || i, 'pn' || i || '/', 'P:/n' || i || '/', 1,
         jsonb_build_object('1001', repeat('long', 50)), 0, 0, now(), now()
       FROM plan_item AS root, (SELECT i, 1000000 + i AS n FROM generate_series(1, 40000) AS i) AS numbered WHERE root.parent_id IS NULL`,
    );
    const { port } = inspection.server.address() as AddressInfo;
    for (let round = 0; round < 3; round += 1) {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get({ port, path: '/dataServiceRest/parts', agent: false }, resolve).once('error', reject);
      });
      await new Promise((resolve) => answer.once('data', resolve));
      answer.pause();
      await eventually(() => inspection.database.poolUsage().streams.used === 1, { describe: 'the stream holds a connection' });
      answer.destroy();
      await eventually(() => inspection.database.poolUsage().streams.used === 0, { describe: 'the connection is back' });
    }
    await eventually(() => inspection.database.poolUsage().requests.used === 0, { describe: 'the connections are back' });
    await plan.get('parts/count').expect(200);
  });
});
