import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  characteristicGroupsSchema,
  characteristicSeriesSchema,
  characteristicSummarySchema,
  type CharacteristicGroups,
  type CharacteristicSeries,
  type CharacteristicSummary,
  type PartOverview,
} from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { R_COUNTS } from '../../../../../packages/statistics/src/r-charts.fixture.ts';
import { EvaluationClient, messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { define, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { AnalysisClient, timeOf } from '../analysed-part.fixture.ts';

const [PARTS, ERRORS] = [{ 12004: '1' }, { 12004: '5' }];

describeWith(['postgres'], 'characteristics that count', () => {
  let inspection: RunningInspection;
  const client = new AnalysisClient(() => inspection);
  const evaluations = new EvaluationClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[2110, 2111, 8011, 8012, 8013, 12_004].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
      { key: 20, entity: 'value', type: 'AlphaNumeric' },
      { key: 14, entity: 'measurement', type: 'AlphaNumeric' },
    );
  });
  afterAll(() => inspection.stop());

  const summaryOf = async (uuid: string, query = '') => {
    const answer = await client.read<CharacteristicSummary>(`characteristics/${uuid}/summary${query}`);
    expect(characteristicSummarySchema.parse(answer)).toEqual(answer);
    return answer;
  };
  const seriesOf = async (uuid: string, query = '') => {
    const answer = await client.read<CharacteristicSeries>(`characteristics/${uuid}/series${query}`);
    expect(characteristicSeriesSchema.parse(answer)).toEqual(answer);
    return answer;
  };
  /** Creates a characteristic with samples; a size of undefined is none. */
  const sampled = async (attributes: object, counts: readonly number[], sizes: readonly (number | string | undefined)[] | number = []) => {
    const made = await client.single({ ...attributes });
    const sizeOf = (i: number) => (typeof sizes === 'number' ? sizes : sizes[i]);
    const measurements = await client.measureWith(
      made,
      counts.map((count, i) => ({ value: { 1: String(count), ...(sizeOf(i) !== undefined && { 20: String(sizeOf(i)) }) } })),
    );
    return { ...made, measurements };
  };
  const limitsOf = ({ countChart }: CharacteristicSeries) =>
    [countChart!.points.map(({ lower }) => lower), countChart!.points.map(({ upper }) => upper)] as const;
  const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 9) as unknown as number);

  describe('have the charts of R', () => {
    const { p, np, c, u, binomial, poisson } = R_COUNTS;

    it('p, with the exact interval of the share', async () => {
      const { characteristic, measurements } = await sampled(PARTS, p.nonconforming, p.sizes);
      const series = await seriesOf(characteristic);
      expect(series).not.toHaveProperty('chart');
      expect(series.countChart).toMatchObject({ type: 'p', baseline: { from: timeOf(0), count: 25 } });
      expect(series.countChart!.rate).toBeCloseTo(p.centre, 9);
      expect(limitsOf(series)).toEqual([near(p.lower), near(p.upper)]);
      expect(series.countChart!.points[p.out]).toMatchObject({ isBeyond: true, count: 14, size: 85, measurementUuid: measurements[p.out] });
      expect(series.ruleHits).toEqual([
        { rule: 'nelson1', on: 'location', index: p.out, time: timeOf(p.out), measurementUuid: measurements[p.out] },
      ]);
      const summary = await summaryOf(characteristic);
      expect(summary.countChart).toEqual({
        type: 'p',
        rate: series.countChart!.rate,
        baseline: { from: timeOf(0), to: timeOf(24), count: 25 },
      });
      expect(summary.rate).toMatchObject({ unit: 'partsPerMillion', confidence: 0.95, count: binomial.nonconforming, size: binomial.n });
      expect(summary.rate!.value).toBeCloseTo(binomial.ppm, 6);
      expect([summary.rate!.lower, summary.rate!.upper]).toEqual(binomial.interval.map((bound) => expect.closeTo(bound, 3) as unknown));
      expect(summary.assessment).toMatchObject({
        stable: 'no',
        capable: 'unknown',
        normal: 'unknown',
        since: { kind: 'points', time: timeOf(p.out), measurementUuid: measurements[p.out] },
      });
      for (const absent of ['chart', 'capability', 'partsPerMillion', 'normality', 'toleranceInterval']) {
        expect(summary).not.toHaveProperty(absent);
      }
      expect(summary.notes).toContain('The characteristic counts, so it has a rate and no index of capability.');
    });
    it('p of Laney', async () => {
      const { characteristic } = await sampled(PARTS, p.nonconforming, p.sizes);
      const series = await seriesOf(characteristic, '?chart=laneyP');
      expect(series.countChart!.sigmaZ).toBeCloseTo(p.laneySigmaZ, 9);
      expect(limitsOf(series)).toEqual([near(p.laneyLower), near(p.laneyUpper)]);
      expect(series.overridden).toEqual(['chart']);
      expect((await summaryOf(characteristic, '?chart=laneyP')).rate!.value).toBeCloseTo(binomial.ppm, 6);
    });
    it('np', async () => {
      const { characteristic } = await sampled(PARTS, np.nonconforming, np.size);
      await evaluations.put('characteristics', characteristic, { chart: 'np' }).expect(200);
      const { countChart } = await summaryOf(characteristic);
      expect(countChart?.location).toEqual({
        centerLine: expect.closeTo(np.centre, 9),
        lower: np.lower,
        upper: expect.closeTo(np.upper, 9),
      });
      expect((await seriesOf(characteristic)).countChart!.points[0]).toMatchObject({ value: np.nonconforming[0] });
    });
    it('c', async () => {
      const { characteristic } = await sampled(ERRORS, c.counts);
      const { countChart, ruleHits } = await seriesOf(characteristic, '?chart=c');
      expect(countChart?.location).toEqual({ centerLine: expect.closeTo(c.centre, 9), lower: c.lower, upper: expect.closeTo(c.upper, 9) });
      expect(ruleHits.map(({ index }) => index)).toEqual([c.out]);
    });
    it('u, with the exact interval of the rate', async () => {
      const { characteristic } = await sampled(ERRORS, u.counts, u.units);
      const series = await seriesOf(characteristic);
      expect(series.countChart).toMatchObject({ type: 'u' });
      expect(limitsOf(series)).toEqual([near(u.lower), near(u.upper)]);
      const { rate } = await summaryOf(characteristic, '?confidence=0.95');
      expect(rate).toMatchObject({ unit: 'perUnit', count: poisson.counts, size: poisson.units });
      expect([rate!.value, rate!.lower, rate!.upper]).toEqual(near([poisson.rate, ...poisson.interval]));
    });
  });

  it('are evaluated by a chart of counts, whatever charts of measured values parts have', async () => {
    const { part, characteristic } = await sampled({ 12004: '6' }, [1, 2]);
    const evaluated = async () => {
      const { chart, subgroups, sources } = await evaluations.read('characteristics', characteristic);
      return [chart, subgroups, sources.chart];
    };
    expect(await evaluated()).toEqual(['u', { size: 1 }, { kind: 'attribute', key: 12_004 }]);
    await evaluations.put('parts', part, { chart: 'xbarR', subgroups: { size: 5 } }).expect(200);
    expect(await evaluated()).toEqual(['u', { size: 1 }, { kind: 'attribute', key: 12_004 }]);
    expect((await summaryOf(characteristic)).notes).toContain('The chart xbarR of the evaluation is one of measured values; u is drawn.');
    await evaluations.put('parts', part, { chart: 'c' }).expect(200);
    expect(await evaluated()).toEqual(['c', { size: 1 }, { kind: 'part', uuid: part }]);
  });

  describe('leave out samples that cannot be, and say so', () => {
    it.each<[string, string, object, number[], (number | string | undefined)[], string]>([
      ['a size of 0', 'p', PARTS, [1, 0, 2], [10, 0, 10], '1 sample is left out: the size (value attribute 20) is a whole number above 0.'],
      [
        'a size that is no number',
        'u',
        ERRORS,
        [1, 5, 2],
        [10, 'many', 10],
        '1 sample is left out: the size (value attribute 20) is a number above 0.',
      ],
      [
        'a size of half a part',
        'p',
        PARTS,
        [1, 1, 2],
        [10, 1.5, 10],
        '1 sample is left out: the size (value attribute 20) is a whole number above 0.',
      ],
      [
        'a count above the size',
        'p',
        PARTS,
        [1, 11, 2],
        [10, 10, 10],
        '1 sample is left out: more parts are counted than the sample has (value attribute 20).',
      ],
      ['a negative count', 'p', PARTS, [1, -1, 2], [10, 10, 10], '1 sample is left out: a count is a whole number from 0.'],
      ['a fractional count', 'u', ERRORS, [1, 1.5, 2], [10, 10, 10], '1 sample is left out: a count is a whole number from 0.'],
      [
        'a count too large to be exact',
        'u',
        ERRORS,
        [1, 1e300, 2],
        [10, 10, 10],
        '1 sample is left out: a count is a whole number from 0.',
      ],
    ])('%s', async (_, type, attributes, counts, sizes, note) => {
      const { characteristic, measurements } = await sampled(attributes, counts, sizes);
      const series = await seriesOf(characteristic);
      expect(series.countChart).toMatchObject({ type, rate: expect.closeTo(0.15, 12) });
      expect(series.countChart!.points.map(({ index, measurementUuid }) => [index, measurementUuid])).toEqual([
        [0, measurements[0]],
        [2, measurements[2]],
      ]);
      expect(series.notes).toContain(note);
      expect(series.values).toHaveLength(3);
      const summary = await summaryOf(characteristic);
      expect(summary.notes).toContain(note);
      expect(summary.rate).toMatchObject({ count: 3, size: 20 });
    });
    it('all of them', async () => {
      const { characteristic } = await sampled(PARTS, [3, 4], [0, 2]);
      const summary = await summaryOf(characteristic);
      expect(summary).not.toHaveProperty('rate');
      expect(summary).not.toHaveProperty('countChart');
      expect(summary.assessment.stable).toBe('unknown');
      const { countChart, notes } = await seriesOf(characteristic);
      expect(countChart).toBeUndefined();
      expect(notes).toEqual([
        '1 sample is left out: the size (value attribute 20) is a whole number above 0.',
        '1 sample is left out: more parts are counted than the sample has (value attribute 20).',
        'There are too few samples in the baseline for control limits.',
      ]);
    });
  });

  it('take a sample without a size as one part or unit', async () => {
    const { characteristic } = await sampled(PARTS, [1, 0, 0, 0], [undefined, undefined, 1, 1]);
    const { countChart, notes } = await seriesOf(characteristic);
    expect(countChart).toMatchObject({ rate: 0.25, location: { centerLine: 0.25 } });
    expect(notes).toEqual(['2 samples are without a size (value attribute 20) and taken as one part.']);
    expect((await seriesOf(characteristic, '?chart=u')).notes).toEqual([
      '2 samples are without a size (value attribute 20) and taken as one unit.',
    ]);
  });
  it('take each sample as one for c, and tell where sizes differ', async () => {
    const { characteristic } = await sampled(ERRORS, [3, 5], [10, 20]);
    const { countChart, notes } = await seriesOf(characteristic, '?chart=c');
    expect(countChart).toMatchObject({ rate: 4, points: [{ size: 1 }, { size: 1 }] });
    expect(notes).toEqual(['The sizes of the samples differ; the chart u takes them into account.']);
  });
  it('of one sample have limits, of none a note, and no verdict', async () => {
    const one = await summaryOf((await sampled(ERRORS, [4], 2)).characteristic);
    expect(one.countChart).toMatchObject({ rate: 2 });
    expect(one.assessment.stable).toBe('unknown');
    const two = await seriesOf((await sampled(PARTS, [4], 20)).characteristic, '?chart=laneyP');
    expect(two.countChart).toBeUndefined();
    expect(two.notes).toEqual(['There are too few samples in the baseline for control limits.']);
    const { characteristic } = await client.single(PARTS);
    const none = await summaryOf(characteristic);
    expect([none.count, none.notes]).toEqual([0, ['There are no values.']]);
    expect((await seriesOf(characteristic)).notes).toContain('There are no values.');
  });

  it('are judged by every stage of their own, and by a rate that is given from the first sample on', async () => {
    const counts = Array.from({ length: 60 }, (_, i) => (i < 30 ? 4 : 12) + (i % 3));
    const { characteristic, measurements } = await sampled(PARTS, [...counts, 40], 100);
    const all = await summaryOf(characteristic);
    expect(all.assessment).toMatchObject({ stable: 'no', since: { kind: 'step', measurementUuid: measurements[30] } });
    expect([all.assessment.since!.from, all.assessment.since!.to]).toEqual([expect.closeTo(0.05, 3), expect.closeTo(0.1387, 3)]);
    const stages = [
      { from: timeOf(30), limits: { kind: 'computed' } },
      { from: timeOf(60), limits: { kind: 'given', centerLine: 0.1, upper: 0.2 } },
      { from: timeOf(900), limits: { kind: 'computed' } },
    ];
    const put = (some: object[]) => evaluations.put('characteristics', characteristic, { stages: some }).expect(200);
    await put(stages.slice(0, 2));
    const series = await seriesOf(characteristic);
    expect(series.stages?.map(({ offset, count, countChart }) => [offset, count, countChart?.rate])).toEqual([
      [0, 30, expect.closeTo(0.05, 9)],
      [30, 30, expect.closeTo(0.13, 9)],
      [60, 1, 0.1],
    ]);
    expect(series.countChart!.points.map(({ centerLine }) => centerLine)).toEqual([
      ...new Array<unknown>(30).fill(expect.closeTo(0.05, 9)),
      ...new Array<unknown>(30).fill(expect.closeTo(0.13, 9)),
      0.1,
    ]);
    expect(series.ruleHits.map(({ index }) => index)).toEqual([60]);
    expect(series.notes).toEqual(['Limits of counts follow from the centre line that is given and from the sizes.']);
    expect((await summaryOf(characteristic)).assessment).toMatchObject({ stable: 'no', since: { measurementUuid: measurements[60] } });
    await put(stages);
    const later = await seriesOf(characteristic);
    expect(later.stages?.at(-1)).toEqual({ from: timeOf(900), kind: 'computed', offset: 61, count: 0 });
    expect(later.countChart).toBeUndefined();
    await put([{ limits: { kind: 'given', centerLine: 7, sigma: 1 } }]);
    const { countChart, notes } = await seriesOf(characteristic);
    expect(countChart?.rate).toBeCloseTo(580 / 6100, 12);
    expect(notes).toContain('The centre line that is given, 7, is no rate of a chart p; its limits are computed.');
    // Of np a centre line is a number of parts.
    expect((await seriesOf(characteristic, '?chart=np')).countChart).toMatchObject({
      rate: 0.07,
      location: { centerLine: expect.closeTo(7, 12) },
    });
  });

  it('are computed in a thread where they are many, and name the groups of their points', async () => {
    const made = await client.single(PARTS);
    await client.measureWith(
      made,
      Array.from({ length: 2500 }, (_, i) => ({
        attributes: { 14: `line ${i % 2}` },
        value: { 1: String(i % 2 === 0 ? 2 : 4), 20: '100' },
      })),
    );
    const series = await seriesOf(made.characteristic, '?points=10&by=14&newest=2');
    expect(series.countChart).toMatchObject({ rate: 0.03 });
    expect(series.countChart!.points.map(({ index }) => index)).toEqual(Array.from({ length: 10 }, (_, i) => 2490 + i));
    expect(series.newest?.map(({ group }) => series.grouped?.groups[group!]?.value)).toEqual(['line 0', 'line 1']);
    expect((await summaryOf(made.characteristic)).rate).toMatchObject({ count: 7500, size: 250_000 });
    const groups = await client.read<CharacteristicGroups>(`characteristics/${made.characteristic}/groups?by=14`);
    expect(characteristicGroupsSchema.parse(groups)).toEqual(groups);
    expect(groups.groups.map(({ mean, pk }) => [mean, pk])).toEqual([
      [2, undefined],
      [4, undefined],
    ]);
    expect(groups.groups.map(({ rate }) => rate)).toMatchObject([
      { unit: 'partsPerMillion', value: 20_000, count: 2500, size: 125_000 },
      { unit: 'partsPerMillion', value: 40_000, count: 5000, size: 125_000 },
    ]);
    // 3,750 are expected in each: 2 · 1,250² / (125,000 · 0.03 · 0.97).
    expect(groups.tests.rates?.statistic).toBeCloseTo((2 * 1250 ** 2) / (125_000 * 0.03 * 0.97), 9);
    expect(groups.tests).not.toHaveProperty('welch');
    expect(series.countChart!.points.map(({ group }) => group)).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    expect(groups.notes).toContain('The characteristic counts, so groups have a rate and no index.');
  });

  it('have the rates of their groups, also where a value is missing and where no sample can be', async () => {
    const made = await client.single(ERRORS);
    const samples = [
      ['a', '3', '2'],
      ['a', '', '5'],
      ['b', '1', undefined],
      ['c', '0.5', '4'],
      [undefined, '2', '4'],
    ] as const;
    await client.measureWith(
      made,
      samples.map(([line, count, size]) => ({
        attributes: line === undefined ? {} : { 14: line },
        value: { ...(count !== '' && { 1: count }), ...(size !== undefined && { 20: size }) },
      })),
    );
    const { groups, tests, notes } = await client.read<CharacteristicGroups>(`characteristics/${made.characteristic}/groups?by=14`);
    expect(groups.map(({ value, rate }) => [value, rate?.count, rate?.size, rate?.value])).toEqual([
      ['a', 3, 2, 1.5],
      ['b', 1, 1, 1],
      ['c', undefined, undefined, undefined],
      [undefined, 2, 4, 0.5],
    ]);
    expect(tests.rates?.df).toBe(2);
    expect(notes).toContain('A group has fewer than 5 expected: the p value of the rates is rough.');
  });

  it('have no index and no verdict in tables, before and after figures are kept', async () => {
    const { part } = await sampled({ ...PARTS, 2110: '0', 2111: '3' }, [1, 2, 1, 4, 2, 1, 3, 2], 10);
    const line = async () => (await client.read<PartOverview>(`parts/${part}/overview`)).characteristics[0]!;
    const expected = { count: 8, now: 'inLimits', process: 'unknown' };
    expect(await line()).toMatchObject(expected);
    await eventually(async () => expect(await sql(inspection, 'SELECT FROM figure_change')).toEqual([]));
    const kept = await line();
    expect(kept).toMatchObject(expected);
    expect(kept).not.toHaveProperty('overall');
    expect(kept).not.toHaveProperty('within');
  });

  it('show points of a time, and leave out what is excluded', async () => {
    const { characteristic, measurements } = await sampled(PARTS, [1, 9, 2, 3], 10);
    const shown = await seriesOf(characteristic, `?shownFrom=${timeOf(2)}&exclude={${measurements[1]}}`);
    expect(shown.countChart!.rate).toBeCloseTo(0.2, 12);
    expect(shown.countChart!.points.map(({ index, count }) => [index, count])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it.each([
    [
      'chart=individuals',
      'Parameter chart: The characteristic counts (attribute 12004), so individuals does not fit it. Leave out chart, or give one of p, np, c, u, laneyP.',
    ],
    ['chart=ewma', /^Parameter chart: The characteristic counts/],
    ['subgroup=5', 'Parameter subgroup: The characteristic counts (attribute 12004), so each measurement is a sample. Leave out subgroup.'],
    ['subgroupBy=14', /^Parameter subgroupBy: The characteristic counts/],
    ['sigma=pooled', /^Parameter sigma: The characteristic counts/],
    ['model=normal', 'Parameter model: The characteristic counts (attribute 12004), so no model is fitted. Leave out model.'],
  ])('refuse %s', async (query, message) => {
    const { characteristic } = await sampled(PARTS, [1]);
    for (const kind of ['summary', 'series']) {
      const refused = messageOf(await client.get(`characteristics/${characteristic}/${kind}?${query}`).expect(400));
      if (typeof message === 'string') expect(refused).toBe(message);
      else expect(refused).toMatch(message);
    }
    if (query.startsWith('model')) await client.get(`characteristics/${characteristic}/groups?by=14&${query}`).expect(400);
  });
  it('are those with the attribute; others refuse charts of counts', async () => {
    for (const attributes of [{}, { 12004: '0' }]) {
      const { characteristic } = await client.measured(attributes, [1, 2]);
      expect(messageOf(await client.get(`characteristics/${characteristic}/series?chart=p`).expect(400))).toBe(
        'Parameter chart: The chart p is one of characteristics that count, whose attribute 12004 is 1, 5 or 6. Leave out chart, or give individuals.',
      );
    }
  });
});
