import { describe, expect, it } from '@jest/globals';
import type { CharacteristicGroups } from '@sinebar/client';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { countSeriesAnswer, countSummaryAnswer, seriesAnswer } from '../../testing/analysis-answers.fixture';
import { withElementWidth } from '../../testing/element-size.fixture';
import { type FakeServer, refusal } from '../../testing/fake-server.fixture';
import { renderPage } from '../../testing/render.fixture';
import { ADDRESS, ANALYSIS, server as pageServer } from './page-server.fixture';

withElementWidth(1152);

const CATALOG = '0f3e8f6e-3a0c-4a0b-9a44-6f2f6f1a2b11';

const box = { lowerQuartile: 19.99, median: 20, upperQuartile: 20.01, lowerWhisker: 19.97, upperWhisker: 20.03, outliers: [20.053] };
const figures = { minimum: 19.97, maximum: 20.053, outOfTolerance: 1, box };
const GROUPS: CharacteristicGroups = {
  by: 10,
  groups: [
    {
      value: '2',
      text: 'Lathe 2',
      count: 26,
      mean: 20.001,
      standardDeviation: 0.01,
      ...figures,
      pk: { name: 'Ppk', value: 1.12, lower: 0.9, upper: 1.3, from: 'model' },
      model: 'weibull',
    },
    {
      count: 14,
      mean: 20.012,
      standardDeviation: 0.02,
      ...figures,
      pk: { name: 'Ppk', value: 0.8, lower: 0.7, upper: 0.9, from: 'normal' },
    },
  ],
  tests: {
    welch: { statistic: 9, df1: 1, df2: 20, pValue: 0.0004, explained: 0.34 },
    brownForsythe: { statistic: 5, df1: 1, df2: 38, pValue: 0.031 },
  },
};

/** A server whose characteristic can be split by machine. */
function server(answers: Parameters<typeof pageServer>[0] = {}): FakeServer {
  const series = seriesAnswer();
  const grouped = {
    ...series,
    values: series.values!.map((value, i) => ({ ...value, group: i % 3 === 0 ? 1 : 0 })),
    grouped: { by: 10, groups: [{ value: '2', text: 'Lathe 2' }, {}] },
  };
  const attribute = { key: 10, description: 'Machine', catalog: CATALOG, definitionType: 'CatalogAttributeDefinition' };
  return pageServer({
    'GET /dataServiceRest/configuration': () => ({
      partAttributes: [],
      characteristicAttributes: [],
      measurementAttributes: [attribute],
      valueAttributes: [],
      catalogAttributes: [],
      versioningType: 'Off',
    }),
    'GET /dataServiceRest/catalogs': () => [],
    [`${ANALYSIS}/series`]: ({ url }) => (url.searchParams.has('by') ? grouped : series),
    [`${ANALYSIS}/groups`]: () => GROUPS,
    ...answers,
  });
}

describe('a characteristic that is split', () => {
  it('is split by names, and the address keeps it', async () => {
    const { router } = await renderPage(ADDRESS, { server: server() });
    await userEvent.click(await screen.findByRole('button', { name: /^Split by nothing/ }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Machine' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ split: 10 }));
    await screen.findByRole('heading', { name: 'By Machine' });
  });
  it('says what the tests mean, and lists the groups with their index and its model', async () => {
    await renderPage(`${ADDRESS}?split=10`, { server: server() });
    expect(await screen.findByText(/^The means differ \(Welch, p < 0\.001\); the groups explain 34.% of the variance\./)).toBeDefined();
    expect(screen.getByText(/no entry lies 0\.0110 mm above Lathe 2\./)).toBeDefined();
    expect(
      screen.getByText(/The spreads differ \(Brown and Forsythe, p 0\.031\): s of no entry is 2\.0 times that of Lathe 2\./),
    ).toBeDefined();
    const rows = within(screen.getByRole('table', { name: 'By Machine' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'GroupnmeansoutPpkQuartiles, 1.5 box lengths, mean',
      'Lathe 22620.00100.01001Weibull 1.12',
      'no entry1420.01200.020010.80',
    ]);
  });
  it('draws its groups in colours and shapes that the legend names', async () => {
    const { container } = await renderPage(`${ADDRESS}?split=10`, { server: server() });
    const legend = within(await screen.findByRole('list', { name: 'Groups' }));
    expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Lathe 2', 'no entry']);
    await waitFor(() => expect(container.querySelectorAll('.groups')).toHaveLength(1));
    const drawn = [...container.querySelectorAll('.groups path')].map((path) => path.getAttribute('d') ?? '');
    expect(drawn.filter((d) => d !== '')).toHaveLength(2);
  });
  it('shows one group alone', async () => {
    const { router } = await renderPage(`${ADDRESS}?split=10`, { server: server() });
    await userEvent.click(await screen.findByRole('button', { name: 'Show only Lathe 2' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ split: 10, condition: '10In[2]' }));
  });
  it('has the rates of groups that count', async () => {
    const rate = { unit: 'partsPerMillion' as const, lower: 10_000, upper: 30_000, confidence: 0.95, count: 52, size: 2600 };
    const groups = GROUPS.groups.map(({ pk: _pk, model: _model, ...group }, i) => ({
      ...group,
      rate: { ...rate, value: 20_000 * (i + 1) },
    }));
    const answer = { ...GROUPS, groups, tests: { rates: { statistic: 9, df: 1, pValue: 0.003 } } };
    const answers = { [`${ANALYSIS}/summary`]: () => countSummaryAnswer(), [`${ANALYSIS}/series`]: () => countSeriesAnswer() };
    await renderPage(`${ADDRESS}?split=10`, { server: server({ ...answers, [`${ANALYSIS}/groups`]: () => answer }), language: 'de' });
    expect(
      await screen.findByText(/^Die Raten unterscheiden sich \(χ², p 0,003\): am höchsten ist ohne Angabe, am niedrigsten Lathe 2\.$/),
    ).toBeDefined();
    expect(screen.getByText('20.000 ppm')).toBeDefined();
  });
  it('keeps its charts where the plant has no shifts, and says so', async () => {
    const refused = () => refusal(400, 'InvalidRequest', 'Parameter by: The settings of the plant have no shifts.');
    await renderPage(`${ADDRESS}?split=shift`, { server: server({ [`${ANALYSIS}/groups`]: refused }) });
    expect(await screen.findByText(/^This plant has no shifts: /)).toBeDefined();
    expect(await screen.findByRole('application', { name: /^Individuals/ })).toBeDefined();
  });
  it('joins the smallest of many groups, and shows them on demand', async () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ ...GROUPS.groups[0]!, value: String(i), text: `Lathe ${i}`, count: 30 - i }));
    await renderPage(`${ADDRESS}?split=10`, { server: server({ [`${ANALYSIS}/groups`]: () => ({ ...GROUPS, groups: many }) }) });
    expect(await screen.findByText(/^The 7 largest of 9 groups have a colour/)).toBeDefined();
    const table = within(screen.getByRole('table', { name: 'By Machine' }));
    expect(table.getAllByRole('row').at(-1)?.textContent).toMatch(/^2 others45/);
    await userEvent.click(screen.getByRole('button', { name: 'Show all 9 groups' }));
    expect(table.getAllByRole('row')).toHaveLength(10);
  });
});
