import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import { EvaluationClient } from '../../evaluation/evaluation-client.fixture.ts';
import { MeasurementClient } from '../../measurements/measurement-client.fixture.ts';
import { define, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient } from '../analysed-part.fixture.ts';
import { alarmsOf, assessed, judged, noticesOf, recordNotices } from './alarm-client.fixture.ts';

const MINUTE_MS = 60_000;

describeWith(['postgres'], 'the judge of values', () => {
  let inspection: RunningInspection;
  const analysis = new AnalysisClient(() => inspection);
  const measurements = new MeasurementClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await recordNotices(inspection);
    await define(
      inspection,
      ...[2110, 2111, 2120, 2130, 2131].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      { key: 99, entity: 'measurement', type: 'AlphaNumeric', length: 10 },
    );
  });
  afterAll(() => inspection.stop());

  /** Measurements that were made a minute after another, the last one a minute ago. */
  const recent = (part: string, characteristic: string, values: readonly (number | undefined)[], minutesAgo = values.length) =>
    values.map((value, i) => ({
      uuid: randomUUID(),
      partUuid: part,
      attributes: { 4: new Date(Date.now() + (i - minutesAgo) * MINUTE_MS).toISOString() },
      characteristics: value === undefined ? {} : { [characteristic]: { 1: String(value) } },
    }));
  const write = async (part: string, characteristic: string, values: readonly (number | undefined)[], minutesAgo?: number) => {
    const body = recent(part, characteristic, values, minutesAgo);
    await measurements.post('values', body).expect(201);
    await judged(inspection);
    return body;
  };
  const rulesOnly = { rules: ['nelson1'], stages: [{ limits: { kind: 'given', centerLine: 10, sigma: 1 } }] };

  describe('tolerances', () => {
    it('raise one alarm for each run, and close it after seven fine values [D12.8] [D12.9]', async () => {
      const { part, characteristic } = await analysis.single({ 2110: 9, 2111: 11 });
      await evaluations.put('characteristics', characteristic, { rules: [], owner: 'Tool shop', reaction: 'Stop.' }).expect(200);
      await write(part, characteristic, [10, 10, 12, 12.5], 60);
      const [alarm, ...others] = await alarmsOf(inspection, part);
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({
        characteristic,
        kind: 'tolerance',
        rule: '',
        chart: '',
        state: 'raised',
        revision: 1,
        points: 2,
        value: 12.5,
        detail: { limits: { lower: 9, upper: 11 } },
        owner: 'Tool shop',
        reaction: 'Stop.',
        muted: false,
        old: false,
      });
      expect(await noticesOf(inspection, part)).toEqual(['raised']);
      await write(part, characteristic, [8], 50);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'raised', points: 3, value: 8, revision: 2 }]);
      await write(part, characteristic, [10, 10, 10, 10, 10, 10], 40);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'raised' }]);
      await write(part, characteristic, [10], 30);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'closed', points: 3 }]);
      expect(await noticesOf(inspection, part)).toEqual(['raised', 'closed']);
      await write(part, characteristic, [12], 20);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'closed' }, { state: 'raised', points: 1 }]);
      const events = (await inspection.announcedAlarms()).filter((event) => event['PartUuid'] === part);
      expect(events.map(({ type, State }) => [type, State])).toEqual([
        ['AlarmRaised', 'raised'],
        ['AlarmChanged', 'raised'],
        ['AlarmChanged', 'closed'],
        ['AlarmRaised', 'raised'],
      ]);
      expect(events[0]).toMatchObject({ CharacteristicUuid: characteristic, Kind: 'tolerance' });
    });

    it('of one side raise an alarm at a value without a time', async () => {
      const { part, characteristic } = await analysis.single({ 2111: 11 });
      await evaluations.put('characteristics', characteristic, { rules: [] }).expect(200);
      const withoutTime = (value: number) => ({
        uuid: randomUUID(),
        partUuid: part,
        characteristics: { [characteristic]: { 1: String(value) } },
      });
      for (const value of [10, 12]) await measurements.post('values', [withoutTime(value)]).expect(201);
      await judged(inspection);
      expect(await alarmsOf(inspection, part)).toMatchObject([
        { state: 'raised', points: 1, value: 12, detail: { limits: { upper: 11 } }, old: false },
      ]);
    });

    it('withdraw the alarm of a replaced value, and raise another one for a bad value', async () => {
      const { part, characteristic } = await analysis.single({ 2110: 9, 2111: 11 });
      await evaluations.put('characteristics', characteristic, { rules: [] }).expect(200);
      const [first] = await write(part, characteristic, [12]);
      const put = async (value: number) => {
        await measurements.put('values', [{ ...first, characteristics: { [characteristic]: { 1: String(value) } } }]).expect(200);
        await judged(inspection);
      };
      await put(13);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'raised', points: 1, value: 13 }]);
      await put(10);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'withdrawn' }]);
      await put(8);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'withdrawn' }, { state: 'raised', value: 8 }]);
      expect(await noticesOf(inspection, part)).toEqual(['raised', 'withdrawn', 'raised']);
      await measurements.put('values', [{ ...first, characteristics: {} }]).expect(200);
      await judged(inspection);
      expect(await alarmsOf(inspection, part)).toMatchObject([{ state: 'withdrawn' }, { state: 'withdrawn' }]);
    });

    it('leave a value beyond plausibility to its own alarm', async () => {
      const { part, characteristic } = await analysis.single({ 2110: 9, 2111: 11, 2130: 0, 2131: 100 });
      await evaluations.put('characteristics', characteristic, rulesOnly).expect(200);
      await write(part, characteristic, [10, 999, 10]);
      expect(await alarmsOf(inspection, part)).toMatchObject([
        { kind: 'plausibility', points: 1, detail: { limits: { lower: 0, upper: 100 } } },
      ]);
    });
  });

  describe('rules', () => {
    it('of given limits raise alarms for each rule and chart', async () => {
      const { part, characteristic } = await analysis.single();
      await evaluations.put('characteristics', characteristic, { ...rulesOnly, rules: ['nelson1', 'nelson2'] }).expect(200);
      await write(part, characteristic, [10, 10.1, 10.2, 10.1, 10.2, 10.1, 10.2, 10.1, 10.2, 15], 60);
      const alarms = (await alarmsOf(inspection, part)).map(({ rule, chart, points }) => ({ rule, chart, points }));
      expect(alarms).toEqual(
        expect.arrayContaining([
          { rule: 'nelson1', chart: 'location', points: 1 },
          { rule: 'nelson1', chart: 'variation', points: 1 },
          { rule: 'nelson2', chart: 'location', points: 9 },
        ]),
      );
      expect(alarms).toHaveLength(3);
      await write(part, characteristic, [10.3], 40);
      const nelson2 = (await alarmsOf(inspection, part)).find(({ rule }) => rule === 'nelson2');
      expect(nelson2).toMatchObject({ points: 10, revision: 2, value: 10.3, detail: { limits: { centerLine: 10, lower: 7, upper: 13 } } });
    });

    it('of computed limits need 25 values, and take the limits of the last assessment [D12.8]', async () => {
      const { part, characteristic } = await analysis.single();
      const steady = Array.from({ length: 40 }, (_, i) => 10 + (i % 5) / 10);
      await write(part, characteristic, [...steady.slice(0, 20), 12], 1000);
      expect(await alarmsOf(inspection, part)).toEqual([]);
      await write(part, characteristic, steady, 900);
      await assessed(inspection);
      const [kept] = await sql<{ state: { points: number } }>(
        inspection,
        `SELECT state FROM kept_limits k JOIN plan_item item ON item.id = k.characteristic_id WHERE item.uuid = '${characteristic}'`,
      );
      expect(kept?.state.points).toBe(61);
      await write(part, characteristic, [12], 800);
      expect(await alarmsOf(inspection, part)).toEqual(
        expect.arrayContaining([expect.objectContaining({ kind: 'rule', rule: 'nelson1', chart: 'location', points: 1, value: 12 })]),
      );
    });
  });
});
