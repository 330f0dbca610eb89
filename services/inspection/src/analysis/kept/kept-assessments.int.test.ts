import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CharacteristicSeries, CharacteristicSummary, PartChildren, PartOverview, PartStatuses } from '@sinebar/contracts';
import { andersonDarling } from '@sinebar/statistics';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { MeasurementClient, plainValues } from '../../measurements/measurement-client.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from '../analysed-part.fixture.ts';

/** Quantiles of distributions at the middle of equal shares of probability, in an order that has no trend. */
function values(count: number, quantile: (probability: number) => number, decimals = 4): number[] {
  return Array.from({ length: count }, (_, i) => Number(quantile((((i * 37) % count) + 0.5) / count).toFixed(decimals)));
}
const skewed = (p: number) => 10 + 0.05 * (-Math.log(1 - p)) ** (1 / 1.5);
const roundness = (p: number) => 0.02 * (-Math.log(1 - p)) ** (1 / 1.6);
/** Close to normal. */
const symmetric = (p: number) => 10 + 0.02 * Math.log(p / (1 - p)) * Math.sqrt(3 / Math.PI ** 2);

const PROCESS = { yes: 'capable', uncertain: 'uncertain', no: 'notCapable', notStable: 'notStable', unknown: 'unknown' } as const;

describeWith(['postgres'], 'kept assessments', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const measurements = new MeasurementClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  const plan = new PlanClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2110, 2111, 2120, 8520].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
    );
  });
  afterAll(() => inspection.stop());

  const overviewOf = async (part: string, query = '') => analysis.read<PartOverview>(`parts/${part}/overview?${query}`);
  const entryOf = async (part: string) => (await overviewOf(part)).characteristics[0]!;
  const summaryOf = (uuid: string, query = '') => analysis.read<CharacteristicSummary>(`characteristics/${uuid}/summary?${query}`);
  const settled = () =>
    eventually(
      async () => (await sql(inspection, 'SELECT part_id FROM figure_change UNION ALL SELECT part_id FROM assessment_change')).length === 0,
      { describe: 'everything is assessed', timeoutMs: 60_000 },
    );
  const measured = async (attributes: Record<string, unknown>, numbers: readonly number[]) => {
    const made = await analysis.measured(attributes, numbers);
    await settled();
    return made;
  };
  const add = (part: string, uuid: string, numbers: readonly number[], first: number) =>
    analysis.measure(
      part,
      numbers.map((value) => ({ [uuid]: value })),
      first,
    );

  it('have the index of the summary to the last digit, and its verdict, in overviews, statuses and trees', async () => {
    const kinds: [Record<string, unknown>, number[]][] = [
      [{ 2110: 9.9, 2111: 10.1 }, values(120, symmetric)],
      [{ 2110: 9.8, 2111: 10.4 }, values(120, skewed)],
      [{ 2110: 0, 2120: 2, 2111: 0.1 }, values(120, roundness)],
      [{ 2110: 0, 2120: 2, 2111: 0.1 }, values(12, roundness)],
      [{ 2110: 9.9, 2111: 10.1 }, values(120, symmetric, 2)],
      [{ 2110: 1e12 - 20, 2111: 1e12 + 20 }, values(120, (p) => 1e12 + 6 * Math.sin(p * 1000), 3)],
      [{ 2111: 9 }, values(60, symmetric)],
      [{ 2110: 4, 2111: 6 }, Array.from({ length: 30 }, () => 7)],
      [{}, values(60, skewed)],
      [{ 2110: 9.9, 2111: 10.1 }, [10]],
    ];
    const { part, uuids } = await analysis.part(...kinds.map(([attributes]) => attributes));
    await analysis.measure(
      part,
      Array.from({ length: 120 }, (_, i) => Object.fromEntries(kinds.map(([, numbers], k) => [uuids[k]!, numbers[i]]))),
    );
    await evaluations.put('characteristics', uuids[0]!, { subgroups: { size: 5 } }).expect(200);
    await settled();
    const overview = await overviewOf(part);
    const { characteristics: statuses, ...rest } = await analysis.read<PartStatuses>(`parts/${part}/statuses`);
    expect(rest).toEqual({});
    expect(overview.pending).toBeUndefined();
    const counted: Record<string, number> = {};
    for (const [i, uuid] of uuids.entries()) {
      const summary = await summaryOf(uuid);
      const entry = overview.characteristics[i]!;
      const process = PROCESS[summary.assessment.capable];
      expect({ kind: i, pk: entry.overall?.pk, process: entry.process }).toEqual({ kind: i, pk: summary.capability?.pk?.value, process });
      expect(entry.overall?.p).toBe((summary.capability?.model ?? summary.capability?.normal.overall)?.p?.value);
      expect(entry.model).toEqual(
        summary.capability?.model && { name: summary.capability.model.name, asOf: summary.capability.model.asOf },
      );
      expect([entry.mean, entry.standardDeviation]).toEqual([summary.mean, summary.standardDeviation]);
      expect(statuses[i]).toEqual([uuid, entry.now, process, ...(summary.capability?.pk ? [summary.capability.pk.value] : [])]);
      counted[process] = (counted[process] ?? 0) + 1;
    }
    expect(new Set(overview.characteristics.map(({ model }) => model?.name)).size).toBeGreaterThan(2);
    expect(overview.characteristics.map(({ now }) => now)).toContain('noLimits');
    expect(overview.totals.process).toMatchObject(counted);
    const { children } = await analysis.read<PartChildren>(`parts/${part}/children`);
    expect(children.map(({ statuses: { process } }) => process[overview.characteristics[0]!.process])).toContain(1);
  });

  it('keep a model until there are a tenth more values, and say since when it holds', async () => {
    const numbers = values(200, skewed);
    const { part, characteristic } = await measured({ 2110: 9.8, 2111: 10.4 }, numbers);
    const before = await summaryOf(characteristic);
    const model = before.capability!.model!;
    expect(model.asOf).toBeDefined();
    await add(part, characteristic, values(10, skewed), 200);
    await settled();
    const after = await summaryOf(characteristic);
    expect(after.count).toBe(210);
    expect(after.capability!.model).toMatchObject({ name: model.name, parameters: model.parameters, asOf: model.asOf });
    expect(after.capability!.pk!.value).toBe(before.capability!.pk!.value);
    expect((await entryOf(part)).overall?.pk).toBe(before.capability!.pk!.value);
    expect((await analysis.read<CharacteristicSeries>(`characteristics/${characteristic}/series`)).chart).toEqual(after.chart);
    // Requests of their own fit for themselves.
    const own = await summaryOf(characteristic, `model=${model.name}`);
    expect(own.capability!.model!.parameters).not.toEqual(model.parameters);
    expect(own.capability!.model!.asOf).toBeUndefined();
    expect((await summaryOf(characteristic, `from=${timeOf(5)}`)).capability!.model!.asOf).toBeUndefined();
    await add(part, characteristic, values(10, skewed), 210);
    await settled();
    const fitted = await summaryOf(characteristic);
    expect(fitted.capability!.model!.parameters).not.toEqual(model.parameters);
    expect(Date.parse(fitted.capability!.model!.asOf!)).toBeGreaterThan(Date.parse(model.asOf!));
    expect((await entryOf(part)).overall?.pk).toBe(fitted.capability!.pk!.value);
  });

  it('keep the family when a value moves by 0.001, so that the test of normality passes 0.05', async () => {
    const numbers = values(60, symmetric, 3);
    const smallest = numbers.indexOf(Math.min(...numbers));
    const isRejected = (value: number) => andersonDarling(Float64Array.from(numbers.with(smallest, value)).sort())!.pValue < 0.05;
    let accepted = numbers[smallest]!;
    while (!isRejected(Number((accepted - 0.001).toFixed(3)))) accepted = Number((accepted - 0.001).toFixed(3));
    const rejected = Number((accepted - 0.001).toFixed(3));
    const { part, characteristic, measurements: uuids } = await measured({ 2110: 9.8, 2111: 10.2 }, numbers.with(smallest, accepted));
    const uuid = uuids[smallest]!;
    expect((await summaryOf(characteristic)).normality!.pValue).toBeGreaterThanOrEqual(0.05);
    const before = await summaryOf(characteristic);
    expect(before.capability!.pk!.from).toBe('normal');
    const change = [{ uuid, attributes: { 4: timeOf(smallest) }, characteristics: plainValues({ [characteristic]: String(rejected) }) }];
    await measurements.put('values', change).expect(200);
    await settled();
    const after = await summaryOf(characteristic);
    expect(after.normality!.pValue).toBeLessThan(0.05);
    expect(after.capability!.pk!.from).toBe('normal');
    expect(after.capability!.pk!.value / before.capability!.pk!.value).toBeCloseTo(1, 2);
    expect((await entryOf(part)).overall?.pk).toBe(after.capability!.pk!.value);
    expect((await summaryOf(characteristic, 'model=auto')).capability!.pk!.from).toBe('model');
  });

  describe('follow what they depend on', () => {
    const processOf = async (part: string) => {
      await settled();
      const entry = await entryOf(part);
      const summary = await summaryOf(entry.uuid);
      expect([entry.process, entry.overall?.pk]).toEqual([PROCESS[summary.assessment.capable], summary.capability?.pk?.value]);
      return entry.process;
    };

    it('limits, at once for the index', async () => {
      const { part, characteristic } = await measured({ 2110: 9.85, 2111: 10.15 }, values(100, symmetric));
      expect(await processOf(part)).toBe('capable');
      const before = (await entryOf(part)).overall!.pk!;
      await plan.put('characteristic', [{ uuid: characteristic, attributes: { 2110: 9.95, 2111: 10.05 } }]).expect(200);
      expect((await entryOf(part)).overall!.pk!).toBeLessThan(before / 2);
      expect(await processOf(part)).toBe('notCapable');
    });
    it('an evaluation of a part, and its removal', async () => {
      const { part } = await measured({ 2110: 9.85, 2111: 10.15 }, values(100, symmetric));
      await evaluations.put('parts', part, { required: 5 }).expect(200);
      expect(await processOf(part)).toBe('notCapable');
      await evaluations.put('parts', part, { required: 1, model: 'weibull' }).expect(200);
      expect(await processOf(part)).toBe('capable');
      expect((await entryOf(part)).model?.name).toBe('weibull');
      await evaluations.delete('parts', part).expect(200);
      expect(await processOf(part)).toBe('capable');
      expect((await entryOf(part)).model).toBeUndefined();
    });
    it('an exclusion', async () => {
      const { part, characteristic, measurements: uuids } = await measured({ 2110: 9.85, 2111: 10.15 }, [...values(100, symmetric), 10.12]);
      expect(await processOf(part)).toBe('notStable');
      const { since } = await entryOf(part);
      expect(since).toEqual((await summaryOf(characteristic)).assessment.since);
      expect(since).toMatchObject({ kind: 'points', time: timeOf(100), measurementUuid: uuids[100] });
      expect((await overviewOf(part, 'limitResult=1000')).characteristics[0]).not.toHaveProperty('since');
      await evaluations
        .put('characteristics', characteristic, { exclusions: [{ measurementUuid: uuids[100]!, reason: 'dropped' }] })
        .expect(200);
      expect(await processOf(part)).toBe('capable');
      expect(await entryOf(part)).not.toHaveProperty('since');
    });
    it('the part that a characteristic is moved to', async () => {
      const [strict = ''] = await plan.create(`P:/strict ${randomUUID()}/`);
      const { part, name } = await measured({ 2110: 9.85, 2111: 10.15 }, values(100, symmetric));
      await evaluations.put('parts', strict, { required: 5 }).expect(200);
      const [{ path } = { path: '' }] = await sql<{ path: string }>(
        inspection,
        'SELECT marked_path AS path FROM plan_item WHERE uuid = $1',
        [strict],
      );
      await plan.put('part', [{ uuid: part, path: `P${path}${name}/` }]).expect(200);
      expect(await processOf(part)).toBe('notCapable');
    });
    it('the settings of the plant', async () => {
      const { part } = await measured({ 2110: 9.85, 2111: 10.15 }, values(100, symmetric));
      expect(await processOf(part)).toBe('capable');
      const put = (state: object) =>
        request(inspection.server)
          .put('/analysisServiceRest/settings')
          .send({ zone: 'UTC', shifts: [], reason: 'a test', ...state })
          .expect(200);
      await put({ required: 6 });
      expect(await processOf(part)).toBe('notCapable');
      await put({});
      expect(await processOf(part)).toBe('capable');
    });
    it('the removal of an attribute with limits', async () => {
      await define(
        inspection,
        { key: 2112, entity: 'characteristic', type: 'Float' },
        { key: 2101, entity: 'characteristic', type: 'Float' },
      );
      const { part } = await measured({ 2101: 10, 2112: -0.2 }, values(100, symmetric));
      expect((await entryOf(part)).process).toBe('capable');
      await plan.delete('configuration/characteristic/2112').expect(200);
      await eventually(async () => (await sql(inspection, 'SELECT FROM attribute_purge')).length === 0, {
        describe: 'the attribute is removed',
      });
      expect(await processOf(part)).toBe('unknown');
    });
  });

  it('are older than the values while another process assesses, and say so', async () => {
    const { part, characteristic } = await measured({ 2110: 9.85, 2111: 10.15 }, values(100, symmetric));
    const lease = (until: string) => sql(inspection, `UPDATE assessment_lease SET holder = '${randomUUID()}', held_until = ${until}`);
    await lease(`now() + interval '1 hour'`);
    await add(part, characteristic, [10.5], 100);
    const overview = await overviewOf(part);
    expect(overview).toMatchObject({ pending: 1, characteristics: [{ count: 101, now: 'aboveTolerance', process: 'capable' }] });
    expect(overview.asOf).toBe(overview.characteristics[0]!.asOf);
    expect(Date.parse(overview.asOf!)).toBeLessThanOrEqual(Date.now());
    expect(await analysis.read<PartStatuses>(`parts/${part}/statuses`)).toMatchObject({ pending: 1, asOf: overview.asOf });
    expect(await analysis.read<PartChildren>(`parts/${part}/children`)).toMatchObject({ pending: 1, asOf: overview.asOf });
    // What is not kept yet is computed for the request.
    const { part: other } = await analysis.measured({ 2110: 9.85, 2111: 10.15 }, values(100, symmetric));
    expect(await entryOf(other)).toMatchObject({ process: 'capable' });
    await lease(`now() - interval '1 second'`);
    await settled();
    expect(await overviewOf(part)).toMatchObject({ characteristics: [{ process: 'notCapable' }] });
    expect((await overviewOf(part)).pending).toBeUndefined();
  });

  it('may be assessed by another process at once after a step that failed', async () => {
    const { part, characteristic } = await measured({ 2110: 9.85, 2111: 10.15 }, values(40, symmetric));
    await sql(inspection, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await sql(inspection, 'CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON kept_assessment EXECUTE FUNCTION refuse()');
    const before = randomUUID();
    await sql(inspection, `UPDATE assessment_lease SET holder = '${before}', held_until = now() - interval '1 second'`);
    await add(part, characteristic, [10.5], 40);
    await eventually(
      async () => (await sql(inspection, `SELECT FROM assessment_lease WHERE holder <> '${before}' AND held_until <= now()`)).length === 1,
      { describe: 'the lease is released' },
    );
    await sql(inspection, 'DROP FUNCTION refuse() CASCADE');
    await add(part, characteristic, [10.6], 41);
    await settled();
  });

  it('are removed with their items, and with their values', async () => {
    const { part, characteristic } = await measured({ 2110: 9.85, 2111: 10.15 }, values(40, symmetric));
    const [{ id } = { id: 0 }] = await sql<{ id: number }>(inspection, 'SELECT id FROM plan_item WHERE uuid = $1', [characteristic]);
    const kept = () => sql(inspection, 'SELECT FROM kept_model WHERE characteristic_id = $1', [id]);
    expect(await kept()).toHaveLength(1);
    await plan.delete(`measurements?partUuids={${part}}`).expect(200);
    await settled();
    expect(await entryOf(part)).toMatchObject({ now: 'noData', process: 'unknown' });
    await plan.delete(`parts/${part}`).expect(200);
    await settled();
    expect(await kept()).toEqual([]);
    const orphans = 'SELECT FROM kept_assessment WHERE NOT EXISTS (SELECT FROM plan_item WHERE id = part_id)';
    expect(await sql(inspection, orphans)).toEqual([]);
  });
});
