import { randomUUID } from 'node:crypto';
import { PathScope, type Principal } from '@sinebar/access-control';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { lockIsAwaited, startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { announcedDeletions, storedAmong, storeMeasurements } from '../stored-measurements.fixture.ts';

describeWith(['postgres'], 'DELETE /measurements', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  let [a, below, b]: string[] = [];
  let uuids: Record<'first' | 'second' | 'deep' | 'other' | 'aggregated', string>;
  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 12, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 99, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 14, entity: 'measurement', type: 'Integer' },
    );
    [a, below, b] = await plan.create('P:/a/', 'PP:/a/below/', 'P:/b/');
  });
  afterAll(() => inspection.stop());
  beforeEach(async () => {
    await sql(inspection, 'DELETE FROM measurement');
    await sql(inspection, 'DELETE FROM outbox');
    const [first, second, deep, other, aggregated] = (await storeMeasurements(
      inspection,
      { part: a as string, attributes: { 4: '2026-01-01T00:00:00Z', 12: 'Red' } },
      { part: a as string, attributes: { 4: '2026-01-02T00:00:00Z', 12: 'blue' } },
      { part: below as string, attributes: { 12: 'red' } },
      { part: b as string, attributes: { 12: 'red' } },
      { part: b as string, attributes: { 12: 'red', 99: 'x' } },
    )) as [string, string, string, string, string];
    uuids = { first, second, deep, other, aggregated };
  });

  const send = (query: string) => request(inspection.server).delete(`/dataServiceRest/measurements${query}`);
  const left = async () => {
    const stored = await storedAmong(inspection, Object.values(uuids));
    return Object.entries(uuids).flatMap(([name, uuid]) => (stored.includes(uuid) ? [name] : []));
  };
  const path = (text: string) => encodeURIComponent(text);

  it.each([
    ['?partPath=/a', 'first second'],
    ['?partPath=a&deep=False', 'first second'],
    ['?partPath=/a&deep=DeleteForCurrentPartOnly', 'first second'],
    ['?partPath=/a&deep=true', 'first second deep'],
    ['?partPath=/A/&Deep=DELETEDEEP', 'first second deep'],
    ['?partPath=/&deep=true', 'first second deep other'],
    [`?partPath=/b&aggregation=All`, 'other aggregated'],
    [`?partPath=/b&aggregation=AggregationMeasurements`, 'aggregated'],
    [`?aggregation=AggregationMeasurements`, 'aggregated'],
    [`?partPath=/a&deep=true&searchCondition=${path('12=[RED]')}`, 'first deep'],
    [`?searchCondition=${path('12=[red]')}&caseSensitive=true`, 'deep other'],
    [`?searchCondition=${path('4>[2026-01-01T12:00:00Z]')}`, 'second'],
    ['', 'first second deep other'],
  ])('%s deletes %s [I7, I157, I158, I184, I200, I202, D1.2, D5.6]', async (query, expected) => {
    await send(query).expect(200);
    const gone = Object.keys(uuids).filter((name) => expected.split(' ').includes(name));
    expect(await left()).toEqual(Object.keys(uuids).filter((name) => !gone.includes(name)));
    expect((await announcedDeletions(inspection)).sort()).toEqual(gone.map((name) => uuids[name as keyof typeof uuids]).sort());
  });

  it('deletes the listed measurements and ignores missing ones [I157]', async () => {
    await send(`?measurementUuids={${uuids.first.toUpperCase()},${randomUUID()}}`).expect(200);
    expect(await left()).toEqual(['second', 'deep', 'other', 'aggregated']);
    await send(`?measurementUuids=${uuids.second},${uuids.other}&partUuids=${a}`).expect(200);
    expect(await left()).toEqual(['deep', 'other', 'aggregated']);
    await send(`?partUuids=${a},${randomUUID()}&deep=true`).expect(200);
    expect(await left()).toEqual(['other', 'aggregated']);
    await send(`?measurementUuids=${uuids.first}`).expect(200);
    expect(await announcedDeletions(inspection)).toHaveLength(3);
  });

  it('announces deletions with the path of the part', async () => {
    await send('?partPath=/a').expect(200);
    expect(await inspection.envelopes()).toEqual([
      expect.objectContaining({ type: 'MeasurementDeleted', subject: a, sinebarpart: a, sinebarpath: 'pa/' }),
    ]);
  });

  it.each([
    ['?partPath=/nothing', 404],
    ['?partPath=/nothing&runAsync=true', 404],
    ['?partUuids={}', 400],
    ['?partUuids=', 400],
    ['?measurementUuids={}&partPath=/a', 400],
    ['?measurementUuids=x', 400],
    ['?searchCondition=', 400],
    ['?searchCondition=12', 400],
    [`?searchCondition=${path('14=[many]')}`, 400],
    [`?searchCondition=${path('14=[many]')}&runAsync=true`, 400],
    [`?searchCondition=${path('4711=[1]')}`, 400],
    [`?searchCondition=${path('4711=[1]')}&runAsync=true`, 400],
    ['?partPath=/a&deep=very', 400],
    ['?partPath=/a&aggregation=Some', 400],
    ['?partpaths=/a', 400],
    ['?order=4%20asc', 400],
    ['?limitResult=1', 400],
    ['?partPath=/a&runAsync=perhaps', 400],
  ])('%s is %i and deletes nothing [I157, I202, D5.6]', async (query, status) => {
    await send(query).expect(status);
    expect(await left()).toEqual(Object.keys(uuids));
    expect(await announcedDeletions(inspection)).toEqual([]);
    expect(await sql(inspection, 'SELECT FROM pending_operation')).toEqual([]);
  });

  it('deletes a measurement by its address, whatever its aggregation [I159]', async () => {
    await send(`/{${uuids.aggregated}}`).expect(200);
    await send(`/${uuids.aggregated}`).expect(404);
    await send('/x').expect(400);
    expect(await left()).toEqual(['first', 'second', 'deep', 'other']);
    expect(await announcedDeletions(inspection)).toEqual([uuids.aggregated]);
  });

  const somebody = (read: string[], write: string[]): Principal => ({
    name: 'somebody',
    rightsKey: JSON.stringify([read, write]),
    scopeOf: (right) => PathScope.of({ 'measurement:read': read, 'measurement:write': write }[right as string] ?? []),
    holds: () => false,
  });

  it.each([
    ['', 403],
    ['?aggregation=All', 403],
    ['?partPath=/b', 403],
    ['?partPath=/&deep=true', 403],
    ['?partPath=/a&deep=true', 200],
    [`?searchCondition=${path('12=[red]')}`, 403],
    [`?searchCondition=${path('12=[red]')}&partPath=/a`, 200],
    [`?searchCondition=${path('12=[blue]')}`, 200],
    [`?searchCondition=${path('12=[green]')}&partPath=/b`, 403],
    ['?partPath=/b&runAsync=true', 403],
  ])('with the right to delete in /a only, %s is %i', async (query, status) => {
    await inspection.as(somebody([''], ['pa/']), async () => expect((await send(query)).status).toBe(status));
    expect((await left()).length === Object.keys(uuids).length).toBe(status === 403);
  });

  it('refuses single measurements, and lists with one measurement, that may not be deleted', async () => {
    await inspection.as(somebody([''], ['pa/']), async () => {
      await send(`/${uuids.other}`).expect(403);
      await send(`?measurementUuids=${uuids.first},${uuids.other}`).expect(403);
      await send(`?partUuids=${a},${b}`).expect(403);
      expect(await left()).toHaveLength(5);
      await send(`/${uuids.first}`).expect(200);
    });
  });

  it.each(['/', '/?', '/?deep=true', '/?aggregation=All', '/?runAsync=true', '/%20', '/%20?partPath=/a', '/%7B%7D', '/{}'])(
    'refuses an address that ends with an empty name: %s [D1.4]',
    async (end) => {
      await send(end).expect(400);
      expect(await left()).toHaveLength(5);
    },
  );

  it('takes a slash at the end where the query selects [D1.4]', async () => {
    await send(`/?partUuids={${a}}`).expect(200);
    expect(await left()).toEqual(['deep', 'other', 'aggregated']);
  });

  it('refuses a body, and skips it where the address names one measurement [D1.7]', async () => {
    for (const query of ['', `?partUuids={${a}}`, '?partPath=/a&runAsync=true']) {
      const answer = await send(query).send([uuids.first]).expect(400);
      expect((answer.body as ErrorBody).message).toMatch(/nothing was deleted. Say the selection in the address/);
    }
    expect(await left()).toHaveLength(5);
    await send(`/${uuids.first}`).send([uuids.second]).expect(200);
    expect(await left()).toEqual(['second', 'deep', 'other', 'aggregated']);
  });

  it('searches only below paths that the caller may read', async () => {
    await inspection.as(somebody(['pa/'], ['pa/']), () =>
      send(`?searchCondition=${path('12=[red]')}`)
        .expect(200)
        .then(() => undefined),
    );
    expect(await left()).toEqual(['second', 'other', 'aggregated']);
  });

  it('waits for a concurrent change of the plan and uses the changed plan', async () => {
    let deleting: Promise<number> | undefined;
    await inspection.database.write({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 }, async (session) => {
      await session.query('SELECT pg_advisory_xact_lock(5310101)');
      await session.query('UPDATE measurement SET part_id = (SELECT id FROM plan_item WHERE uuid = $1) WHERE uuid = $2', [b, uuids.first]);
      deleting = send('?partPath=/a').then(({ status }) => status);
      await lockIsAwaited(inspection.database, session);
    });
    expect(await deleting).toBe(200);
    expect(await left()).toEqual(['first', 'deep', 'other', 'aggregated']);
  });
});
