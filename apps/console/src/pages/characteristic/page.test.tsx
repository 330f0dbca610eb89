import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  CHARACTERISTIC_UUID,
  countSeriesAnswer,
  countSummaryAnswer,
  evaluationAnswer,
  PART_UUID,
  seriesAnswer,
  summaryAnswer,
} from '../../testing/analysis-answers.fixture';
import { withElementWidth } from '../../testing/element-size.fixture';
import { refusal } from '../../testing/fake-server.fixture';
import { spokenEvents } from '../../testing/live.fixture';
import { renderPage } from '../../testing/render.fixture';
import { ADDRESS, ANALYSIS, server } from './page-server.fixture';

withElementWidth(1152);

const MEASUREMENT_UUID = '91ab4d20-0000-4000-8000-000000000012';

const individuals = () => screen.findByRole('application', { name: /^Individuals/ });

describe('the page of a characteristic', () => {
  it('answers the three questions in words', async () => {
    await renderPage(ADDRESS, { server: server() });
    expect(await screen.findByText(/^a point is too far out, first on /)).toBeDefined();
    expect(screen.getByText('Nearly')).toBeDefined();
    expect(screen.getByText('No, Ppk 0.94')).toBeDefined();
  });
  it('says since when a process has a step, and that its index promises nothing', async () => {
    const since = {
      kind: 'step' as const,
      on: 'location' as const,
      time: '2026-09-10T08:00:00.000Z',
      measurementUuid: '',
      from: 20,
      to: 20.012,
    };
    const summary = summaryAnswer();
    const assessment = { ...summary.assessment, since, capable: 'notStable' as const };
    await renderPage(ADDRESS, { server: server({ [`${ANALYSIS}/summary`]: () => ({ ...summary, assessment }) }) });
    expect(await screen.findByText('No, a step')).toBeDefined();
    expect(screen.getByText(/^the mean went from 20\.0000 to 20\.0120 on /)).toBeDefined();
    expect(screen.getByText('Ppk 0.94, but not stable')).toBeDefined();
  });
  it('says that points beyond the limits are what chance makes', async () => {
    const { assessment, ...summary } = summaryAnswer();
    const { since: _since, reasons: _reasons, ...others } = assessment;
    const answer = { ...summary, assessment: { ...others, stable: 'nearly', normal: 'yes' } };
    await renderPage(ADDRESS, { server: server({ [`${ANALYSIS}/summary`]: () => answer }) });
    expect(await screen.findByText('Nearly')).toBeDefined();
  });
  it('answers them in German', async () => {
    await renderPage(ADDRESS, { server: server(), language: 'de' });
    expect(await screen.findByText('Nein, Ppk 0,94')).toBeDefined();
  });
  it('draws six panes', async () => {
    await renderPage(ADDRESS, { server: server() });
    await individuals();
    for (const name of ['Individuals', 'Histogram', 'Normal probability', 'Moving range', 'Newest 25', 'Capability']) {
      expect(screen.getByRole('heading', { level: 2, name })).toBeDefined();
    }
  });
  it('reads out the point at the cursor', async () => {
    await renderPage(ADDRESS, { server: server() });
    (await individuals()).focus();
    await userEvent.keyboard('{End}');
    expect(screen.getByText(/20\.053 mm.*above tolerance, rule 1/).getAttribute('aria-live')).toBe('polite');
  });
  it('goes from marked point to marked point', async () => {
    await renderPage(ADDRESS, { server: server() });
    (await individuals()).focus();
    await userEvent.keyboard('{Home}n');
    expect(screen.getByText(/rule 2/, { selector: 'p' }).getAttribute('aria-live')).toBe('polite');
  });
  it('draws the beginning of a stage with its reason', async () => {
    const series = seriesAnswer();
    const chart = series.chart!;
    const stages = [
      { kind: 'computed', offset: 0, count: 30, chart },
      { kind: 'computed', from: '2026-03-02T08:30:00.000Z', reason: 'new fixture', offset: 30, count: 10, chart },
    ];
    await renderPage(ADDRESS, { server: server({ [`${ANALYSIS}/series`]: () => ({ ...series, stages }) }) });
    (await individuals()).focus();
    expect(screen.getAllByText(/^stage from .*: new fixture$/, { selector: 'title' }).length).toBeGreaterThan(0);
    await userEvent.keyboard('{End}{Shift>}{ArrowLeft}{/Shift}{ArrowRight}');
    expect(screen.getByText(/, stage from .*: new fixture/, { selector: 'p' }).getAttribute('aria-live')).toBe('polite');
  });
  it('compares the last stage in view with its own centre line', async () => {
    const series = seriesAnswer();
    const values = series.values!.map((point, i) => (i < 30 ? { ...point, value: 19.9 } : point));
    const stages = [
      { kind: 'computed', offset: 0, count: 30 },
      { kind: 'computed', from: '2026-03-02T08:30:00.000Z', offset: 30, count: 10, chart: series.chart! },
    ];
    await renderPage(`${ADDRESS}/chart`, { server: server({ [`${ANALYSIS}/series`]: () => ({ ...series, values, stages }) }) });
    expect(await screen.findByText('As the baseline')).toBeDefined();
  });
  it.each([
    ['', 'p, Gap left'],
    ['/chart', 'p, Gap left'],
  ])('shows the chart and the rate of counts in place of an index (%s)', async (below, label) => {
    const answers = {
      [`${ANALYSIS}/summary`]: () => countSummaryAnswer(),
      [`${ANALYSIS}/series`]: () => countSeriesAnswer(),
    };
    await renderPage(`${ADDRESS}${below}`, { server: server(answers) });
    (await screen.findByRole('application', { name: label })).focus();
    expect(screen.getByText('22,500 ppm')).toBeDefined();
    expect(screen.getByText(/^95\s% interval from 18,100 to 27,600; 90 of 4,000$/)).toBeDefined();
    expect(screen.queryByText(/Ppk/)).toBeNull();
    expect(screen.queryByText(/Moving range/)).toBeNull();
    expect(screen.getByRole('img', { name: 'p chart of Gap left, 40 samples' })).toBeDefined();
  });
  it('reads out a sample that counts', async () => {
    const answers = {
      [`${ANALYSIS}/summary`]: () => countSummaryAnswer(),
      [`${ANALYSIS}/series`]: () => countSeriesAnswer(),
    };
    await renderPage(ADDRESS, { server: server(answers) });
    const chart = await screen.findByRole('application', { name: 'p, Gap left' });
    expect(chart.textContent).toMatch(/\d\d:\d\d/);
    chart.focus();
    await userEvent.keyboard('{End}');
    expect(screen.getByText(/^0\.0900, .*9 of 100, rule 1/).getAttribute('aria-live')).toBe('polite');
  });
  it('keeps the stretch in view in the address', async () => {
    const { router } = await renderPage(ADDRESS, { server: server() });
    (await individuals()).focus();
    await userEvent.keyboard('{Home}+');
    await waitFor(() => expect(router.state.location.search).toMatchObject({ viewTo: expect.any(String) as unknown }));
  });
  it('leaves out a point with a reason, by the address', async () => {
    const { router, server: asked } = await renderPage(ADDRESS, { server: server() });
    (await individuals()).focus();
    await userEvent.keyboard('{End}x');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'weld spatter');
    await userEvent.click(screen.getByRole('button', { name: 'Exclude' }));
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ exclude: '91ab4d20-0000-4000-8000-000000000039:weld%20spatter' }),
    );
    await waitFor(() => expect(asked.requests.some((request) => request.includes('/summary') && request.includes('exclude'))).toBe(true));
  });
  it('leaves out a point for everybody, on top of what somebody else has just left out', async () => {
    const theirs = { measurementUuid: MEASUREMENT_UUID, reason: 'dropped', time: '2026-03-02T09:00:00.000Z' };
    const sent: unknown[] = [];
    const answers = server({
      'GET /dataServiceRest/permissions': () => ({
        userName: '',
        partRights: { 'plan:write': ['/'], 'plan:read': ['/'] },
        serverRights: [],
      }),
      [`PUT ${ANALYSIS.slice(4)}/evaluation`]: () => {
        answers.answer(`${ANALYSIS}/evaluation`, () => evaluationAnswer({ own: { exclusions: [theirs] } }));
        answers.answer(`PUT ${ANALYSIS.slice(4)}/evaluation`, ({ body }) => void sent.push(body));
        return refusal(412, 'PreconditionFailed', 'Changed meanwhile.');
      },
    });
    await renderPage(ADDRESS, { server: answers });
    (await individuals()).focus();
    await userEvent.keyboard('{End}x');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'weld spatter');
    await userEvent.click(screen.getByRole('button', { name: 'Exclude' }));
    const mine = { measurementUuid: '91ab4d20-0000-4000-8000-000000000039', reason: 'weld spatter' };
    await waitFor(() => expect(sent).toEqual([{ exclusions: [theirs, mine], reason: 'weld spatter' }]));
  });
  it('leaves out one value of a subgroup', async () => {
    const means = { ...summaryAnswer().chart!, type: 'xbarR' as const, subgroupSize: 2 };
    const subgroups = [20, 20.01, 20.02].map((mean, i) => ({
      time: `2026-03-02T08:0${i}:00.000Z`,
      mean,
      variation: 0.01,
      count: 2,
      measurementUuids: [MEASUREMENT_UUID, CHARACTERISTIC_UUID],
    }));
    const { values: _, ...series } = seriesAnswer();
    const answers = server({
      [`${ANALYSIS}/evaluation`]: () => evaluationAnswer({ subgroups: { size: 2 }, chart: 'xbarR' }),
      [`${ANALYSIS}/summary`]: () => ({ ...summaryAnswer(), chart: means }),
      [`${ANALYSIS}/series`]: () => ({ ...series, chart: means, subgroups, ruleHits: [] }),
      'GET /dataServiceRest/values': () => [
        { uuid: MEASUREMENT_UUID, partUuid: PART_UUID, attributes: {}, characteristics: { [CHARACTERISTIC_UUID]: { 1: '20.03' } } },
      ],
    });
    const { router } = await renderPage(`${ADDRESS}/chart`, { server: answers });
    (await screen.findByRole('application', { name: /^Means/ })).focus();
    await userEvent.keyboard('{End}');
    await userEvent.click(await screen.findByRole('button', { name: /^Exclude 20\.03/ }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'spatter');
    await userEvent.click(screen.getByRole('button', { name: 'Exclude' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ exclude: `${MEASUREMENT_UUID}:spatter` }));
  });
  it('asks with the parameters of the address', async () => {
    const { server: asked } = await renderPage(`${ADDRESS}?newest=500&rules=nelson1`, { server: server() });
    await individuals();
    const summary = asked.requests.find((request) => request.includes('/summary')) ?? '';
    expect(summary).toContain('limitResult=500');
    expect(decodeURIComponent(summary)).toContain('rules={nelson1}');
  });
  it('leaves rules, chart and limits to the evaluation, and shows what it says', async () => {
    const stages = [{ from: '2026-03-01T08:00:00.000Z', limits: { kind: 'given' as const, centerLine: 20, sigma: 0.01 } }];
    const { server: asked } = await renderPage(ADDRESS, {
      server: server({ [`${ANALYSIS}/evaluation`]: () => evaluationAnswer({ stages, subgroups: { size: 4 }, chart: 'xbarS' }) }),
    });
    expect(await screen.findByRole('button', { name: /^Rules.*Nelson 1, 2 \(7\)/ })).toBeDefined();
    expect(screen.getByRole('button', { name: /^Chart.*X̄ and s, of 4/ })).toBeDefined();
    expect(screen.getByRole('button', { name: /^Limits from.*as given/ })).toBeDefined();
    const [summary = ''] = asked.requests.filter((request) => request.includes('/summary'));
    expect(summary).toMatch(/\/summary$/);
  });
  it('says what each rule means, with the length that the evaluation gives it', async () => {
    const { router } = await renderPage(ADDRESS, { server: server() });
    await userEvent.click(await screen.findByRole('button', { name: /^Rules.*Nelson 1, 2 \(7\)/ }));
    expect(await screen.findByRole('checkbox', { name: /^Nelson 2\s*7 points in a row on one side/, checked: true })).toBeDefined();
    await userEvent.click(screen.getByRole('checkbox', { name: /^Nelson 5\s*2 of 3 points beyond 2σ/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ rules: 'nelson1,nelson2:7,nelson5' }));
  });
  it('returns to the evaluation from what was chosen', async () => {
    const { router } = await renderPage(`${ADDRESS}?newest=500&rules=nelson1&by=10&baselineFrom=2026-03-02T08:00:00Z`, {
      server: server(),
    });
    await individuals();
    await userEvent.click(screen.getByRole('button', { name: 'As the evaluation' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ newest: 500 }));
  });
  it('offers subgroups by an attribute of measurements', async () => {
    const { router } = await renderPage(ADDRESS, {
      server: server({
        'GET /dataServiceRest/configuration': () => ({
          partAttributes: [],
          characteristicAttributes: [],
          measurementAttributes: [
            { definitionType: 'AttributeDefinition', key: 9000, description: 'Lot', type: 'AlphaNumeric', length: 20 },
          ],
          valueAttributes: [],
          catalogAttributes: [],
          versioningType: 'Off',
        }),
        'GET /dataServiceRest/catalogs': () => [],
      }),
    });
    await individuals();
    await userEvent.click(screen.getByRole('button', { name: /^Chart/ }));
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'subgroups' }), 'same Lot');
    await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ by: 9000, chart: 'xbarR' }));
  });
  it('marks what everybody leaves out, which the address does not name', async () => {
    const exclusions = [{ measurementUuid: MEASUREMENT_UUID, reason: 'dropped part', time: '2026-03-02T09:00:00.000Z' }];
    await renderPage(ADDRESS, {
      server: server({
        [`${ANALYSIS}/evaluation`]: () => evaluationAnswer({ exclusions }),
        'GET /dataServiceRest/values': () => [
          {
            uuid: MEASUREMENT_UUID,
            partUuid: PART_UUID,
            attributes: { 4: '2026-03-02T08:10:30.000Z' },
            characteristics: { [CHARACTERISTIC_UUID]: { 1: '20.03' } },
          },
        ],
      }),
    });
    expect(await screen.findByText('excluded: dropped part')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: /^Excluded/ }));
    expect(await screen.findByText('for everybody')).toBeDefined();
  });
  it('draws a chart that remembers earlier points in the place of the moving ranges', async () => {
    const points = [20, 20.01, 20.05].map((value, i) => ({
      time: `2026-03-02T08:0${i}:00.000Z`,
      measurementUuid: MEASUREMENT_UUID,
      value,
      lower: 19.98,
      upper: 20.02,
      isBeyond: value > 20.02,
    }));
    const memory = { type: 'ewma' as const, target: 20, sigma: 0.01, lambda: 0.2, width: 3, points };
    await renderPage(`${ADDRESS}?chart=ewma`, { server: server({ [`${ANALYSIS}/series`]: () => ({ ...seriesAnswer(), memory }) }) });
    expect(await screen.findByRole('img', { name: 'EWMA chart of Gap left, 3 points' })).toBeDefined();
    expect(screen.getByText('λ 0.2, limits at 3 σ, newest 3 points')).toBeDefined();
    expect(screen.queryByRole('heading', { level: 2, name: 'Moving range' })).toBeNull();
  });
  it('draws means where the evaluation makes subgroups', async () => {
    const { chart, ...summary } = summaryAnswer();
    const means = { ...chart!, type: 'xbarR' as const, subgroupSize: 4, sigmaMethod: 'rbar' as const };
    const subgroups = [20, 20.01, 20.02].map((mean, i) => ({
      time: `2026-03-02T08:0${i}:00.000Z`,
      mean,
      variation: 0.01,
      count: 4,
      measurementUuids: [MEASUREMENT_UUID],
    }));
    const { values: _, ...series } = seriesAnswer();
    await renderPage(ADDRESS, {
      server: server({
        [`${ANALYSIS}/evaluation`]: () => evaluationAnswer({ subgroups: { size: 4 }, chart: 'xbarR' }),
        [`${ANALYSIS}/summary`]: () => ({ ...summary, chart: means }),
        [`${ANALYSIS}/series`]: () => ({ ...series, chart: means, subgroups, ruleHits: [] }),
      }),
    });
    expect(await screen.findByRole('application', { name: /^Means/ })).toBeDefined();
    for (const name of ['Means', 'Ranges']) expect(screen.getByRole('heading', { level: 2, name })).toBeDefined();
    expect(screen.getByText(/^of 4, limits 19\.9740 … 20\.0450/)).toBeDefined();
  });
  it('lists the models that were compared, the normal indices and the tolerance interval', async () => {
    const { capability, ...summary } = summaryAnswer();
    const index = { name: 'Ppk', value: 1.11, lower: 0.98, upper: 1.26 };
    const model = {
      name: 'weibull' as const,
      chosenBy: 'auto' as const,
      parameters: { scale: 0.02, shape: 1.6, threshold: 0 },
      logLikelihood: 512,
      aicc: -1020.5,
      percentiles: { low: 0, median: 0.01, high: 0.05 },
      pk: index,
      candidates: [
        { name: 'weibull' as const, aicc: -1020.5, pk: 1.11 },
        { name: 'gamma' as const, aicc: -1019.1, pk: 1.08 },
      ],
    };
    const bounds = { factor: 2.8, lower: 19.96, upper: 20.04 };
    const toleranceInterval = { content: 0.99, confidence: 0.95, twoSided: bounds, oneSided: bounds };
    const answer = { ...summary, toleranceInterval, capability: { ...capability!, pk: { ...index, from: 'model' as const }, model } };
    await renderPage(ADDRESS, { server: server({ [`${ANALYSIS}/summary`]: () => answer }) });
    expect(await screen.findByRole('row', { name: 'gamma −1,019.1 1.08' })).toBeDefined();
    expect(screen.getByText('Ppk normal')).toBeDefined();
    expect(screen.getByText(/^99\s% of all values, with 95\s% confidence/)).toBeDefined();
    expect(screen.getByRole('row', { name: 'between 19.9600 20.0400' })).toBeDefined();
  });
  it.each([
    ['a range', 'Range', { from: '2026-03-02T08:00:30.250Z', to: '2026-03-02T08:30:12.001Z' }],
    ['frozen limits', 'Limits from', { baselineFrom: '2026-03-02T08:00:30.250Z', baselineTo: '2026-03-02T08:30:12.001Z' }],
  ])('keeps the times of %s exact when they are applied again', async (_, choice, times) => {
    const { router } = await renderPage(`${ADDRESS}?${new URLSearchParams(times).toString()}`, { server: server() });
    await individuals();
    await userEvent.click(screen.getByRole('button', { name: new RegExp(`^${choice}`) }));
    await userEvent.click(await screen.findByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull());
    expect(router.state.location.search).toEqual(times);
  });
  it('prints the names of the path as they are', async () => {
    const summary = { ...summaryAnswer(), path: String.raw`PPC:/Car door/Frame 1\/2/Gap left/` };
    await renderPage(ADDRESS, { server: server({ [`${ANALYSIS}/summary`]: () => summary }) });
    expect(await screen.findByText(/^Car door \/ Frame 1\/2 \/ Gap left,/)).toBeDefined();
  });
  it('says what failed in one pane, and keeps the others', async () => {
    await renderPage(ADDRESS, {
      server: server({ [`${ANALYSIS}/probability`]: () => refusal(400, 'InvalidRequest', 'There are too many values.') }),
    });
    expect(await screen.findByText('There are too many values.')).toBeDefined();
    expect(await individuals()).toBeDefined();
  });
  it('says what to do where there are no values', async () => {
    const { minimum: _, maximum: __, ...rest } = summaryAnswer();
    await renderPage(ADDRESS, { server: server({ [`${ANALYSIS}/summary`]: () => ({ ...rest, count: 0 }) }) });
    expect(await screen.findByText('There are no values yet.')).toBeDefined();
  });
});

const META = { id: 'e-1', time: '2026-03-02T09:00:00.000Z', sequence: '1' };

describe.each([
  [
    'the overview',
    `${ADDRESS}?viewFrom=2026-03-02T08:00:00.000Z`,
    /^time,value,status,measurementUuid\r\n2026-03-02T08:00:00\.000Z,20,inLimits,/,
  ],
  [
    'the chart of means',
    `${ADDRESS}/chart?viewFrom=2026-03-02T08:00:00.000Z`,
    /^time,mean,variation\r\n2026-03-02T08:00:00\.000Z,20,\r\n2026-03-02T08:01:00\.000Z,20\.008,0\.007/,
  ],
])('the toolbar of %s', (_, address, table) => {
  it('saves what is in view as CSV', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (content) => `#${saved.push(content as Blob)}`;
    await renderPage(address, { server: server() });
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Table as CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(await saved[0]?.text()).toMatch(table);
  });
  it('zooms into the middle', async () => {
    const { router } = await renderPage(address, { server: server() });
    await userEvent.click(await screen.findByRole('button', { name: 'Zoom in' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ viewTo: expect.any(String) as unknown }));
  });
  it('says that a value has come, and reads it', async () => {
    const { live, happens } = spokenEvents();
    const { server: asked } = await renderPage(address, { server: server(), live });
    await screen.findByRole('button', { name: 'Export' });
    act(() =>
      happens('MeasurementCreated', { PartUuid: PART_UUID, CharacteristicUuid: PART_UUID, MeasurementUuid: CHARACTERISTIC_UUID }, META),
    );
    const newValue = await screen.findByRole('button', { name: '1 new value' });
    const before = asked.requests.length;
    await userEvent.click(newValue);
    await waitFor(() => expect(asked.requests.length).toBeGreaterThan(before));
    expect(screen.queryByRole('button', { name: '1 new value' })).toBeNull();
  });
});
