import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { describeWith } from '@sinebar/testing';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { MeasurementClient } from '../../measurements/measurement-client.fixture.ts';
import { define, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient } from '../analysed-part.fixture.ts';
import { alarmsOf, assessed, judged, noticesOf, recordNotices } from './alarm-client.fixture.ts';
import { SilenceJob } from './silence-job.ts';

const MINUTE_MS = 60_000;
const log = createLogger({ service: 'test', level: 'error' });

describeWith(['postgres'], 'a planned stop', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const measurements = new MeasurementClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await recordNotices(inspection);
    await define(inspection, ...[2110, 2111].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })));
  });
  afterAll(() => inspection.stop());

  const measuredPart = async () => {
    const made = await analysis.single({ 2110: 9, 2111: 11 });
    await evaluations.put('characteristics', made.characteristic, { rules: [] }).expect(200);
    return made;
  };
  const write = async (part: string, characteristic: string, value: number, minutesAgo: number) => {
    const attributes = { 4: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString() };
    await measurements
      .post('values', [{ uuid: randomUUID(), partUuid: part, attributes, characteristics: { [characteristic]: { 1: String(value) } } }])
      .expect(201);
    await judged(inspection);
  };
  /** Plans a stop that began 20 minutes ago. */
  const stop = (part: string, untilMinutes: number) =>
    sql(
      inspection,
      `INSERT INTO alarm_mute (uuid, part_id, from_at, until_at, reason, created_by)
       SELECT gen_random_uuid(), id, now() - interval '20 minutes', now() + interval '${untilMinutes} minutes', 'stop', ''
       FROM plan_item WHERE uuid = '${part}'`,
    );
  const endStops = () => sql(inspection, 'UPDATE alarm_mute SET until_at = now()');

  it('keeps an alarm untold until it goes on behind the stop [D12.14]', async () => {
    const { part, characteristic } = await measuredPart();
    await stop(part, 60);
    await write(part, characteristic, 12, 10);
    await write(part, characteristic, 12, 8);
    expect(await noticesOf(inspection, part)).toEqual([]);
    await endStops();
    await write(part, characteristic, 12, 3);
    await write(part, characteristic, 12, 1);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ muted: false, points: 4 }]);
    expect(await noticesOf(inspection, part)).toEqual(['raised']);
  });

  it('keeps an alarm untold that old values go on with behind the stop [D12.14]', async () => {
    const { part, characteristic } = await measuredPart();
    await stop(part, 60);
    await write(part, characteristic, 12, 10);
    await endStops();
    await write(part, characteristic, 12, 60 * 30);
    expect(await alarmsOf(inspection, part)).toMatchObject([{ muted: true, points: 2 }]);
    expect(await noticesOf(inspection, part)).toEqual([]);
  });

  it('is no silence, which counts from its end [D12.14]', async () => {
    const { part, characteristic } = await measuredPart();
    await write(part, characteristic, 10, 30);
    await assessed(inspection);
    await evaluations.put('parts', part, { silence: 'PT5M' }).expect(200);
    let aheadMinutes = 0;
    const now = () => new Date(Date.now() + aheadMinutes * MINUTE_MS);
    const job = new SilenceJob({ database: inspection.database, now, log, raised: new Map() });
    const kinds = async () => {
      await job.step(new AbortController().signal);
      return (await alarmsOf(inspection, part)).map(({ kind }) => kind);
    };
    await stop(part, 10);
    expect(await kinds()).toEqual([]);
    aheadMinutes = 14;
    expect(await kinds()).toEqual([]);
    aheadMinutes = 16;
    expect(await kinds()).toEqual(['silence']);
    expect(await noticesOf(inspection, part)).toEqual(['raised']);
  });
});
