import { randomUUID } from 'node:crypto';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { BUSY } from '../../shared/background-job.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { storeMeasurements } from '../stored-measurements.fixture.ts';
import { ValueCompactionJob } from './value-compaction-job.ts';

interface Stored {
  ids: number[] | null;
  values: (number | null)[] | null;
  digits: string | null;
  extras: Record<string, Record<string, string>> | null;
}

describeWith(['postgres'], 'removal of the values of deleted characteristics', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const setUp = async () => {
    const t = `t${randomUUID()}`;
    const [part, ...characteristics] = await plan.create(`P:/${t}/`, ...['a', 'b', 'c', 'd'].map((name) => `PC:/${t}/${name}/`));
    const [a, b, c, d] = characteristics as [string, string, string, string];
    const rows = await sql<{ uuid: string; id: number }>(inspection, 'SELECT uuid, id FROM plan_item WHERE uuid = ANY($1::uuid[])', [
      characteristics,
    ]);
    const id = (uuid: string) => rows.find((row) => row.uuid === uuid)?.id as number;
    return { part: part as string, a, b, c, d, id };
  };
  const stored = async (uuid: string) => {
    const [row] = await sql<Stored>(
      inspection,
      `SELECT characteristic_ids AS ids, "values", encode(digits, 'hex') AS digits, extras
       FROM measurement LEFT JOIN characteristic_set ON characteristic_set.id = characteristic_set_id WHERE measurement.uuid = $1`,
      [uuid],
    );
    return row as Stored;
  };
  const sets = (part: string) =>
    sql<{ ids: number[]; stale: boolean }>(
      inspection,
      'SELECT characteristic_ids AS ids, stale FROM characteristic_set WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)',
      [part],
    );
  const compacted = (part: string) =>
    eventually(async () => (await sets(part)).every(({ stale }) => stale === false), { describe: 'the values are removed' });

  it('removes them from arrays, digits and extras, and keeps the others [I128]', async () => {
    const { part, a, b, c, d, id } = await setUp();
    const [first, second] = (await storeMeasurements(
      inspection,
      { part, values: { [a]: 1.5, [b]: 2.5, [c]: 3.5, [d]: 4.5 }, extras: { [b]: { 5: 'b' }, [d]: { 5: 'd' } } },
      { part, values: { [b]: 2.5, [d]: 0.25 }, extras: { [b]: { 5: 'b' } } },
    )) as [string, string];
    await sql(inspection, `UPDATE measurement SET digits = decode('01020304', 'hex') WHERE uuid = $1`, [first]);
    const ids = [a, c, d].map(id).sort((x, y) => x - y);
    const value = { [a]: 1.5, [c]: 3.5, [d]: 4.5 };
    const order = [a, b, c, d].sort((x, y) => id(x) - id(y));
    await plan.delete(`characteristics/${b}`).expect(200);
    await compacted(part);
    const digits = order.flatMap((uuid, i) => (uuid === b ? [] : [`0${i + 1}`])).join('');
    expect(await stored(first)).toEqual({
      ids,
      values: order.filter((uuid) => uuid !== b).map((uuid) => value[uuid]),
      digits,
      extras: { [id(d)]: { 5: 'd' } },
    });
    expect(await stored(second)).toMatchObject({ ids, digits: null, extras: null });
    expect((await stored(second)).values?.filter((present) => present !== null)).toEqual([0.25]);
    expect(await sets(part)).toEqual([{ ids, stale: false }]);
  });

  it('removes every second one of many', async () => {
    const t = `t${randomUUID()}`;
    const names = Array.from({ length: 24 }, (_, i) => `PC:/${t}/c${i}/`);
    const [part, ...characteristics] = (await plan.create(`P:/${t}/`, ...names)) as [string, ...string[]];
    const [only] = (await storeMeasurements(inspection, {
      part,
      values: Object.fromEntries(characteristics.map((uuid, i) => [uuid, i])),
    })) as [string];
    const before = await stored(only);
    const isKept = (_: unknown, i: number) => i % 2 === 1;
    const rows = await sql<{ uuid: string }>(inspection, 'SELECT uuid FROM plan_item WHERE id = ANY($1::int[])', [
      before.ids?.filter((id, i) => !isKept(id, i)),
    ]);
    await plan.delete(`characteristics?charUuids={${rows.map(({ uuid }) => uuid).join()}}`).expect(200);
    await compacted(part);
    expect(await stored(only)).toEqual({ ...before, ids: before.ids?.filter(isKept), values: before.values?.filter(isKept) });
    expect((await stored(only)).values).toHaveLength(12);
  });

  it('leaves a measurement without values when all of its characteristics are deleted', async () => {
    const { part, a, b, c, d } = await setUp();
    const [only] = (await storeMeasurements(inspection, { part, values: { [a]: 1 }, extras: { [a]: { 5: 'x' } } })) as [string];
    await plan.delete(`characteristics?charUuids={${[a, b, c, d].join()}}`).expect(200);
    await eventually(async () => (await sets(part)).length === 0);
    expect(await stored(only)).toEqual({ ids: null, values: null, digits: null, extras: null });
  });

  it('merges with an existing characteristic set', async () => {
    const { part, a, b, c, d, id } = await setUp();
    const [before] = (await storeMeasurements(inspection, { part, values: { [a]: 1 } })) as [string];
    const [name] = await sql<{ marked_path: string }>(inspection, 'SELECT marked_path FROM plan_item WHERE uuid = $1', [part]);
    const [late] = (await plan.create(`PC${name?.marked_path.slice(1)}late/`)) as [string];
    const [after] = (await storeMeasurements(inspection, { part, values: { [a]: 2, [late]: 9 } })) as [string];
    expect(await sets(part)).toHaveLength(2);
    await plan.delete(`characteristics/${late}`).expect(200);
    await compacted(part);
    const ids = [a, b, c, d].map(id).sort((x, y) => x - y);
    expect(await sets(part)).toEqual([{ ids, stale: false }]);
    expect((await stored(before)).ids).toEqual(ids);
    expect((await stored(after)).ids).toEqual(ids);
    expect((await stored(after)).values).toEqual(ids.map((one) => (one === id(a) ? 2 : null)));
  });

  it('continues after a stop, batch by batch, on one replica at a time', async () => {
    const other = await startInspection();
    // Changes the database directly, so that the job of the service does not start.
    const remove = async (uuid: string) => {
      await sql(
        other,
        'UPDATE characteristic_set SET stale = true WHERE (SELECT id FROM plan_item WHERE uuid = $1) = ANY(characteristic_ids)',
        [uuid],
      );
      await sql(other, 'DELETE FROM plan_item WHERE uuid = $1', [uuid]);
    };
    try {
      const otherPlan = new PlanClient(() => other);
      const [part, x, y] = (await otherPlan.create('P:/many/', 'PC:/many/x/', 'PC:/many/y/')) as [string, string, string];
      await storeMeasurements(other, { part, values: { [x]: 1, [y]: 2 } });
      await sql(
        other,
        `INSERT INTO measurement (uuid, part_id, last_modified, created, characteristic_set_id, aggregation, attributes, "values")
         SELECT gen_random_uuid(), part_id, now(), now(), characteristic_set_id, false, '{}', "values" FROM measurement, generate_series(1, 1199)`,
      );
      await remove(x);
      const left = async () =>
        (await sql(other, 'SELECT FROM measurement WHERE characteristic_set_id IN (SELECT id FROM characteristic_set WHERE stale)')).length;
      const step = () =>
        new ValueCompactionJob(other.database, createLogger({ service: 'test', level: 'fatal' })).step(AbortSignal.timeout(10_000));
      expect(await left()).toBe(1200);
      expect(await step()).toBe('more');
      expect(await left()).toBe(700);
      expect(await step()).toBe('more');
      expect(await left()).toBe(200);
      // Deletes another characteristic during the compaction.
      await remove(y);
      expect(await step()).toBe('more');
      expect(await left()).toBe(1000);
      await other.database.write({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 }, async (session) => {
        await session.query('SELECT pg_advisory_xact_lock(5310104)');
        expect(await step()).toBe(BUSY);
      });
      while ((await step()) === 'more');
      expect(await sql(other, 'SELECT FROM measurement WHERE characteristic_set_id IS NOT NULL OR "values" IS NOT NULL')).toEqual([]);
      expect(await sql(other, 'SELECT FROM characteristic_set')).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});
