import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  characteristicGroupsSchema,
  characteristicSeriesSchema,
  type CharacteristicGroups,
  type CharacteristicSeries,
  type CharacteristicSummary,
} from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { R_GROUPS } from '../../../../../packages/statistics/src/r-charts.fixture.ts';
import { EvaluationClient, messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { define, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from '../analysed-part.fixture.ts';

const MACHINES = ['M1', 'M2', 'M3'];
const LIMITS = { 2110: '9.95', 2111: '10.05' };

describeWith(['postgres'], 'groups of values', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2110, 2111, 2120].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      { key: 10, entity: 'measurement', type: 'Catalog', entries: [1, 2, 3] },
      { key: 14, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 4062, entity: 'catalog', type: 'AlphaNumeric' },
      { key: 4063, entity: 'catalog', type: 'AlphaNumeric' },
    );
    // `define` calls every attribute the same; entries are named by the attribute that is called like that of the measurement.
    await sql(
      inspection,
      `UPDATE attribute_definition SET description = CASE key WHEN 4062 THEN 'number' ELSE 'Machine' END WHERE key IN (10, 4062, 4063)`,
    );
    await sql(inspection, `UPDATE catalog SET valid_attributes = '{4062,4063}'`);
    for (const key of [1, 2, 3]) {
      const attributes = { 4062: `no ${key}`, ...(key !== 3 && { 4063: `Bridge machine ${key}` }) };
      await sql(inspection, `UPDATE catalog_entry SET attributes = '${JSON.stringify(attributes)}' WHERE key = ${key}`);
    }
  });
  afterAll(() => inspection.stop());

  const groupsOf = (uuid: string, query: string) => client.read<CharacteristicGroups>(`characteristics/${uuid}/groups?${query}`);
  const seriesOf = (uuid: string, query: string) => client.read<CharacteristicSeries>(`characteristics/${uuid}/series?${query}`);
  const putSettings = (settings: object) =>
    request(inspection.server)
      .put('/analysisServiceRest/settings')
      .send({ ...settings, reason: 'a test' })
      .expect(200);

  describe('by machine', () => {
    let measured: { part: string; characteristic: string };
    let answer: CharacteristicGroups;
    beforeAll(async () => {
      measured = await client.single(LIMITS);
      await client.measureWith(
        measured,
        R_GROUPS.values.map((value, i) => ({ attributes: { 10: MACHINES.indexOf(R_GROUPS.group[i]!) + 1 }, value })),
      );
      answer = await groupsOf(measured.characteristic, 'by=10');
    });

    it('have the figures of R', () => {
      expect(characteristicGroupsSchema.parse(answer)).toEqual(answer);
      expect(answer.by).toBe(10);
      expect(answer.groups.map(({ count }) => count)).toEqual([40, 55, 30]);
      answer.groups.forEach(({ mean, standardDeviation }, i) => {
        expect(mean).toBeCloseTo(R_GROUPS.mean[i]!, 9);
        expect(standardDeviation).toBeCloseTo(R_GROUPS.sd[i]!, 9);
      });
    });
    it('have the tests of R', () => {
      const { welch, brownForsythe } = answer.tests;
      expect(welch?.statistic).toBeCloseTo(R_GROUPS.welch.statistic, 6);
      expect(welch?.df1).toBe(2);
      expect(welch?.df2).toBeCloseTo(R_GROUPS.welch.df2, 6);
      expect(welch?.pValue).toBeCloseTo(R_GROUPS.welch.p, 6);
      expect(welch?.explained).toBeGreaterThan(0.05);
      expect(brownForsythe?.statistic).toBeCloseTo(R_GROUPS.brownForsythe.statistic, 6);
      expect(brownForsythe!.pValue / R_GROUPS.brownForsythe.p).toBeCloseTo(1, 6);
    });
    it('have the texts of the catalog', () => {
      expect(answer.groups.map(({ value, text }) => [value, text])).toEqual([
        ['1', 'Bridge machine 1'],
        ['2', 'Bridge machine 2'],
        ['3', 'no 3'],
      ]);
    });
    it('have the index, the counts and the box of a summary of these values alone', async () => {
      for (const { value, pk, model, outOfTolerance, box, minimum, maximum } of answer.groups) {
        const one = await client.read<CharacteristicSummary>(
          `characteristics/${measured.characteristic}/summary?searchCondition=${encodeURIComponent(`10=[${value}]`)}`,
        );
        expect(pk).toEqual(one.capability?.pk);
        expect(model).toBe(pk?.from === 'model' ? one.capability?.model?.name : undefined);
        expect(outOfTolerance).toBe(one.counts.belowTolerance + one.counts.aboveTolerance);
        expect(box).toMatchObject(one.box!);
        expect([minimum, maximum]).toEqual([one.minimum, one.maximum]);
      }
    });
    it('follow conditions, ranges, exclusions and the model', async () => {
      const counts = async (query: string) =>
        (await groupsOf(measured.characteristic, query)).groups.map(({ value, count }) => [value, count]);
      expect(await counts(`by=10&searchCondition=${encodeURIComponent('10>[1]')}`)).toEqual([
        ['2', 55],
        ['3', 30],
      ]);
      expect(await counts(`by=10&from=${timeOf(90)}&to=${timeOf(100)}`)).toEqual([
        ['2', 5],
        ['3', 5],
      ]);
      expect(await counts('by=10&limitResult=10')).toEqual([['3', 10]]);
      const first = (await seriesOf(measured.characteristic, 'by=10')).values![0]!.measurementUuid;
      expect((await counts(`by=10&exclude={${first}}`))[0]).toEqual(['1', 39]);
      expect((await groupsOf(measured.characteristic, `by=10&exclude={${first}}&model=student`)).overridden).toEqual([
        'model',
        'exclusions',
      ]);
      expect((await groupsOf(measured.characteristic, 'by=10&model=student')).groups[0]).toMatchObject({
        pk: { from: 'model' },
        model: 'student',
      });
      await evaluations
        .put('characteristics', measured.characteristic, { model: 'student', exclusions: [{ measurementUuid: first, reason: 'x' }] })
        .expect(200);
      const evaluated = await groupsOf(measured.characteristic, 'by=10');
      expect(evaluated.groups[0]).toMatchObject({ count: 39, pk: { from: 'model' } });
      expect(evaluated.overridden).toBeUndefined();
      await evaluations.delete('characteristics', measured.characteristic).expect(200);
    });
    it('are those of the points of a series', async () => {
      const series = await seriesOf(measured.characteristic, 'by=10&newest=1');
      expect(characteristicSeriesSchema.parse(series)).toEqual(series);
      expect(series.grouped).toEqual({
        by: 10,
        groups: answer.groups.map(({ value, text }) => ({ value, text })),
      });
      expect(series.values?.map(({ group }) => group)).toEqual(R_GROUPS.group.map((name) => MACHINES.indexOf(name)));
      expect(series.newest?.map(({ group }) => group)).toEqual([2]);
      expect(series).toMatchObject({
        ...(await seriesOf(measured.characteristic, 'newest=1')),
        values: series.values,
        newest: series.newest,
      });
    });
    it('are those of subgroups and of joined points whose values share one', async () => {
      const { subgroups } = await seriesOf(measured.characteristic, 'by=10&subgroup=25');
      expect(subgroups?.map(({ group }) => group)).toEqual([0, undefined, 1, undefined, 2]);
      const { buckets } = await seriesOf(measured.characteristic, 'by=10&points=5');
      expect(buckets?.map(({ group }) => group)).toEqual([0, undefined, 1, undefined, 2]);
      expect(buckets?.[4]?.outOfTolerance.map(({ group }) => group)).toContain(2);
    });
  });

  it('of one value have no spread and no index, and measurements without the attribute are a group of their own', async () => {
    const measured = await client.single(LIMITS);
    await client.measureWith(measured, [
      { attributes: { 14: 'a' }, value: 10 },
      { value: 10.1 },
      { attributes: { 14: 'b' }, value: 10.02 },
      { attributes: { 14: 'a' }, value: {} },
      { attributes: { 14: 'b' }, value: 10.01 },
    ]);
    const { groups, tests, notes } = await groupsOf(measured.characteristic, 'by=14');
    expect(groups.map(({ value, count }) => [value, count])).toEqual([
      ['a', 1],
      [undefined, 1],
      ['b', 2],
    ]);
    expect(groups[0]).toEqual({
      value: 'a',
      count: 1,
      mean: 10,
      minimum: 10,
      maximum: 10,
      outOfTolerance: 0,
      box: { lowerQuartile: 10, median: 10, upperQuartile: 10, lowerWhisker: 10, upperWhisker: 10, outliers: [] },
    });
    expect(groups[1]).toMatchObject({ outOfTolerance: 1 });
    expect(tests).toEqual({});
    expect(notes).toEqual([
      'Means are compared where two groups have values that differ.',
      'Spreads are compared where there are two groups whose values differ.',
    ]);
    const series = await seriesOf(measured.characteristic, 'by=14');
    expect(series.values?.map(({ group }) => series.grouped?.groups[group ?? -1]?.value)).toEqual(['a', undefined, 'b', 'b']);
  });

  it('are at most 100, the rest of them one', async () => {
    const measured = await client.single();
    await client.measureWith(
      measured,
      Array.from({ length: 230 }, (_, i) => ({ attributes: { 14: `lot ${i < 120 ? i : i - 120}` }, value: i })),
    );
    const { groups } = await groupsOf(measured.characteristic, 'by=14');
    expect(groups).toHaveLength(100);
    expect(groups.at(-1)).toMatchObject({ others: 21, count: 32 });
    expect(groups.at(-1)).not.toHaveProperty('value');
    const { grouped, values } = await seriesOf(measured.characteristic, 'by=14');
    expect(grouped?.groups).toEqual(
      groups.map(({ value, others }) => ({ ...(value !== undefined && { value }), ...(others && { others }) })),
    );
    expect(values?.[119]?.group).toBe(99);
  });

  it('of many values are computed in a thread', async () => {
    const measured = await client.single(LIMITS);
    await client.measureWith(
      measured,
      Array.from({ length: 6000 }, (_, i) => ({ attributes: { 14: `side ${i % 2}` }, value: 10 + Math.sin(i) / 100 + (i % 2) / 100 })),
    );
    const { groups, tests } = await groupsOf(measured.characteristic, 'by=14');
    expect(groups.map(({ value, count }) => [value, count])).toEqual([
      ['side 0', 3000],
      ['side 1', 3000],
    ]);
    expect(tests.welch?.pValue).toBeLessThan(1e-6);
    const { buckets, grouped } = await seriesOf(measured.characteristic, 'by=day&points=10');
    expect(grouped?.groups.map(({ value }) => value)).toEqual(['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09']);
    expect(buckets?.[0]?.group).toBe(0);
  });

  describe('by time', () => {
    let measured: { part: string; characteristic: string };
    const TIMES = ['2026-01-05T20:59:00Z', '2026-01-05T21:00:00Z', '2026-01-06T04:59:00Z', '2026-01-11T22:30:00Z', '2026-01-12T12:00:00Z'];
    beforeAll(async () => {
      measured = await client.single();
      const times = [null, ...TIMES];
      await client.measureWith(
        measured,
        times.map((time, i) => ({ attributes: { 4: time }, value: i })),
      );
      await putSettings({
        zone: 'Europe/Berlin',
        shifts: [
          { name: 'late', from: '14:00', to: '22:00' },
          { name: 'night', from: '22:00', to: '06:00' },
        ],
      });
    });
    const values = async (query: string) =>
      (await groupsOf(measured.characteristic, query)).groups.map(({ value, count, minimum }) => [value, count, minimum]);

    it('are shifts, of which a night belongs to the day on which it begins', async () => {
      expect(await values('by=shift')).toEqual([
        [undefined, 2, 0],
        ['late', 1, 1],
        ['night', 3, 2],
      ]);
    });
    it('are days and weeks of the zone of the plant', async () => {
      expect(await values('by=day')).toEqual([
        [undefined, 1, 0],
        ['2026-01-05', 3, 1],
        ['2026-01-11', 1, 4],
        ['2026-01-12', 1, 5],
      ]);
      expect(await values('by=WEEK')).toEqual([
        [undefined, 1, 0],
        ['2026-W02', 4, 1],
        ['2026-W03', 1, 5],
      ]);
      const { grouped, values: points } = await seriesOf(measured.characteristic, 'by=week');
      expect(points?.map(({ group }) => grouped?.groups[group!]?.value)).toEqual([
        undefined,
        ...new Array<string>(4).fill('2026-W02'),
        '2026-W03',
      ]);
    });
    it('tell the newest days apart', async () => {
      const many = await client.single();
      await client.measureWith(
        many,
        Array.from({ length: 102 }, (_, i) => ({ attributes: { 4: new Date(Date.UTC(2026, 0, 1 + i, 12)).toISOString() }, value: i })),
      );
      const { groups } = await groupsOf(many.characteristic, 'by=day');
      expect([groups[0]?.value, groups.at(-2)?.value]).toEqual(['2026-01-04', '2026-04-12']);
      expect(groups.at(-1)).toMatchObject({ others: 3, count: 3, maximum: 2 });
    });
    it('are refused by shift where the plant has none', async () => {
      await putSettings({ zone: 'UTC', shifts: [] });
      const refused = await client.get(`characteristics/${measured.characteristic}/groups?by=shift`).expect(400);
      expect(messageOf(refused)).toBe(
        'Parameter by: The settings of the plant have no shifts. Set them with PUT /analysisServiceRest/settings, or give day or week.',
      );
    });
  });

  it('without values are none', async () => {
    const { characteristic } = await client.single();
    expect(await groupsOf(characteristic, 'by=14')).toEqual({ by: 14, groups: [], tests: {}, notes: ['There are no values.'] });
    expect((await seriesOf(characteristic, 'by=14')).grouped).toEqual({ by: 14, groups: [] });
  });

  it.each([
    ['by=4711', 'Parameter by: Measurements have no attribute 4711.'],
    ['by=2110', 'Parameter by: Measurements have no attribute 2110.'],
    ['by=4', 'Parameter by: The time of measurement makes no groups. Give shift, day or week.'],
    ['by=month', 'Parameter by: must be the key of a measurement attribute, or one of shift, day, week, not "month".'],
    ['by=-1', /^Parameter by: must be the key/],
    ['by=70000', /^Parameter by: must be the key/],
    ['', /^Parameter by: /],
    ['by=14&group=1', /^Parameter "group" is not known/],
    ['by=14&model=gamma', 'Parameter model: The gamma model needs a natural boundary. Set attribute 2120 or 2121 to 2.'],
    ['by=14&confidence=2', /^Parameter confidence: /],
  ])('refuse %s', async (query, message) => {
    const { characteristic } = await client.measured({}, [1, 2]);
    const refused = await client.get(`characteristics/${characteristic}/groups?${query}`).expect(400);
    if (typeof message === 'string') expect(messageOf(refused)).toBe(message);
    else expect(messageOf(refused)).toMatch(message);
    if (query.startsWith('by=') && !query.includes('&')) await client.get(`characteristics/${characteristic}/series?${query}`).expect(400);
  });
  it('refuse a characteristic that does not exist', () => client.get(`characteristics/${randomUUID()}/groups?by=14`).expect(404));
});
