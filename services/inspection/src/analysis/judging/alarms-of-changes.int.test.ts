import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { alarmListSchema, alarmSchema, type Alarm } from '@sinebar/contracts';
import { falseAlarmRate, type RunRule } from '@sinebar/statistics';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { MeasurementClient } from '../../measurements/measurement-client.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { ConfigurationReader } from '../../configuration/configuration.ts';
import { AnalysisClient, EVALUATIONS } from '../analysed-part.fixture.ts';
import { alarmsOf, assessed, judged, noticesOf, recordNotices } from './alarm-client.fixture.ts';
import { JudgingJob } from './judging-job.ts';
import { SilenceJob } from './silence-job.ts';

const MINUTE_MS = 60_000;
/** Attribute of measurements by which a chart is grouped. */
const BATCH = 14;
const log = createLogger({ service: 'test', level: 'error' });

describeWith(['postgres'], 'alarms of changed measurements', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const measurements = new MeasurementClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  const plan = new PlanClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await recordNotices(inspection);
    await define(
      inspection,
      ...[2110, 2111, 12_004].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      { key: BATCH, entity: 'measurement', type: 'AlphaNumeric', length: 10 },
      { key: 99, entity: 'measurement', type: 'AlphaNumeric', length: 10 },
      { key: 20, entity: 'value', type: 'Float' },
    );
  });
  afterAll(() => inspection.stop());

  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();
  const measurement = (
    part: string,
    characteristic: string,
    value: number | Record<string, string>,
    attributes: Record<string, string>,
  ) => ({
    uuid: randomUUID(),
    partUuid: part,
    attributes,
    characteristics: { [characteristic]: typeof value === 'number' ? { 1: String(value) } : value },
  });
  const post = async (body: readonly ReturnType<typeof measurement>[]) => {
    await measurements.post('values', body).expect(201);
    await judged(inspection);
  };
  /** Writes one value a minute and waits until it is judged. */
  const write = async (part: string, characteristic: string, values: readonly number[], minutesAgo = values.length) => {
    const body = values.map((value, i) => measurement(part, characteristic, value, { 4: ago(minutesAgo - i) }));
    await post(body);
    return body;
  };
  const ALARMS = '/alarmServiceRest/alarms';
  const listAlarms = async (characteristic: string) =>
    alarmListSchema.parse((await request(inspection.server).get(`${ALARMS}?characteristicUuid=${characteristic}`).expect(200)).body);
  const readAlarm = async (uuid: string) => alarmSchema.parse((await request(inspection.server).get(`${ALARMS}/${uuid}`).expect(200)).body);
  const states = async (part: string) => (await alarmsOf(inspection, part)).map(({ state, points }) => `${state} ${points}`);
  const ofRules = async (part: string) => (await alarmsOf(inspection, part)).filter(({ kind }) => kind === 'rule');
  const single = async (evaluation: object = { rules: [] }) => {
    const made = await analysis.single({ 2110: 9, 2111: 11 });
    await evaluations.put('characteristics', made.characteristic, evaluation).expect(200);
    return made;
  };
  const given = { stages: [{ limits: { kind: 'given', centerLine: 10, sigma: 1 } }] };
  const steady = (count: number) => Array.from({ length: count }, (_, i) => 10 + ((i * 7) % 10) / 100);
  const judgingJob = () =>
    new JudgingJob({
      database: inspection.database,
      configurations: new ConfigurationReader(),
      evaluations: EVALUATIONS,
      now: () => new Date(),
      log,
      maxAgeMs: 24 * 60 * MINUTE_MS,
      raised: new Map(),
    });
  const remove = (uuid: string) => request(inspection.server).delete(`/dataServiceRest/measurements/${uuid}`).expect(200);

  it('a late value joins the alarm beside it, and completes a run', async () => {
    const { part, characteristic } = await single({ ...given, rules: ['nelson2:5'] });
    await write(part, characteristic, [12, 9.9, 10.1, 10.2], 20);
    expect(await states(part)).toEqual(['raised 1']);
    await post([measurement(part, characteristic, 12.5, { 4: ago(21) })]);
    expect(await states(part)).toEqual(['raised 2']);
    await write(part, characteristic, [10.1, 10.2], 10);
    expect(await ofRules(part)).toEqual([]);
    await post([measurement(part, characteristic, 10.3, { 4: ago(9.5) })]);
    expect(await ofRules(part)).toMatchObject([{ rule: 'nelson2', points: 5 }]);
  });

  it('an alarm begins with its first point, when an earlier one is added or the first one goes', async () => {
    const { part, characteristic } = await single();
    const sinceOf = async () => {
      const answer = await request(inspection.server).get(`/alarmServiceRest/alarms?partUuid=${part}`).expect(200);
      return (answer.body as { since: string; points: number }[]).map(({ since, points }) => `${points} since ${since}`);
    };
    const [first] = await write(part, characteristic, [12, 12.2], 20);
    expect(await sinceOf()).toEqual([`2 since ${first!.attributes['4']}`]);
    const earlier = measurement(part, characteristic, 12.5, { 4: ago(21) });
    await post([earlier]);
    expect(await sinceOf()).toEqual([`3 since ${earlier.attributes['4']}`]);
    await remove(earlier.uuid);
    await judged(inspection);
    expect(await sinceOf()).toEqual([`2 since ${first!.attributes['4']}`]);
  });

  it('the same measurements again raise nothing', async () => {
    const { part, characteristic } = await single();
    const body = await write(part, characteristic, [12, 10, 8]);
    const before = await alarmsOf(inspection, part);
    expect(before).toHaveLength(2);
    await measurements.put('values', body).expect(200);
    await judged(inspection);
    expect(await alarmsOf(inspection, part)).toEqual(before);
  });

  it('deleting or excluding its measurements withdraws an alarm [D12.9]', async () => {
    const { part, characteristic } = await single();
    const [first, second] = await write(part, characteristic, [12, 13], 10);
    await write(part, characteristic, [10, 8], 5);
    expect(await states(part)).toEqual(['raised 2', 'raised 1']);
    await remove(second!.uuid);
    await judged(inspection);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'raised', points: 1, value: 12 }, { state: 'raised' }]);
    const exclusions = [{ measurementUuid: first!.uuid, reason: 'a mistake' }];
    await evaluations.put('characteristics', characteristic, { rules: [], exclusions }).expect(200);
    await judged(inspection);
    expect(await states(part)).toEqual(['withdrawn 0', 'raised 1']);
    // Values that are no longer excluded are not new.
    await evaluations.put('characteristics', characteristic, { rules: [] }).expect(200);
    await judged(inspection);
    expect(await states(part)).toEqual(['withdrawn 0', 'raised 1']);
  });

  it('a run that has lost a point is withdrawn when it is too short [D12.9]', async () => {
    const { part, characteristic } = await single({ ...given, rules: ['nelson2'] });
    const body = await write(
      part,
      characteristic,
      Array.from({ length: 11 }, (_, i) => 10.2 + i / 100),
    );
    expect(await states(part)).toEqual(['raised 11']);
    await remove(body[3]!.uuid);
    await remove(body[10]!.uuid);
    await judged(inspection);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'raised', points: 9, value: 10.29 }]);
    await remove(body[4]!.uuid);
    await judged(inspection);
    expect(await states(part)).toEqual(['withdrawn 0']);
  });

  it('aggregations are not judged, and a measurement that becomes one leaves its alarm', async () => {
    const { part, characteristic } = await single();
    const [sent] = await write(part, characteristic, [12], 10);
    await post([measurement(part, characteristic, 20, { 4: ago(5), 99: 'mean' })]);
    expect(await states(part)).toEqual(['raised 1']);
    const { characteristics: _values, ...head } = sent!;
    await measurements.put('measurements', [{ ...head, attributes: { ...head.attributes, 99: 'mean' } }]).expect(200);
    await judged(inspection);
    expect(await states(part)).toEqual(['withdrawn 0']);
  });

  it('old values are listed and not told; without a time, or from the future, the storing counts [D12.11]', async () => {
    const { part, characteristic } = await single();
    await write(part, characteristic, [12, 10], 60 * 30);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ old: true, state: 'raised' }]);
    expect(await noticesOf(inspection, part)).toEqual([]);
    const other = await single();
    await post([measurement(other.part, other.characteristic, 13, {})]);
    await post([measurement(other.part, other.characteristic, 10, { 4: ago(5) })]);
    await post([measurement(other.part, other.characteristic, 14, { 4: ago(-60 * 240) })]);
    expect(await alarmsOf(inspection, other.part)).toMatchObject([{ old: false }, { old: false }]);
    expect(await noticesOf(inspection, other.part)).toEqual(['raised', 'raised']);
  });

  it('an old alarm is told when it goes on', async () => {
    const { part, characteristic } = await single();
    await write(part, characteristic, [12], 60 * 30);
    await write(part, characteristic, [12], 5);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ old: false, points: 2 }]);
    expect(await noticesOf(inspection, part)).toEqual(['raised']);
  });

  it('a planned stop of a part above keeps alarms from being told', async () => {
    const { line, cell, bore } = await evaluations.branch();
    await evaluations.put('characteristics', bore, { ...given, rules: ['nelson1'] }).expect(200);
    await sql(
      inspection,
      `INSERT INTO alarm_mute (uuid, part_id, from_at, until_at, reason, created_by)
       SELECT gen_random_uuid(), id, now() - interval '1 hour', now() + interval '1 hour', 'stop', '' FROM plan_item WHERE uuid = '${line}'`,
    );
    await write(cell, bore, [99]);
    expect(await alarmsOf(inspection, cell)).toMatchObject([{ muted: true }]);
    expect(await noticesOf(inspection, cell)).toEqual([]);
  });

  it('limits that drift neither raise nor withdraw [D12.10]', async () => {
    const { part, characteristic } = await single({ rules: ['nelson1'] });
    await write(part, characteristic, steady(60), 1000);
    await assessed(inspection);
    await write(part, characteristic, [10.6], 900);
    const raised = (await ofRules(part)).find(({ chart }) => chart === 'location')!;
    expect(raised).toMatchObject({ rule: 'nelson1', value: 10.6 });
    await write(
      part,
      characteristic,
      Array.from({ length: 60 }, (_, i) => 10 + (i % 2)),
      800,
    );
    await assessed(inspection);
    const after = await alarmsOf(inspection, part);
    expect(after.find(({ id }) => id === raised.id)!.detail).toEqual(raised.detail);
    expect(after.map(({ state }) => state)).not.toContain('withdrawn');
  });

  it('an evaluation that changes raises nothing itself, and holds for the next values [D12.10]', async () => {
    const { part, characteristic } = await single({ ...given, rules: [] });
    await write(part, characteristic, [10, 10, 10, 17, 10], 50);
    await evaluations.put('characteristics', characteristic, { ...given, rules: ['nelson1'] }).expect(200);
    await assessed(inspection);
    expect(await ofRules(part)).toEqual([]);
    await write(part, characteristic, [14], 10);
    expect((await ofRules(part)).map(({ chart, points }) => [chart, points]).sort()).toEqual([
      ['location', 1],
      ['variation', 1],
    ]);
  });

  it('a part that moves keeps its alarms', async () => {
    const { cell, bore } = await evaluations.branch();
    await evaluations.put('characteristics', bore, { ...given, rules: ['nelson1'] }).expect(200);
    await write(cell, bore, [99], 10);
    const name = randomUUID();
    await plan.create(`P:/${name}/`);
    await plan.put('part', [{ uuid: cell, path: `PP:/${name}/cell/`, attributes: {} }]).expect(200);
    await write(cell, bore, [99], 5);
    expect(await states(cell)).toEqual(['raised 2']);
  });

  it.each([
    ['xbarR', { subgroups: { size: 5 } }],
    ['xbarS', { chart: 'xbarS', subgroups: { size: 5 } }],
  ])('judges complete groups of a chart %s', async (_, evaluation) => {
    const { part, characteristic } = await single({ ...evaluation, rules: ['nelson1'] });
    await write(part, characteristic, steady(150), 1000);
    await assessed(inspection);
    const body = await write(part, characteristic, [10.5, 10.5, 10.5, 10.5], 500);
    expect(await alarmsOf(inspection, part)).toEqual([]);
    await write(part, characteristic, [10.5], 400);
    const [alarm, ...others] = (await ofRules(part)).filter(({ chart }) => chart === 'location');
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ rule: 'nelson1', points: 1, value: 10.5 });
    const [first] = await sql<{ uuid: string }>(
      inspection,
      `SELECT m.uuid FROM alarm_point p JOIN measurement m ON m.id = p.measurement_id WHERE p.alarm_id = ${alarm!.id}`,
    );
    expect(first!.uuid).toBe(body[0]!.uuid);
    const better = body.map((sent) => ({ ...sent, characteristics: { [characteristic]: { 1: '9.9' } } }));
    await measurements.put('values', better).expect(200);
    await judged(inspection);
    expect((await alarmsOf(inspection, part)).find(({ id }) => id === alarm!.id)).toMatchObject({ state: 'withdrawn' });
  });

  it('judges groups by an attribute, and names the first measurement of a group, which may still grow [D12.9]', async () => {
    const { part, characteristic } = await single({ subgroups: { by: BATCH }, rules: ['nelson1'] });
    const batch = async (name: string, values: readonly number[], minutesAgo: number) => {
      const body = values.map((value, i) => measurement(part, characteristic, value, { 4: ago(minutesAgo - i), [BATCH]: name }));
      await post(body);
      return body;
    };
    const ofMeans = async () => {
      const found: Alarm[] = [];
      for (const { uuid } of await listAlarms(characteristic)) found.push(await readAlarm(uuid));
      return found.filter(({ on, state }) => on === 'location' && state !== 'withdrawn');
    };
    await post(
      steady(90).map((value, i) => measurement(part, characteristic, value, { 4: ago(1000 - i), [BATCH]: `b${Math.floor(i / 3)}` })),
    );
    await assessed(inspection);
    expect(await ofMeans()).toEqual([]);
    const [first] = await batch('bad', [10.5, 10.6], 500);
    const named = { rule: 'nelson1', points: 1, measurementUuid: first!.uuid, measurementUuids: [first!.uuid] };
    expect(await ofMeans()).toMatchObject([{ ...named, value: 10.55 }]);
    await batch('bad', [10.7], 490);
    expect(await ofMeans()).toMatchObject([{ ...named, value: 10.6 }]);
    await batch('good', [10.02, 10.05], 480);
    expect(await ofMeans()).toMatchObject([named]);
  });

  it.each(['ewma', 'cusum'])('judges a chart %s by what it remembers', async (chart) => {
    const { part, characteristic } = await single({ chart, rules: ['nelson1'] });
    await write(part, characteristic, steady(60), 1000);
    expect(await alarmsOf(inspection, part)).toEqual([]);
    await write(
      part,
      characteristic,
      Array.from({ length: 12 }, () => 10.13),
      500,
    );
    expect(await alarmsOf(inspection, part)).toMatchObject([{ kind: 'rule', rule: chart, chart: 'location', state: 'raised' }]);
  });

  it('judges counts by their chart', async () => {
    const { part, characteristic } = await analysis.single({ 12_004: 1 });
    const counted = (counts: readonly number[], minutesAgo: number) =>
      post(counts.map((count, i) => measurement(part, characteristic, { 1: String(count), 20: '100' }, { 4: ago(minutesAgo - i) })));
    await counted(
      Array.from({ length: 40 }, (_, i) => 4 + (i % 3)),
      1000,
    );
    expect(await alarmsOf(inspection, part)).toEqual([]);
    await counted([30], 900);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ kind: 'rule', rule: 'nelson1', chart: 'location', points: 1, value: 0.3 }]);
  });

  it('a process that is no longer capable raises one alarm, and closes it when it is again', async () => {
    const { part, characteristic } = await single({ rules: [], model: 'normal', owner: 'Process engineer' });
    const random = seeded(7);
    const sample = (count: number, mean: number) => Array.from({ length: count }, () => Number((mean + 0.1 * random()).toFixed(4)));
    await write(part, characteristic, sample(200, 10), 1300);
    await assessed(inspection);
    const process = async () => (await alarmsOf(inspection, part)).filter(({ kind }) => kind === 'process');
    expect(await process()).toEqual([]);
    const wrong = await write(part, characteristic, sample(60, 10.6), 900);
    await assessed(inspection);
    expect(await process()).toMatchObject([{ state: 'raised', owner: 'Process engineer', detail: { before: 'capable' } }]);
    expect(['uncertain', 'notStable', 'notCapable']).toContain((await process())[0]!.detail.after);
    for (const { uuid } of wrong) await remove(uuid);
    await assessed(inspection);
    expect(await process()).toMatchObject([{ state: 'closed' }]);
  });

  it('silence raises one alarm for each last measurement, which the next one closes', async () => {
    const { part, characteristic } = await single();
    await write(part, characteristic, [10], 10);
    await assessed(inspection);
    await evaluations.put('parts', part, { silence: 'PT5M', reaction: 'Look after the machine.' }).expect(200);
    const job = new SilenceJob({ database: inspection.database, now: () => new Date(), log, raised: new Map() });
    const silence = async () => (await alarmsOf(inspection, part)).filter(({ kind }) => kind === 'silence');
    await job.step(new AbortController().signal);
    await job.step(new AbortController().signal);
    expect(await silence()).toMatchObject([{ characteristic: null, state: 'raised', reaction: 'Look after the machine.' }]);
    await write(part, characteristic, [10], 1);
    // The time of the last measurement is read from the kept figures.
    await assessed(inspection);
    await job.step(new AbortController().signal);
    expect(await silence()).toMatchObject([{ state: 'closed' }]);
  });

  it('two replicas raise an alarm once [D12.8]', async () => {
    const { part, characteristic } = await single();
    const other = judgingJob();
    other.start();
    try {
      for (let i = 0; i < 20; i += 1)
        await measurements.post('values', [measurement(part, characteristic, 12, { 4: ago(50 - i) })]).expect(201);
      await judged(inspection);
    } finally {
      await other.stop();
    }
    expect(await states(part)).toEqual(['raised 20']);
    expect(await noticesOf(inspection, part)).toEqual(['raised']);
  });

  it.each([
    ['are not judged by default', {}, []],
    ['are judged where somebody has chosen the rules', { rules: ['nelson1'] }, [{ rule: 'nelson1', chart: 'variation' }]],
  ])('moving ranges %s [D12.8]', async (_what, evaluation, expected) => {
    const { part, characteristic } = await single({ model: 'normal', ...evaluation });
    await write(part, characteristic, steady(40), 60);
    await assessed(inspection);
    // Both values are within the limits of single values, the range between them is not.
    await write(part, characteristic, [9.95, 10.14], 10);
    expect(await alarmsOf(inspection, part)).toMatchObject(expected);
    expect(await alarmsOf(inspection, part)).toHaveLength(expected.length);
  });

  it('a process in control gives no more alarms than the published rate', async () => {
    const { part, uuids } = await analysis.part({});
    const [characteristic = ''] = uuids;
    const rules: RunRule[] = ['nelson1', 'nelson2'];
    const stages = [{ limits: { kind: 'given', centerLine: 0, sigma: 1 } }];
    await evaluations.put('characteristics', characteristic, { rules, stages }).expect(200);
    const random = seeded(42);
    const count = 24_000;
    for (let first = 0; first < count; first += 4000) {
      await write(
        part,
        characteristic,
        Array.from({ length: 4000 }, () => random()),
        count - first,
      );
    }
    const alarms = (await alarmsOf(inspection, part)).filter(({ chart }) => chart === 'location');
    for (const rule of rules) {
      const published = falseAlarmRate({ rule, length: rule === 'nelson1' ? 1 : 9 });
      const rate = alarms.filter((alarm) => alarm.rule === rule).length / count;
      expect(rate).toBeGreaterThan(0.5 * published);
      expect(rate).toBeLessThanOrEqual(1.2 * published);
    }
  });

  it('a step that fails has stored nothing, and is repeated', async () => {
    const { part, characteristic } = await single();
    await sql(inspection, `ALTER TABLE alarm_step ADD CONSTRAINT refused CHECK (state <> 'raised') NOT VALID`);
    await measurements.post('values', [measurement(part, characteristic, 12, { 4: ago(5) })]).expect(201);
    const { part: next, characteristic: judgedMeanwhile } = await single();
    await measurements.post('values', [measurement(next, judgedMeanwhile, 10, { 4: ago(5) })]).expect(201);
    await eventually(
      async () => {
        const waiting = await sql(inspection, `SELECT FROM alarm_change c JOIN plan_item p ON p.id = c.part_id WHERE p.uuid = '${next}'`);
        return waiting.length === 0;
      },
      { describe: 'another part is judged', timeoutMs: 30_000 },
    );
    expect(await alarmsOf(inspection, part)).toEqual([]);
    await sql(inspection, 'ALTER TABLE alarm_step DROP CONSTRAINT refused');
    // Another process does not wait.
    const other = judgingJob();
    expect(await other.step(new AbortController().signal)).toBe('more');
    await other.stop();
    expect(await states(part)).toEqual(['raised 1']);
  });
});

/** Returns a source of normal numbers that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
