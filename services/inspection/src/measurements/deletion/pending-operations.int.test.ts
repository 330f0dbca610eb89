import { randomUUID } from 'node:crypto';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { describeWith, eventually } from '@sinebar/testing';
import { createLogger } from '@sinebar/runtime';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { ConfigurationReader } from '../../configuration/configuration.ts';
import { announcedDeletions, storedAmong, storeMeasurements } from '../stored-measurements.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import type { OperationState } from '@sinebar/contracts';
import { PendingOperationJob } from './pending-operation-job.ts';
import { PendingOperationStore } from './pending-operation-store.ts';

/** Key of the advisory lock of the transaction that runs a step. */
const OPERATION_LOCK = 5_310_105;

describeWith(['postgres'], 'pending operations', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  let part: string;
  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: 12, entity: 'measurement', type: 'Integer' });
    [part] = (await plan.create('P:/a/', 'P:/b/')) as [string];
  });
  afterAll(() => inspection.stop());
  beforeEach(async () => {
    await sql(inspection, 'DELETE FROM measurement');
    await sql(inspection, 'DELETE FROM pending_operation');
    await sql(inspection, 'DELETE FROM outbox');
  });

  const options = () => ({ signal: AbortSignal.timeout(60_000), statementTimeoutMs: 20_000 });
  const storeMany = (count: number) =>
    sql(
      inspection,
      `INSERT INTO measurement (uuid, part_id, last_modified, created, aggregation, attributes)
       SELECT gen_random_uuid(), id, now(), now(), false, jsonb_build_object('12', n::text) FROM plan_item, generate_series(1, $2::int) AS n WHERE plan_item.uuid = $1`,
      [part, count],
    );
  const count = async () => (await sql(inspection, 'SELECT FROM measurement')).length;
  const begin = async (query: string) => {
    const answer = await request(inspection.server)
      .delete(`/dataServiceRest/measurements?runAsync=true${query}`)
      .set('Host', 'plant.example:8080')
      .expect(202);
    const location = answer.headers['location'] as string;
    const prefix = 'http://plant.example:8080/dataServiceRest/pendingOperations/';
    expect(location.slice(0, prefix.length)).toBe(prefix);
    return location.slice(prefix.length);
  };
  const ask = (uuid: string) => request(inspection.server).get(`/dataServiceRest/pendingOperations/${uuid}`);
  const stateOf = async (uuid: string) => (await ask(uuid).expect(200)).body as OperationState;
  /** Prevents every replica from running a step during `work`. */
  const withoutSteps = async (work: () => Promise<void>) => {
    await inspection.database.read(options(), async (session) => {
      const lock = async () =>
        (await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [OPERATION_LOCK]))[0]?.locked === true;
      await eventually(lock);
      try {
        await work();
      } finally {
        await session.query('SELECT pg_advisory_unlock($1)', [OPERATION_LOCK]);
      }
    });
  };

  it('deletes in the background in several transactions and reports the end [D5.7]', async () => {
    await storeMany(4500);
    const uuid = await begin('&partPath=/a');
    expect(await stateOf(uuid)).toEqual({ OperationUuid: uuid, ExecutionStatus: 'Finished', Exception: null });
    expect(await count()).toBe(0);
    expect(new Set(await announcedDeletions(inspection)).size).toBe(4500);
    const outbox = await sql<{ transactions: number }>(inspection, 'SELECT count(DISTINCT xmin::text)::int AS transactions FROM outbox');
    expect(outbox[0]?.transactions).toBe(3);
    expect(await sql(inspection, 'SELECT FROM pending_operation_item')).toEqual([]);
  });

  it('does not lock the plan while it searches for measurements [D5.7]', async () => {
    await storeMany(3);
    let uuid = '';
    await inspection.database.write(options(), async (session) => {
      // The lock prevents the list from being written.
      await session.query('LOCK TABLE pending_operation_item IN SHARE MODE');
      uuid = await begin('&partPath=/a');
      const waiting = `SELECT FROM pg_locks WHERE relation = 'pending_operation_item'::regclass AND NOT granted`;
      await eventually(async () => (await sql(inspection, waiting)).length > 0);
      await plan.create(`P:/${randomUUID()}/`);
    });
    expect((await stateOf(uuid)).ExecutionStatus).toBe('Finished');
    expect(await count()).toBe(0);
  });

  it('deletes only measurements that were stored when the deletion was requested', async () => {
    await storeMany(10);
    let uuid = '';
    await withoutSteps(async () => {
      uuid = await begin(`&searchCondition=${encodeURIComponent('12<=[5]')}`);
      await storeMany(5);
    });
    await ask(uuid).expect(200);
    expect(await count()).toBe(10);
  });

  it('reports a waiting operation as running, and continues on another replica after a stop [D5.7]', async () => {
    await storeMany(4500);
    const quiet = createLogger({ service: 'test', level: 'fatal' });
    const jobs = [1, 2].map(
      () =>
        new PendingOperationJob({
          database: inspection.database,
          configurations: new ConfigurationReader(),
          now: () => new Date(),
          log: quiet,
        }),
    ) as [PendingOperationJob, PendingOperationJob];
    let uuid = '';
    await withoutSteps(async () => {
      uuid = await begin('');
      const state = await inspection.database.read(options(), (session) => new PendingOperationStore(session).state(uuid));
      expect(state).toEqual({ OperationUuid: uuid, ExecutionStatus: 'Running', Exception: null });
    });
    jobs[0].start();
    await eventually(async () => (await count()) < 4500);
    await jobs[0].stop();
    jobs[1].start();
    expect((await stateOf(uuid)).ExecutionStatus).toBe('Finished');
    await jobs[1].stop();
    expect(await count()).toBe(0);
    const announced = await announcedDeletions(inspection);
    expect(announced).toHaveLength(4500);
    expect(new Set(announced).size).toBe(4500);
  });

  it('answers after ten seconds that an operation still runs [D5.7]', async () => {
    await storeMany(1);
    let uuid = '';
    await withoutSteps(async () => {
      uuid = await begin('');
      const asked = performance.now();
      expect(await stateOf(uuid)).toEqual({ OperationUuid: uuid, ExecutionStatus: 'Running', Exception: null });
      expect(performance.now() - asked).toBeGreaterThan(9000);
    });
    expect((await stateOf(uuid)).ExecutionStatus).toBe('Finished');
  });

  it('hides an operation from a user of the same name with another sign-in', async () => {
    const reader = (userKey: string): Principal => ({
      ...EVERYONE,
      name: 'ada',
      userKey,
      rightsKey: userKey,
      scopeOf: (right) => (right === 'measurement:write' ? PathScope.below('pa/') : PathScope.EVERYTHING),
    });
    let uuid = '';
    await inspection.as(reader('basic:ada'), async () => {
      uuid = await begin(`&searchCondition=${encodeURIComponent('12=[77]')}`);
    });
    await inspection.as(reader('oidc:sub:7'), async () => {
      await ask(uuid).expect(403);
    });
    await inspection.as(reader('basic:ada'), async () => {
      await ask(uuid).expect(200);
    });
  });

  it('reports why an operation failed, and deletes nothing then [D5.7]', async () => {
    const [other] = (await plan.create(`P:/${randomUUID()}/`)) as [string];
    const stored = await storeMeasurements(inspection, { part, attributes: { 12: '1' } }, { part: other, attributes: { 12: '1' } });
    const reader: Principal = {
      name: 'somebody',
      rightsKey: 'a',
      scopeOf: (right) => (right === 'measurement:write' ? PathScope.below('pa/') : PathScope.EVERYTHING),
      holds: () => false,
    };
    let uuid = '';
    await inspection.as(reader, async () => {
      uuid = await begin(`&searchCondition=${encodeURIComponent('12=[1]')}`);
    });
    expect(await stateOf(uuid)).toMatchObject({
      OperationUuid: uuid,
      ExecutionStatus: 'Exception',
      Exception: {
        ExceptionType: 'Forbidden',
        message: 'You may not delete all of these measurements. Nothing was deleted.',
        StackTrace: '',
      },
    });
    expect(await storedAmong(inspection, stored)).toEqual(stored);
  });

  it('shows an operation only to its requester and to users who may delete everything [D5.7, D8.3]', async () => {
    const who = (name: string, prefix: string): Principal => ({
      name,
      rightsKey: prefix,
      scopeOf: () => PathScope.below(prefix),
      holds: () => false,
    });
    let uuid = '';
    await inspection.as(who('anna', 'pa/'), async () => {
      uuid = await begin('&partPath=/a');
      expect((await stateOf(uuid)).ExecutionStatus).toBe('Finished');
    });
    await inspection.as(who('bert', 'pa/'), async () => {
      await ask(uuid).expect(403);
      await ask(randomUUID()).expect(404);
    });
    await inspection.as(who('chief', ''), async () => {
      await ask(uuid).expect(200);
    });
    // Operations of an older release have no requester.
    await sql(inspection, `UPDATE pending_operation SET request = request - 'requestedBy' WHERE uuid = $1`, [uuid]);
    await inspection.as(who('bert', 'pa/'), async () => {
      await ask(uuid).expect(200);
    });
  });

  it('gives up an operation after repeated failures and starts the next one', async () => {
    await storeMany(3);
    let [broken, fine] = ['', ''];
    await withoutSteps(async () => {
      broken = await begin('&partPath=/a');
      fine = await begin('&partPath=/a');
      await sql(inspection, `UPDATE pending_operation SET failures = 4, request = '{"selection": null}' WHERE uuid = $1`, [broken]);
    });
    expect(await stateOf(fine)).toMatchObject({ ExecutionStatus: 'Finished' });
    expect((await ask(broken).expect(200)).body).toMatchObject({
      ExecutionStatus: 'Exception',
      Exception: { ExceptionType: 'InternalError' },
    });
    expect(await count()).toBe(0);
  });

  it('reports a finished operation for a day', async () => {
    const uuid = await begin('&partPath=/b');
    await ask(uuid).expect(200);
    const forget = (now: Date) => inspection.database.write(options(), (session) => new PendingOperationStore(session).deleteExpired(now));
    await forget(new Date(Date.now() + 23 * 3_600_000));
    await ask(uuid).expect(200);
    await forget(new Date(Date.now() + 25 * 3_600_000));
    await ask(uuid).expect(404);
  });

  it('answers 404 for unknown operations', async () => {
    await ask(randomUUID()).expect(404);
    await ask('x').expect(400);
  });
});
