import { randomUUID } from 'node:crypto';
import { PathScope, type Principal } from '@sinebar/access-control';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { MeasurementClient } from './measurement-client.fixture.ts';
import { evaluateSelection, expectedAnswer, type TestQuery, type TestServer } from './measurement-evaluation.fixture.ts';
import { insertMeasurements, type TestMeasurement } from './reading/measurement-rows.fixture.ts';
import { announcedDeletions, storedAmong } from './stored-measurements.fixture.ts';

/** Count of subtrees `/lineN/` with a part `/lineN/sub/`. */
const LINES = 20;
const OWN = 7;
const OTHER = 8;
const OWN_LINE = PathScope.below(`pline${OWN}/`);

const allowed = (read: PathScope, write: PathScope): Principal => ({
  name: 'somebody',
  rightsKey: JSON.stringify([read, write]),
  scopeOf: (right) => ({ 'measurement:read': read, 'measurement:write': write })[right as string] ?? PathScope.NOTHING,
  holds: () => false,
});
/** A principal who may read and write one of twenty subtrees. */
const WORKER = allowed(OWN_LINE, OWN_LINE);

describeWith(['postgres'], 'rights on measurements', () => {
  let inspection: RunningInspection;
  let server: TestServer;
  let everyone: readonly TestMeasurement[];
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);
  const [lines, subs]: [string[], string[]] = [[], []];
  /** Placeholders of the tables, known only after the parts were created. */
  const names = new Map<string, string>();
  const filled = (text: string) => text.replace(/\b[A-Z]+\b(?=[,}]|$)/g, (name) => names.get(name) ?? name);
  const filledQuery = (query: TestQuery): TestQuery =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value && filled(value)]));
  const address = (query: TestQuery) =>
    Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
      .join('&');

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 14, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 15, entity: 'measurement', type: 'Integer' },
      { key: 99, entity: 'measurement', type: 'Integer' },
    );
    const characteristics = new Map<string, readonly (number | null)[]>();
    const measurements: TestMeasurement[] = [];
    for (let n = 0; n < LINES; n += 1) {
      const [line = '', sub = '', x = '', y = ''] = await plan.create(
        `P:/line${n}/`,
        `PP:/line${n}/sub/`,
        `PC:/line${n}/x/`,
        `PPC:/line${n}/sub/y/`,
      );
      lines.push(line);
      subs.push(sub);
      characteristics.set(x, [0, 10, null, null]).set(y, [null, null, null, null]);
      await sql(inspection, `UPDATE plan_item SET attributes = '{"2110":"0","2111":"10"}' WHERE uuid = $1`, [x]);
      for (const [i, part] of [line, line, sub, sub].entries()) {
        measurements.push({
          uuid: randomUUID(),
          part,
          attributes: {
            4: `2026-01-${String(1 + (n % 9)).padStart(2, '0')}T0${i}:00:00Z`,
            14: `S${i % 3}`,
            15: String(n),
            ...(i === 1 && { 99: '1' }),
          },
          characteristics: { [part === line ? x : y]: { 1: String(n) } },
          lastModified: `2026-02-01T00:00:00.${String(n).padStart(3, '0')}Z`,
          created: '2026-01-01T00:00:00.000Z',
        });
      }
    }
    everyone = measurements;
    await insertMeasurements(inspection, measurements);
    const parts = new Map([
      [ROOT_PART_UUID, ''],
      ...lines.flatMap(
        (uuid, n) =>
          [
            [uuid, `pline${n}/`],
            [subs[n] ?? '', `pline${n}/psub/`],
          ] as const,
      ),
    ]);
    const measurementTypes = new Map([
      [4, 'DateTime'],
      [14, 'AlphaNumeric'],
      [15, 'Integer'],
      [99, 'Integer'],
    ] as const);
    server = { parts, characteristics, measurementTypes, valueTypes: new Map([[1, 'Float']]), measurements };
    const of = (part: string | undefined, i: number) => measurements.filter((measurement) => measurement.part === part)[i]?.uuid ?? '';
    for (const [name, uuid] of [
      ['OWN', lines[OWN]],
      ['OWNSUB', subs[OWN]],
      ['OTHER', lines[OTHER]],
      ['OTHERSUB', subs[OTHER]],
      ['MINE', of(lines[OWN], 0)],
      ['MINESUB', of(subs[OWN], 0)],
      ['THEIRS', of(lines[OTHER], 0)],
      ['NOWHERE', randomUUID()],
    ] as const) {
      names.set(name, uuid ?? '');
    }
  });
  afterAll(() => inspection.stop());

  const SELECTIONS: TestQuery[] = [
    {},
    { aggregation: 'All' },
    { aggregation: 'AggregationMeasurements' },
    { measurementUuids: '{MINE,THEIRS,NOWHERE}' },
    { partUuids: '{OWN}' },
    { partUuids: '{OTHER}' },
    { partUuids: '{OWN,OTHER}', deep: 'true' },
    { partPath: '/' },
    { partPath: '/', deep: 'true' },
    { partPath: `/line${OWN}`, deep: 'true' },
    { partPath: `/line${OTHER}`, deep: 'true' },
    { partPath: '/', deep: 'true', limitResultPerPart: '1' },
    { partUuids: '{OWN,OWNSUB,OTHER}', limitResultPerPart: '1', limitResult: '2' },
    { limitResult: '3' },
    { limitResult: '3', order: '4 asc' },
    { limitResult: '3', order: 'LastModified desc' },
    { order: '15 asc, 14 desc', limitResult: '100' },
    { searchCondition: '14=[s1]' },
    { searchCondition: '14=[s1]', limitResult: '1' },
    { searchCondition: '14=[S1]', caseSensitive: 'true', partUuids: '{OWNSUB,OTHERSUB}' },
    { searchCondition: '15>[5]' },
    { searchCondition: '1>[6]', order: '4 asc' },
    { searchCondition: '4<[2026-01-05]' },
    { searchCondition: 'LastModified>=[2026-02-01T00:00:00.007Z]' },
    { fromModificationDate: '2026-02-01T00:00:00.006Z', toModificationDate: '2026-02-01T00:00:00.009Z' },
    { partUuids: '{OWN,OWNSUB}', mergeAttributes: '14', aggregation: 'All' },
    { partUuids: '{OWN,OTHER}', mergeAttributes: '14' },
    { partUuids: '{OWN,OWNSUB,OTHER}', mergeAttributes: '14', mergeCondition: 'MeasurementsInAtLeastTwoParts' },
    { partUuids: '{OWN,OTHER}', mergeAttributes: '14', mergeCondition: 'None' },
    { partUuids: '{OWN}', mergeAttributes: '14', mergeCondition: 'None', mergeMasterPart: 'OTHER' },
    { partUuids: '{OWN}', mergeAttributes: '14', mergeCondition: 'None', mergeMasterPart: 'OWNSUB' },
  ];

  describe.each(SELECTIONS.map((query) => [JSON.stringify(query), query] as const))('reading %s', (_text, template) => {
    const selected = (readable: PathScope) => {
      const expected = evaluateSelection(server, filledQuery(template), (path) => readable.includes(path));
      if (expected === 400) throw new Error('the selection is refused');
      return expected;
    };

    it.each(['measurements', 'values'] as const)(
      'returns for %s what an evaluation in memory returns, and nothing of other subtrees [I133, I134, I161, D8.3]',
      async (resource) => {
        for (const [readable, principal] of [
          [OWN_LINE, WORKER],
          [PathScope.EVERYTHING, allowed(PathScope.EVERYTHING, PathScope.NOTHING)],
        ] as const) {
          const query: TestQuery =
            resource === 'measurements' ? { ...filledQuery(template), statistics: 'Detailed' } : filledQuery(template);
          await inspection.as(principal, async () => {
            const { body } = (await plan.get(`${resource}?${address(query)}`).expect(200)) as { body: unknown };
            expect(body).toEqual(
              selected(readable).map((measurement) => expectedAnswer(server, measurement, query, resource === 'values')),
            );
          });
        }
      },
    );

    if ('mergeAttributes' in template) return;
    it('counts readable measurements only [D5.14, D8.3]', async () => {
      const { order: _order, limitResult: _limit, limitResultPerPart: _each, ...query } = filledQuery(template);
      const expected = evaluateSelection(server, query, (path) => OWN_LINE.includes(path));
      await inspection.as(WORKER, async () => {
        const { body } = (await plan.get(`measurements/count?${address(query)}`).expect(200)) as { body: unknown };
        expect(body).toEqual({ count: expected === 400 ? undefined : expected.length });
      });
    });

    it('returns distinct values of readable measurements only [I160, D8.3]', async () => {
      for (const key of [14, 15]) {
        await inspection.as(WORKER, async () => {
          const { body } = (await plan
            .get(`distinctMeasurementAttributeValues?key=${key}&${address(filledQuery(template))}`)
            .expect(200)) as { body: unknown };
          expect(body).toEqual([...new Set(selected(OWN_LINE).map(({ attributes }) => attributes[key] ?? ''))]);
        });
      }
    });
  });

  it.each([
    ['MINE', 200],
    ['MINESUB', 200],
    ['THEIRS', 403],
    ['NOWHERE', 404],
  ])('answers the single measurement %s with %i [D8.3]', async (name, status) => {
    await inspection.as(WORKER, async () => {
      for (const resource of ['measurements', 'values']) await plan.get(`${resource}/${names.get(name)}?aggregation=All`).expect(status);
    });
  });

  it.each([
    [15, OWN, 204],
    [15, OTHER, 404],
    [14, 'S1', 204],
    [1, `${OWN}`, 204],
    [1, `${OTHER}`, 404],
  ])('answers whether attribute %i has the value %s with %i [I72]', async (key, value, status) => {
    await inspection.as(WORKER, () =>
      plan
        .get(`attributes/${key}/${value}`)
        .expect(status)
        .then(() => undefined),
    );
  });

  it('refuses reading and writing without any right on measurements', async () => {
    await inspection.as(allowed(PathScope.NOTHING, OWN_LINE), async () => {
      for (const resource of ['measurements', 'measurements/count', 'values', 'distinctMeasurementAttributeValues?key=14'])
        await plan.get(resource).expect(403);
    });
    await inspection.as(allowed(OWN_LINE, PathScope.NOTHING), async () => {
      const item = { uuid: randomUUID(), partUuid: names.get('OWN') };
      for (const resource of ['measurements', 'values'] as const) {
        await client.post(resource, [item]).expect(403);
        await client.put(resource, [{ uuid: names.get('MINE') }]).expect(403);
      }
      await plan.delete(`measurements/${names.get('MINE')}`).expect(403);
      await plan.delete(`measurements?partPath=/line${OWN}`).expect(403);
      expect(await client.stored(item.uuid)).toBeUndefined();
    });
  });

  describe('writing', () => {
    it.each<[string, string[], number]>([
      ['in the own subtree', ['OWN', 'OWNSUB'], 201],
      ['in another', ['OTHER'], 403],
      ['in both', ['OWN', 'OTHERSUB'], 403],
    ])('creates %s', async (_where, parts, status) => {
      for (const resource of ['measurements', 'values'] as const) {
        const items = parts.map((name) => ({ uuid: randomUUID(), partUuid: names.get(name) }));
        await inspection.as(WORKER, () =>
          client
            .post(resource, items)
            .expect(status)
            .then(() => undefined),
        );
        const uuids = items.map(({ uuid }) => uuid);
        expect(await storedAmong(inspection, uuids)).toEqual(status === 201 ? uuids : []);
        await sql(inspection, 'DELETE FROM measurement WHERE uuid = ANY($1::uuid[])', [uuids]);
      }
    });

    it.each<[string, string[], number]>([
      ['those of the own subtree', ['MINE', 'MINESUB'], 200],
      ['one of another', ['THEIRS'], 403],
      ['one of each', ['MINE', 'THEIRS'], 403],
      ['what is not there', ['MINE', 'NOWHERE'], 404],
    ])('replaces %s', async (_what, uuidNames, status) => {
      const uuids = uuidNames.map((name) => names.get(name) ?? '');
      for (const resource of ['measurements', 'values'] as const) {
        const mark = randomUUID().slice(0, 8);
        await inspection.as(WORKER, () =>
          client
            .put(
              resource,
              uuids.map((uuid) => ({ uuid, attributes: { 14: mark } })),
            )
            .expect(status)
            .then(() => undefined),
        );
        const stored = await Promise.all(uuids.map((uuid) => client.stored(uuid)));
        expect(stored.filter((one) => one?.attributes['14'] === mark)).toHaveLength(status === 200 ? uuids.length : 0);
      }
    });
  });

  describe('deleting', () => {
    beforeEach(async () => {
      await sql(inspection, 'DELETE FROM measurement');
      await sql(inspection, 'DELETE FROM outbox');
      await insertMeasurements(inspection, everyone);
    });
    const READER = allowed(PathScope.EVERYTHING, OWN_LINE);
    const EVERYWHERE = allowed(PathScope.below(''), PathScope.below(''));

    it.each<[string, Principal, TestQuery, number]>([
      ['one line', WORKER, {}, 403],
      ['one line', WORKER, { aggregation: 'All' }, 403],
      ['one line', WORKER, { runAsync: 'true' }, 403],
      ['one line', WORKER, { deep: 'true' }, 403],
      ['one line', WORKER, { partPath: '/', deep: 'true' }, 403],
      ['one line', WORKER, { partPath: `/line${OWN}` }, 200],
      ['one line', WORKER, { partPath: `/line${OWN}`, deep: 'true', aggregation: 'All' }, 200],
      ['one line', WORKER, { partPath: `/line${OTHER}` }, 403],
      ['one line', WORKER, { partUuids: '{OWN,OWNSUB}' }, 200],
      ['one line', WORKER, { partUuids: '{OWN,OTHERSUB}' }, 403],
      ['one line', WORKER, { measurementUuids: '{MINE,NOWHERE}' }, 200],
      ['one line', WORKER, { measurementUuids: '{MINE,THEIRS}' }, 403],
      ['one line', WORKER, { searchCondition: '14=[s0]' }, 200],
      ['one line', WORKER, { searchCondition: '1>[6]', partUuids: '{OWN}' }, 200],
      ['one line', WORKER, { searchCondition: '14=[s0]', partUuids: '{OTHER}' }, 403],
      ['everything, and writes one line', READER, {}, 403],
      ['everything, and writes one line', READER, { searchCondition: '14=[s0]' }, 403],
      ['everything, and writes one line', READER, { searchCondition: `15=[${OWN}]` }, 200],
      ['everything, and writes everything', EVERYWHERE, {}, 200],
      ['everything, and writes everything', EVERYWHERE, { aggregation: 'All' }, 200],
      ['everything, and writes everything', EVERYWHERE, { searchCondition: '15<[10]' }, 200],
    ])('by a caller who sees %s (%#) [I157, I158]', async (_who, principal, template, status) => {
      const query = filledQuery(template);
      await inspection.as(principal, () =>
        plan
          .delete(`measurements?${address(query)}`)
          .expect(status)
          .then(() => undefined),
      );
      const selected = evaluateSelection(server, query, (path) => principal.scopeOf('measurement:read').includes(path));
      if (selected === 400) throw new Error('the selection is refused');
      const gone = status === 200 ? selected.map(({ uuid }) => uuid) : [];
      if (status === 200) expect(gone.length).toBeGreaterThan(0);
      const uuids = everyone.map(({ uuid }) => uuid);
      expect(await storedAmong(inspection, uuids)).toEqual(uuids.filter((uuid) => !gone.includes(uuid)));
      expect((await announcedDeletions(inspection)).sort()).toEqual(gone.sort());
      expect(await sql(inspection, 'SELECT FROM pending_operation')).toEqual([]);
    });

    it('in the background uses the rights of the requester', async () => {
      await inspection.as(WORKER, async () => {
        const answer = await plan.delete(`measurements?searchCondition=${encodeURIComponent('14=[s0]')}&runAsync=true`).expect(202);
        const location = answer.headers['location'] as string;
        const { body } = (await plan.get(`pendingOperations/${location.split('/').at(-1)}`).expect(200)) as { body: unknown };
        expect(body).toMatchObject({ ExecutionStatus: 'Finished' });
      });
      const gone = evaluateSelection(server, { searchCondition: '14=[s0]' }, (path) => OWN_LINE.includes(path)) as TestMeasurement[];
      const uuids = everyone.map(({ uuid }) => uuid);
      expect(await storedAmong(inspection, uuids)).toEqual(uuids.filter((uuid) => !gone.some((measurement) => measurement.uuid === uuid)));
    });
  });
});
