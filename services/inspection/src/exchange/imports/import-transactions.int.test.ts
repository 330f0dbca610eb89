import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ImportAnswer } from '@sinebar/contracts';
import type { WriteSession } from '@sinebar/database';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { lockPlan } from '../../shared/plan-lock.ts';
import { ImportClient } from './import-client.fixture.ts';

const FILE = ['K0100 1', 'K1001/1 A-100', 'K1002/1 Ring', 'K2001/1 1', 'K2002/1 Bore', 'K2101/1 12', '12.01', '12.02'];
const MD5 = createHash('md5')
  .update(`${FILE.join('\r\n')}\r\n`)
  .digest('hex');
const LIMITS = { signal: AbortSignal.timeout(600_000), statementTimeoutMs: 60_000 };

describeWith(['postgres'], 'the transactions of an import', () => {
  let inspection: RunningInspection;
  const files = new ImportClient(() => inspection);
  const plan = new PlanClient(() => inspection);
  const measurementCount = async () =>
    (await sql<{ count: number }>(inspection, 'SELECT count(*)::int AS count FROM measurement'))[0]?.count;
  const planned = () => sql<{ md5: string }>(inspection, `SELECT md5 FROM file_import WHERE state = 'planned'`);

  /** Runs `work` while a transaction holds something, which is rolled back. */
  const holding = async <T>(hold: (session: WriteSession) => Promise<unknown>, work: () => Promise<T>): Promise<T> => {
    class Done extends Error {
      readonly result: T;
      constructor(result: T) {
        super();
        this.result = result;
      }
    }
    try {
      return await inspection.database.write(LIMITS, async (session) => {
        await hold(session);
        throw new Done(await work());
      });
    } catch (error) {
      if (error instanceof Done) return error.result as T;
      throw error;
    }
  };
  /** Sends the file, and runs `change` after its first transaction and before its second. */
  const importWith = async (change: () => Promise<unknown>) => {
    const sending = await holding(
      (session) => session.query(`INSERT INTO file_import (md5, place, answer, imported_at) VALUES ($1, '', '{}', now())`, [MD5]),
      async () => {
        const pending = files.import(FILE).catch((error: unknown) => error as Error);
        await eventually(async () => expect(await planned()).toHaveLength(1));
        await change();
        return { pending };
      },
    );
    const answer = await sending.pending;
    if (answer instanceof Error) throw answer;
    return answer;
  };

  beforeEach(async () => {
    inspection = await startInspection();
  });
  afterEach(() => inspection.stop());

  it('hold up no other writer between them [D11.4]', async () => {
    const answer = await importWith(async () => {
      await plan.create('P:/B/');
      const [part] = await plan.list('part', 'partPath=/A-100&depth=0');
      await request(inspection.server)
        .post('/dataServiceRest/measurements')
        .send([{ uuid: '0f000000-0000-4000-8000-00000000000a', partUuid: part?.uuid }])
        .expect(201);
    });
    expect(answer).toMatchObject({ parts: { created: 1 }, characteristics: { created: 1 }, measurements: { created: 2, found: 0 } });
    expect(await planned()).toEqual([]);
  });

  it('create the sets of characteristics of a plan that had no values yet, and store the values once', async () => {
    await plan.create('P:/A-100/', 'PC:/A-100/Bore/');
    const sets = async () => (await sql<{ count: number }>(inspection, 'SELECT count(*)::int AS count FROM characteristic_set'))[0]?.count;
    expect(await sets()).toBe(0);
    const found = { created: 0, found: 1 };
    expect(await files.import(FILE)).toMatchObject({ parts: found, characteristics: found, measurements: { created: 2, found: 0 } });
    expect([await sets(), await measurementCount()]).toEqual([1, 2]);
    expect((await inspection.announced()).flatMap(({ type }) => (type === 'MeasurementCreated' ? [type] : []))).toHaveLength(2);
  });

  it('find what was renamed and moved between them by uuid', async () => {
    let uuid: string | undefined;
    await importWith(async () => {
      const [part] = await plan.list('part', 'partPath=/A-100&depth=0');
      const [bore] = await plan.list('characteristic', 'partPath=/A-100');
      uuid = bore?.uuid;
      await plan.put('characteristic', [{ uuid, path: 'PC:/A-100/Other/', attributes: { 2001: '9', 2002: 'Other' } }]).expect(200);
      await plan.create('P:/Line/');
      await plan.put('part', [{ uuid: part?.uuid, path: 'PP:/Line/Pump/', attributes: {} }]).expect(200);
    });
    expect(await plan.tree()).toEqual(['/', 'P:/Line/', 'PP:/Line/Pump/', 'PPC:/Line/Pump/Other/']);
    const read = (await request(inspection.server).get('/dataServiceRest/values').expect(200)).body as { characteristics: object }[];
    expect(read.map(({ characteristics }) => Object.keys(characteristics))).toEqual([[uuid], [uuid]]);
  });

  it('create again what was deleted between them', async () => {
    const answer = await importWith(async () => {
      await plan.delete('parts?partPath=/A-100').expect(200);
      await request(inspection.server).delete('/dataServiceRest/configuration').expect(200);
    });
    expect(answer).toMatchObject({ parts: { created: 1 }, measurements: { created: 2 } });
    expect(answer.attributes.created).toContain(2101);
    expect((await plan.list('characteristic', 'partPath=/A-100'))[0]?.attributes).toMatchObject({ 2101: '12' });
    expect(await measurementCount()).toBe(2);
  });

  it('store measurements once when the same file comes twice between them', async () => {
    let second: Promise<{ status: number; body: unknown }> | undefined;
    const first = await importWith(async () => {
      second = files.send(FILE).then(({ status, body }) => ({ status, body: body as unknown }));
      await Promise.resolve();
    });
    const other = await second;
    expect([first.measurements.created, other?.status].map(String).sort()).toEqual(other?.status === 200 ? ['2', '200'] : ['0', '201']);
    expect(await measurementCount()).toBe(2);
  });

  it('keep a planned import apart from the rows that the version before reads', async () => {
    await importWith(async () => {
      expect((await planned()).map(({ md5 }) => md5)).toEqual([`planned ${MD5}`]);
      await Promise.resolve();
    });
  });

  /** Sends the file, and runs `change` while its second transaction stores measurements. */
  const importWhile = async (lines: readonly string[], change: () => Promise<unknown>) => {
    const sending = await holding(
      (session) => session.query('LOCK TABLE measurement IN SHARE MODE'),
      async () => {
        const pending = files.send(lines).then(({ status, body }) => ({ status, body: body as ImportAnswer }));
        await eventually(async () => {
          const waiting = await sql(inspection, `SELECT FROM pg_locks WHERE relation = 'measurement'::regclass AND NOT granted`);
          expect(waiting).toHaveLength(1);
        });
        await change();
        return { pending };
      },
    );
    return sending.pending;
  };

  it('let others change the plan while measurements are stored [D11.4]', async () => {
    const answer = await importWhile(FILE, async () => {
      await plan.create('P:/B/', 'PC:/B/C/');
      await plan.put('part', [{ uuid: (await plan.list('part', 'partPath=/B&depth=0'))[0]?.uuid, attributes: { 1001: 'B' } }]).expect(200);
    });
    expect(answer).toMatchObject({ status: 201, body: { measurements: { created: 2 } } });
    expect(await measurementCount()).toBe(2);
  });

  it('store measurements again when their part was renamed, got a characteristic or lost one meanwhile', async () => {
    await importWhile(FILE, async () => {
      const [part] = await plan.list('part', 'partPath=/A-100&depth=0');
      await plan.put('part', [{ uuid: part?.uuid, path: 'P:/Renamed/' }]).expect(200);
      await plan.create('PC:/Renamed/New/');
    });
    expect(await measurementCount()).toBe(2);
    const created = (await inspection.envelopes()).filter(({ type }) => type === 'MeasurementCreated');
    expect(created.map(({ sinebarpath }) => sinebarpath)).toEqual(['prenamed/']);
    const answer = await importWhile([...FILE, '12.03'], () => plan.delete('characteristics?charPath=/Renamed/Bore').expect(200));
    expect(answer).toMatchObject({ status: 201, body: { characteristics: { created: 1 }, measurements: { created: 3 } } });
    const read = (await request(inspection.server).get('/dataServiceRest/values').expect(200)).body as { characteristics: object }[];
    expect(read.map(({ characteristics }) => Object.keys(characteristics).length).sort()).toEqual([0, 0, 1, 1, 1]);
  });

  it('store nothing of an attribute that was deleted meanwhile', async () => {
    const lines = [...FILE.slice(0, -2), ['12.01', '0', '05.01.2026/08:30:00', '', '#B7'].join('\u0014')];
    await importWhile(lines, () => request(inspection.server).delete('/dataServiceRest/configuration/measurement/{6}').expect(200));
    const rows = await sql<{ attributes: object }>(inspection, 'SELECT attributes FROM measurement');
    const defined = await sql<{ key: number }>(inspection, 'SELECT key FROM attribute_definition WHERE key = 6');
    expect(rows.map(({ attributes }) => '6' in attributes)).toEqual([defined.length === 1]);
  });

  it('take no lock in a dry run [D11.4]', async () => {
    const answer = await holding(lockPlan, () => files.import(FILE, 'dryRun=true', 200));
    expect(answer).toMatchObject({ parts: { created: 1 }, measurements: { created: 2 } });
    await files.import(FILE);
    expect(await holding(lockPlan, () => files.import([...FILE, '12.03'], 'dryRun=true', 200))).toMatchObject({ parts: { found: 1 } });
  });
});
