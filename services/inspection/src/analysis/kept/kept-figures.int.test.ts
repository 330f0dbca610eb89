import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CharacteristicSummary, PartChildren, PartOverview, PartStatuses } from '@sinebar/contracts';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { MeasurementClient, plainValues } from '../../measurements/measurement-client.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from '../analysed-part.fixture.ts';
import { KeptFiguresJob } from './kept-figures-job.ts';

/** A selection of all measurements, whose figures are computed from the values. */
const COMPUTED = 'limitResult=1000000';

const CAPABLE = { capable: 'yes', uncertain: 'uncertain', notCapable: 'no', notStable: 'notStable', unknown: 'unknown' } as const;

/** A generator of numbers from 0 to 1 that repeats itself in each run. */
function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The value with a pattern for each number, because kept figures are summed in another order. */
function approximately(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 9);
  if (Array.isArray(value)) return value.map(approximately);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, approximately(member)]));
}

describeWith(['postgres'], 'kept figures', () => {
  let inspection: RunningInspection;
  let job: KeptFiguresJob;
  const analysis = new AnalysisClient(() => inspection);
  const measurements = new MeasurementClient(() => inspection);
  const plan = new PlanClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    job = new KeptFiguresJob(inspection.database, createLogger({ service: 'test', level: 'error' }));
    await define(
      inspection,
      ...[2110, 2111, 2120].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      { key: 99, entity: 'measurement', type: 'Integer' },
      { key: 5, entity: 'measurement', type: 'AlphaNumeric' },
    );
  });
  afterAll(() => inspection.stop());

  const overviewOf = (part: string, query = '') => analysis.read<PartOverview>(`parts/${part}/overview?${query}`);
  /** Compares all that follows from figures; models and assessments are kept for some time. */
  const expectAgreement = async (part: string) => {
    const figuresOf = async (query?: string) => {
      const { totals, characteristics } = await overviewOf(part, query);
      const figures = characteristics.map(({ uuid, count, now, last, mean, standardDeviation, within, limits, sparkline }) => ({
        ...{ uuid, count, now, last, mean, standardDeviation },
        ...{ within, limits, sparkline },
      }));
      return { now: totals.now, figures };
    };
    expect(await figuresOf()).toEqual(approximately(await figuresOf(COMPUTED)));
  };
  /** Compares indices and processes with those of the summaries, once all are assessed. */
  const expectSummaries = async (part: string) => {
    await eventually(async () => (await overviewOf(part)).pending === undefined, { describe: 'everything is assessed', timeoutMs: 30_000 });
    for (const { uuid, overall, process } of (await overviewOf(part)).characteristics) {
      const { capability, assessment } = await analysis.read<CharacteristicSummary>(`characteristics/${uuid}/summary`);
      expect({ pk: overall?.pk, capable: CAPABLE[process] }).toEqual({ pk: capability?.pk?.value, capable: assessment.capable });
    }
  };
  const waitingChanges = async (part: string) =>
    (await sql(inspection, 'SELECT FROM figure_change WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)', [part])).length;
  /** Runs the job, which may be running in the service too, until nothing waits. */
  const keepAll = () =>
    eventually(
      async () => {
        await job.step(new AbortController().signal);
        return (await sql(inspection, 'SELECT FROM figure_change')).length === 0;
      },
      { describe: 'all figures are kept' },
    );
  const keptRows = (part: string) =>
    sql<{ settled: string | null }>(
      inspection,
      'SELECT settled_id AS settled FROM kept_figures WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)',
      [part],
    );

  describe('of a part that is changed in random ways', () => {
    it.each([1, 2, 3])('agree with its values after each change, sequence %d', async (seed) => {
      const random = repeatable(seed);
      const below = (count: number) => Math.floor(random() * count);
      const { part, uuids, name } = await analysis.part({ 2110: 19, 2111: 21 }, { 2110: 0, 2120: 2, 2111: 30 }, {});
      const characteristics = [...uuids];
      const stored: string[] = [];
      const rowOf = () =>
        plainValues(
          Object.fromEntries(
            characteristics.flatMap((uuid) => (random() < 0.9 ? [[uuid, String(Number((19.5 + random() * 1.2).toFixed(3)))]] : [])),
          ),
        );
      const attributesOf = (index: number) => ({
        ...(random() < 0.9 && { 4: timeOf(index) }),
        ...(random() < 0.1 && { 99: 1 }),
      });
      const create = async (count: number, indexOf: (i: number) => number) => {
        const sent = Array.from({ length: count }, (_, i) => ({
          uuid: randomUUID(),
          partUuid: part,
          attributes: attributesOf(indexOf(i)),
          characteristics: rowOf(),
        }));
        await measurements.post('values', sent).expect(201);
        stored.push(...sent.map(({ uuid }) => uuid));
      };
      const picked = () => stored[below(stored.length)]!;
      let newest = 0;
      const changes: (() => Promise<unknown>)[] = [
        () => create(150, () => (newest += 1)),
        () => create(1, () => (newest += 1)),
        () => create(3, (i) => newest - i),
        () => create(2, () => below(newest)),
        () =>
          measurements.put('values', [{ uuid: picked(), attributes: attributesOf(below(newest)), characteristics: rowOf() }]).expect(200),
        () => measurements.put('measurements', [{ uuid: picked(), attributes: attributesOf(below(newest)) }]).expect(200),
        () => measurements.put('measurements', [{ uuid: picked(), attributes: { 4: timeOf(newest + 5), 5: 'x' } }]).expect(200),
        async () => {
          const [uuid] = stored.splice(below(stored.length), 1);
          await request(inspection.server).delete(`/dataServiceRest/measurements/${uuid}`).expect(200);
        },
        async () => {
          const uuid = randomUUID();
          await plan.post('characteristic', [{ uuid, path: `PC:/${name}/${uuid}/`, attributes: { 2111: 20 } }]).expect(201);
          characteristics.push(uuid);
        },
        async () => {
          const [uuid] = characteristics.length > 2 ? characteristics.splice(below(characteristics.length), 1) : [];
          if (uuid !== undefined) await plan.delete(`characteristics/${uuid}`).expect(200);
        },
        () => plan.put('characteristic', [{ uuid: characteristics[0], attributes: { 2110: 19 + random(), 2111: 21 } }]).expect(200),
        keepAll,
        keepAll,
      ];
      await create(260, () => (newest += 1));
      await keepAll();
      for (let i = 0; i < 30; i += 1) {
        await changes[below(changes.length)]!();
        await expectAgreement(part);
      }
      await keepAll();
      await expectAgreement(part);
      const [row] = await keptRows(part);
      expect(row?.settled).not.toBeNull();
      await expectSummaries(part);
    });
  });

  describe('of a part with values', () => {
    let part: string;
    let characteristic: string;
    let written: string[];
    beforeAll(async () => {
      const measured = await analysis.measured(
        { 2110: 19, 2111: 21 },
        Array.from({ length: 250 }, (_, i) => 20 + (i % 10) / 20),
      );
      [part, characteristic, written] = [measured.part, measured.characteristic, measured.measurements];
      await keepAll();
    });

    it('answer without the values', async () => {
      const statuses = await analysis.read<PartStatuses>(`parts/${part}/statuses`);
      await sql(
        inspection,
        `UPDATE kept_figures SET total = decode(repeat('00', length(total)), 'hex') WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)`,
        [part],
      );
      expect(await analysis.read<PartStatuses>(`parts/${part}/statuses`)).toEqual({
        characteristics: [[characteristic, 'noData', 'unknown']],
      });
      expect(await analysis.read<PartStatuses>(`parts/${part}/statuses?${COMPUTED}`)).toEqual(approximately(statuses));
    });
    it('are computed again with the next value', async () => {
      await analysis.measure(part, [{ [characteristic]: 30 }], 300);
      expect((await analysis.read<PartStatuses>(`parts/${part}/statuses`)).characteristics[0]?.slice(0, 2)).toEqual([
        characteristic,
        'aboveTolerance',
      ]);
      await keepAll();
      await expectAgreement(part);
    });
    it('are the same for a tree', async () => {
      const address = (query: string) => `parts/${part}/children?${query}`;
      expect(await analysis.read<PartChildren>(address(''))).toEqual(await analysis.read<PartChildren>(address(COMPUTED)));
    });
    it('do not change with a text of a measurement', async () => {
      await measurements.put('measurements', [{ uuid: written[5], attributes: { 4: timeOf(5), 5: 'checked' } }]).expect(200);
      expect(await waitingChanges(part)).toBe(0);
    });
    it('follow limits at once', async () => {
      await plan.put('characteristic', [{ uuid: characteristic, attributes: { 2110: 19, 2111: 40 } }]).expect(200);
      expect(await waitingChanges(part)).toBe(0);
      expect((await overviewOf(part)).totals.now).toMatchObject({ inLimits: 1 });
    });
    it('follow the deletion of all measurements by a search', async () => {
      await request(inspection.server).delete(`/dataServiceRest/measurements?partUuids={${part}}`).expect(200);
      expect((await overviewOf(part)).totals.now).toMatchObject({ noData: 1 });
      await keepAll();
      expect((await overviewOf(part)).totals.now).toMatchObject({ noData: 1 });
    });
    it('are removed with the part', async () => {
      await analysis.measure(part, [{ [characteristic]: 20 }]);
      await keepAll();
      await plan.delete(`parts/${part}`).expect(200);
      await keepAll();
      expect(await sql(inspection, 'SELECT FROM kept_figures WHERE NOT EXISTS (SELECT FROM plan_item WHERE id = part_id)')).toEqual([]);
    });
  });

  it('hold the values of an aggregation once its attribute is deleted', async () => {
    const { part, uuids } = await analysis.part({});
    await measurements
      .post('values', [
        { uuid: randomUUID(), partUuid: part, attributes: { 4: timeOf(0), 99: 1 }, characteristics: plainValues({ [uuids[0]!]: '5' }) },
      ])
      .expect(201);
    await keepAll();
    expect((await overviewOf(part)).totals.now).toMatchObject({ noData: 1 });
    await request(inspection.server).delete('/dataServiceRest/configuration/measurement/99').expect(200);
    await eventually(async () => (await overviewOf(part, COMPUTED)).totals.now.noData === 0, { describe: 'the attribute is removed' });
    await expectAgreement(part);
  });

  it('agree with the values while several clients write and the job is interrupted', async () => {
    const { part, uuids } = await analysis.part({ 2110: 0, 2111: 100 }, {});
    await analysis.measure(
      part,
      Array.from({ length: 300 }, (_, i) => ({ [uuids[0]!]: i })),
    );
    let isWriting = true;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let i = 0; i < 15; i += 1) {
        const [uuid] = await analysis.measure(part, [{ [uuids[0]!]: i, [uuids[1]!]: writer }], 290 + i * 3 - writer * 20);
        if (i % 5 === 4) await request(inspection.server).delete(`/dataServiceRest/measurements/${uuid}`).expect(200);
      }
    });
    const interrupted = (async () => {
      while (isWriting) {
        const stop = new AbortController();
        const step = job.step(stop.signal).catch(() => undefined);
        await new Promise((resolve) => setImmediate(resolve));
        stop.abort();
        await step;
        await job.step(new AbortController().signal);
      }
    })();
    await Promise.all(writers);
    isWriting = false;
    await interrupted;
    await expectAgreement(part);
    await keepAll();
    await expectAgreement(part);
  });

  it('are computed for all parts, an hour after an earlier release has written', async () => {
    const { part } = await analysis.measured({ 2110: 0, 2111: 10 }, [1, 2, 3]);
    await keepAll();
    await sql(inspection, `UPDATE figure_state SET seen_at = now() - interval '1 hour'`);
    await eventually(
      async () => {
        await new KeptFiguresJob(inspection.database, createLogger({ service: 'test', level: 'silent' })).step(
          new AbortController().signal,
        );
        return (await sql(inspection, 'SELECT FROM figure_state WHERE fill_at IS NULL')).length === 0;
      },
      { describe: 'kept figures are not trusted' },
    );
    await sql(inspection, 'DELETE FROM kept_figures');
    await expectAgreement(part);
    await job.step(new AbortController().signal);
    expect(await keptRows(part)).toEqual([]);
    await sql(inspection, 'UPDATE figure_state SET fill_at = now()');
    await eventually(async () => (await sql(inspection, 'SELECT FROM figure_state WHERE fill_at IS NULL')).length === 1, {
      describe: 'the figures are to be kept',
    });
    await keepAll();
    expect(await keptRows(part)).toHaveLength(1);
    await expectAgreement(part);
  });
});
