import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { partChangesSchema, type PartChanges } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { MeasurementClient, plainValues } from '../../measurements/measurement-client.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from '../analysed-part.fixture.ts';

const LIMITS = { 2110: 9, 2111: 11 };
/** Values of a stable process within the limits. */
const good = (count: number) => Array.from({ length: count }, (_, i) => 10 + ((i * 7) % 11) / 100);

describeWith(['postgres'], 'changes below a part', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const measurements = new MeasurementClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, ...[2110, 2111].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })));
  });
  afterAll(() => inspection.stop());

  const settled = () =>
    eventually(
      async () => (await sql(inspection, 'SELECT part_id FROM figure_change UNION ALL SELECT part_id FROM assessment_change')).length === 0,
      { describe: 'everything is assessed', timeoutMs: 60_000 },
    );
  const changesOf = async (part: string, query = '') => {
    await settled();
    return analysis.read<PartChanges>(`parts/${part}/changes?${query}`);
  };
  const listed = async (part: string, query = '') =>
    (await changesOf(part, query)).changes.map(({ status, from, to, time }) => `${time} ${status} ${from} ${to}`);
  const add = (part: string, uuid: string, numbers: readonly number[], first: number) =>
    analysis.measure(
      part,
      numbers.map((value) => ({ [uuid]: value })),
      first,
    );

  describe('of values', () => {
    let made: { part: string; characteristic: string; name: string; measurements: string[] };
    let written: string[];
    beforeAll(async () => {
      made = await analysis.measured(LIMITS, good(60));
      await settled();
      written = await add(made.part, made.characteristic, [10, 8, 12, 12, 10], 60);
    });

    it('are one for each measurement after which the newest value stands elsewhere, the newest first', async () => {
      const changes = await changesOf(made.part);
      expect(partChangesSchema.parse(changes)).toEqual(changes);
      expect(await listed(made.part)).toEqual([
        `${timeOf(64)} process capable notCapable`,
        `${timeOf(64)} now aboveTolerance inLimits`,
        `${timeOf(62)} now belowTolerance aboveTolerance`,
        `${timeOf(61)} now inLimits belowTolerance`,
        `${timeOf(59)} process unknown capable`,
      ]);
      expect(changes.changes[3]).toEqual({
        time: timeOf(61),
        characteristicUuid: made.characteristic,
        path: `PC:/${made.name}/c0/`,
        name: 'c0',
        measurementUuid: written[1],
        status: 'now',
        from: 'inLimits',
        to: 'belowTolerance',
      });
    });
    it('are those of a time, page by page', async () => {
      const all = await listed(made.part);
      expect(await listed(made.part, `from=${timeOf(61)}&to=${timeOf(64)}`)).toEqual(all.slice(2, 4));
      expect(await changesOf(made.part, 'offset=1&limit=2')).toMatchObject({ total: all.length, offset: 1 });
      expect(await listed(made.part, 'offset=1&limit=2')).toEqual(all.slice(1, 3));
    });
    it('are none of a value that was measured earlier', async () => {
      const { total } = await changesOf(made.part);
      await add(made.part, made.characteristic, [8.9], 30);
      expect((await changesOf(made.part)).changes.filter(({ status }) => status === 'now')).toHaveLength(total - 2);
    });
    it('follow the deletion of the newest value, and lose its measurement', async () => {
      await add(made.part, made.characteristic, [12], 70);
      const [{ measurementUuid } = { measurementUuid: '' }] = (await changesOf(made.part)).changes;
      await plan.delete(`measurements/${measurementUuid}`).expect(200);
      const { changes } = await changesOf(made.part);
      expect(changes[0]).toMatchObject({ status: 'now', from: 'aboveTolerance', to: 'inLimits', measurementUuid: written[4] });
      expect(changes.find(({ time }) => time === timeOf(70))).not.toHaveProperty('measurementUuid');
    });
  });

  it('of limits and evaluations have the time at which they were noticed', async () => {
    const { part, characteristic } = await analysis.measured(LIMITS, good(60));
    await settled();
    const begun = Date.now();
    await plan.put('characteristic', [{ uuid: characteristic, attributes: { 2110: 10.5, 2111: 11 } }]).expect(200);
    const { changes } = await changesOf(part);
    expect(changes.slice(0, 2).map(({ status, to }) => `${status} ${to}`)).toEqual(['process notCapable', 'now belowTolerance']);
    expect(Date.parse(changes[0]!.time)).toBeGreaterThanOrEqual(begun);
    await plan.put('characteristic', [{ uuid: characteristic, attributes: LIMITS }]).expect(200);
    await settled();
    await evaluations.put('parts', part, { required: 9 }).expect(200);
    expect((await changesOf(part)).changes[0]).toMatchObject({ status: 'process', from: 'capable', to: 'uncertain' });
  });

  it('begin with the newest 25 values', async () => {
    const { part } = await analysis.measured(LIMITS, [...Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 10 : 12)), ...good(10)]);
    const now = (await changesOf(part)).changes.filter(({ status }) => status === 'now');
    expect(now.map(({ time }) => time).sort()[0]).toBe(timeOf(85));
    expect(now).toHaveLength(16);
  });

  it('end with the values', async () => {
    const { part } = await analysis.measured(LIMITS, good(60));
    await settled();
    await plan.delete(`measurements?partUuids={${part}}`).expect(200);
    const [first, second] = (await changesOf(part)).changes;
    expect([first, second].map((change) => `${change?.status} ${change?.to}`).sort()).toEqual(['now noData', 'process unknown']);
    expect(first).not.toHaveProperty('measurementUuid');
  });

  it('are deleted with their characteristic', async () => {
    const { part, characteristic } = await analysis.measured(LIMITS, good(5));
    expect((await changesOf(part)).total).toBe(2);
    const [{ id } = { id: 0 }] = await sql<{ id: number }>(inspection, 'SELECT id FROM plan_item WHERE uuid = $1', [characteristic]);
    await plan.delete(`characteristics/${characteristic}`).expect(200);
    expect(await changesOf(part)).toEqual({ total: 0, offset: 0, changes: [] });
    expect(await sql(inspection, 'SELECT FROM status_change WHERE characteristic_id = $1', [id])).toEqual([]);
  });

  it('are those that the caller may read', async () => {
    const [top = '', below = ''] = await plan.create('P:/seen/', 'PP:/seen/other/');
    const uuids = [randomUUID(), randomUUID()];
    await plan
      .post('characteristic', [
        { uuid: uuids[0], path: 'PC:/seen/a/', attributes: LIMITS },
        { uuid: uuids[1], path: 'PPC:/seen/other/b/', attributes: LIMITS },
      ])
      .expect(201);
    const sent = [top, below].map((partUuid, i) => ({
      uuid: randomUUID(),
      partUuid,
      attributes: { 4: timeOf(i) },
      characteristics: plainValues({ [uuids[i]!]: '12' }),
    }));
    await measurements.post('values', sent).expect(201);
    const named = async () => (await changesOf(top)).changes.map(({ name }) => name);
    expect(await named()).toEqual(['b', 'a']);
    const reader = (scope: PathScope, measured: PathScope): Principal => ({
      name: 'somebody',
      rightsKey: 'somebody',
      scopeOf: (right) => ({ 'plan:read': scope, 'measurement:read': measured })[right as string] ?? PathScope.NOTHING,
      holds: () => false,
    });
    const other = PathScope.below('pseen/pother/');
    await inspection.as(reader(other, PathScope.EVERYTHING), async () => expect(await named()).toEqual(['b']));
    await inspection.as(reader(PathScope.EVERYTHING, other), async () => expect(await named()).toEqual(['b']));
    await inspection.as(
      reader(PathScope.below('pnone/'), other),
      async () => void (await analysis.get(`parts/${top}/changes`).expect(403)),
    );
  });

  it.each([
    ['from=yesterday', 'from'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['offset=x', 'offset'],
    ['until=2026-01-01', 'until'],
  ])('are refused with ?%s', async (query, parameter) => {
    const { part, uuids } = await analysis.part(LIMITS);
    expect(((await analysis.get(`parts/${part}/changes?${query}`).expect(400)).body as { message: string }).message).toContain(parameter);
    await analysis.get(`parts/${uuids[0]}/changes`).expect(404);
    await analysis.get(`parts/${randomUUID()}/changes`).expect(404);
  });
});
