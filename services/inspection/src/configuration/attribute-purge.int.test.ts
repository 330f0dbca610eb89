import { randomUUID } from 'node:crypto';
import type { WorkOptions } from '@sinebar/database';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { lockIsAwaited } from '../running-inspection.fixture.ts';
import { AttributePurgeJob } from './attribute-purge-job.ts';
import { PlanWrites } from '../shared/plan-lock.ts';
import { AttributePurgeStore } from './attribute-purge-store.ts';
import { ConfigurationReader } from './configuration.ts';
import {
  configurationClient,
  startConfigurationReplicas,
  textAttribute,
  type ConfigurationReplicas,
} from './configuration-replicas.fixture.ts';
import { ConfigurationService } from './configuration-service.ts';

describeWith(['postgres'], 'removal of the values of deleted attributes', () => {
  let replicas: ConfigurationReplicas;
  beforeAll(async () => {
    replicas = await startConfigurationReplicas();
  });
  afterAll(() => replicas.stop());
  afterEach(async () => {
    await replicas.sql('DELETE FROM attribute_definition');
    await replicas.sql('DELETE FROM attribute_purge');
    await replicas.sql('DELETE FROM plan_item WHERE depth > 0');
    await replicas.sql('DELETE FROM plan_item_history');
    await replicas.sql('UPDATE server_state SET configuration_version = configuration_version + 1');
  });

  const configuration = configurationClient(() => replicas.first.server);
  const options = (): WorkOptions => ({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 });
  const pending = () => replicas.sql('SELECT entity, key, stage, position FROM attribute_purge ORDER BY entity, key');
  const holders = async (key: number) => {
    const [row] = await replicas.sql<{ count: number }>('SELECT count(*)::int AS count FROM plan_item WHERE attributes ? $1', [
      String(key),
    ]);
    return row?.count;
  };
  const storeMany = (count: number) =>
    replicas.sql(
      `INSERT INTO plan_item (id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes, version, plan_version, modified_at,
         characteristics_modified_at)
       SELECT nextval('plan_item_id'), gen_random_uuid(), 'part', 1, 1, 'many' || n, 'many' || n, 'pmany' || n || '/', 'P:/many' || n || '/', 1,
         '{"1001": "a", "1002": "b", "1003": "c"}', 0, 0, now(), now()
       FROM generate_series(1, $1) AS n`,
      [count],
    );
  const removeBatch = () => replicas.database.write(options(), (session) => new AttributePurgeStore(session).removeBatch());

  it('shows no old value after a key is created again, even with many batches of old values [D3.2]', async () => {
    await configuration.post('part', [textAttribute(1001), textAttribute(1002), textAttribute(1003)]).expect(201);
    await storeMany(5000);
    await configuration.delete('/part/{1001,1002}').expect(200);
    expect(await holders(1001)).toBe(5000);
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    expect(await holders(1001)).toBe(0);
    expect(await holders(1002)).toBe(0);
    expect(await holders(1003)).toBe(5000);
    expect(await pending()).toEqual([]);
  });

  it('does not wait for the removal of values of another entity type', async () => {
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    const part = await replicas.storeItem('part', { 1001: 'a' });
    await configuration.delete('/part').expect(200);
    await configuration.post('characteristic', [textAttribute(1001)]).expect(201);
    const characteristic = await replicas.storeItem('characteristic', { 1001: 'b' });
    while (await removeBatch());
    expect(await replicas.storedAttributes(part)).toEqual({});
    expect(await replicas.storedAttributes(characteristic)).toEqual({ 1001: 'b' });
    expect(await configuration.read()).toMatchObject({ characteristicAttributes: [{ key: 1001 }] });
  });

  it('removes values from the version history', async () => {
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    const part = await replicas.storeItem('part', { 1001: 'new' });
    const characteristic = await replicas.storeItem('characteristic', {});
    await replicas.sql(
      `INSERT INTO plan_item_history (item_id, version, marked_path, attributes, modified_at, characteristics_modified_at)
       SELECT id, earlier, '', '{"1001": "old", "1002": "kept"}', now(), now() FROM plan_item, generate_series(1, 3) AS earlier WHERE uuid IN ($1, $2)`,
      [part, characteristic],
    );
    await configuration.delete('/part/1001').expect(200);
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    const states = (uuid: string) =>
      replicas.sql<{ attributes: unknown }>('SELECT h.attributes FROM plan_item_history h JOIN plan_item ON id = item_id WHERE uuid = $1', [
        uuid,
      ]);
    expect((await states(part)).map(({ attributes }) => attributes)).toEqual([{ 1002: 'kept' }, { 1002: 'kept' }, { 1002: 'kept' }]);
    expect((await states(characteristic))[0]).toEqual({ attributes: { 1001: 'old', 1002: 'kept' } });
  });

  it('continues after an interruption, also with keys that were deleted meanwhile', async () => {
    await configuration.post('part', [textAttribute(1001), textAttribute(1002)]).expect(201);
    await storeMany(4500);
    await configuration.delete('/part/1001').expect(200);
    expect(await removeBatch()).toBe(true);
    const [progress] = await pending();
    expect(progress).toMatchObject({ entity: 'part', key: 1001, stage: 0, position: expect.stringMatching(/^\d+$/) });
    expect(await holders(1001)).toBeGreaterThan(2000);
    await configuration.delete('/part/1002').expect(200);
    const job = new AttributePurgeJob(replicas.database, { warn: () => undefined } as never);
    job.start();
    try {
      await eventually(async () => expect(await pending()).toEqual([]));
    } finally {
      await job.stop();
    }
    expect(await holders(1001)).toBe(0);
    expect(await holders(1002)).toBe(0);
    expect(await holders(1003)).toBe(4500);
  });

  it('hides values of a deleted attribute at once, also after its key is created again [D3.2]', async () => {
    const uuid = randomUUID();
    const readPart = async () =>
      (await request(replicas.plan).get(`/dataServiceRest/parts/${uuid}`).expect(200)).body as { attributes: unknown };
    await configuration.post('part', [textAttribute(1001), textAttribute(1002)]).expect(201);
    await request(replicas.plan)
      .post('/dataServiceRest/parts')
      .send([{ uuid, path: 'P:/shown/', attributes: { 1001: 'a', 1002: 'b' } }])
      .expect(201);
    await configuration.delete('/part/1001').expect(200);
    expect(await replicas.storedAttributes(uuid)).toEqual({ 1001: 'a', 1002: 'b' });
    expect((await readPart()).attributes).toEqual({ 1002: 'b' });
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    expect((await readPart()).attributes).toEqual({ 1002: 'b' });
  });

  it('starts at once after an attribute is deleted', async () => {
    replicas.first.purge.start();
    await configuration.post('part', [textAttribute(1001)]).expect(201);
    const part = await replicas.storeItem('part', { 1001: 'a' });
    await configuration.delete('/part').expect(200);
    await eventually(async () => expect(await replicas.storedAttributes(part)).toEqual({}), { timeoutMs: 5000 });
    await eventually(async () => expect(await pending()).toEqual([]), { timeoutMs: 5000 });
  });

  it('reports an error at the deadline and changes nothing [D3.2]', async () => {
    await configuration.post('characteristic', [textAttribute(1001)]).expect(201);
    const database = replicas.database;
    const service = new ConfigurationService({
      writes: new PlanWrites(database),
      configurations: new ConfigurationReader(),
      purge: replicas.second.purge,
      now: () => new Date(),
    });
    const definition = { key: 1001, description: '', type: 'Integer' as const, length: null, catalog: null };
    const deadline = new AbortController();
    await database.write(options(), async (session) => {
      await new AttributePurgeStore(session).lock(true);
      await configuration.delete('/characteristic').expect(200);
      const creation = service.create('characteristic', [definition], { signal: deadline.signal, statementTimeoutMs: 10_000 });
      await lockIsAwaited(database, session);
      deadline.abort(new Error('too late'));
      await expect(creation).rejects.toThrow('too late');
      expect(await configuration.read()).toMatchObject({ characteristicAttributes: [] });
    });
    await configuration.post('characteristic', [textAttribute(1001)]).expect(201);
  });
});
