import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import { indices } from '../capability/indices.ts';
import { spans } from '../capability/spans.ts';
import { boxes } from '../comparison/boxes.ts';
import { comparedOf, type Compared } from '../comparison/compared.ts';
import { course } from '../comparison/course.ts';
import { scatter } from '../comparison/scatter.ts';
import { individuals } from '../control/individuals.ts';
import { countRuler, limitLines, meanLines, stageLimits } from '../control/limit-lines.ts';
import { counts, means } from '../control/means.ts';
import type { ExcludedValue } from '../control/measured.ts';
import { memory } from '../control/memory.ts';
import { newest } from '../control/newest.ts';
import { overview } from '../control/overview.ts';
import { rulerOf, type LimitLine, type Ruler } from '../control/ruler.ts';
import { runRules } from '../control/run-rules.ts';
import { shownMemory } from '../control/shown-memory.ts';
import { shownSeries, type ShownSeries } from '../control/shown-series.ts';
import { variation } from '../control/variation.ts';
import { histogram } from '../distribution/histogram.ts';
import { probability } from '../distribution/probability.ts';
import type { Drawing } from '../drawing/shapes.ts';
import { statusOf } from '../drawing/value-status.ts';
import { groupBox } from '../groups/group-box.ts';
import { OTHERS, SLOTS } from '../groups/group-shapes.ts';
import { localeOf, type Locale } from '../language/texts.ts';
import { deviationBar } from '../small/deviation-bar.ts';
import { indexDot } from '../small/index-dot.ts';
import { rateChart } from '../small/rate-chart.ts';
import { smallMultiple, sparkline } from '../small/sparkline.ts';
import { spectrum, strip, type SpectrumGroup } from '../small/spectrum.ts';
import { texts } from '../texts.ts';
import { CASES } from './cases.fixture.ts';
import {
  correlationOf,
  countSeriesOf,
  decimalsFor,
  inStages,
  memoryOf,
  probabilityOf,
  seriesOf,
  summaryOf,
  weibullOf,
  type MeasuredCharacteristic,
} from './measured-characteristic.fixture.ts';

/** Dates of the year of the data are written without it. */
const EN = localeOf('en', () => new Date(Date.UTC(2026, 11, 1)));
const DE = localeOf('de', () => new Date(Date.UTC(2026, 11, 1)));

type Statuses = SpectrumGroup['statuses'];
const WITHOUT_LIMITS: Statuses = Array.from({ length: 20 }, () => 'noLimits');

/** A chart, with what it draws by the name of each case. */
export interface SnapshotChart {
  cases: Readonly<Record<string, Drawing | undefined>>;
  /** Style sheet of its own beside that of all charts, below `src`. */
  sheet?: string;
}

/** Forces in newtons, of seven digits and three decimal places. */
const LONG_NUMBERS: MeasuredCharacteristic = {
  ...CASES.usual,
  limits: { nominal: 1_234_567, lowerTolerance: 1_234_566.95, upperTolerance: 1_234_567.05 },
  values: CASES.usual.values.map((value) => Number((value + 1_234_547).toFixed(3))),
};

const PLOT = 420;
const HEIGHT = 240;

/** All charts of the console. */
export const CHARTS: Readonly<Record<string, SnapshotChart>> = {
  individuals: {
    cases: {
      ...ofSeries((drawn) => individuals({ ...individualsOf(drawn), labels: 'full' }, EN)),
      german: individuals({ ...individualsOf(CASES.usual), labels: 'full' }, DE),
      groups: individuals({ ...individualsOf(CASES.usual), ...inGroups(drawnOf(CASES.usual).shown), labels: 'full' }, EN),
      'long-numbers': individuals({ ...individualsOf(LONG_NUMBERS), labels: 'full' }, EN),
      excluded: individuals(
        {
          ...individualsOf(CASES.usual),
          labels: 'short',
          excluded: [
            { position: 12, value: 20.044, reason: '' },
            { position: 30, value: 20.3, reason: 'weld spatter on the probe' },
          ],
        },
        EN,
      ),
      stages: individuals({ ...individualsOf(CASES.usual, inStages), labels: 'full' }, EN),
      'buckets-in-stages': individuals({ ...individualsOf(CASES.buckets, inStages), labels: 'full' }, EN),
    },
  },
  counts: {
    cases: {
      usual: countsOf(countSeriesOf(Array.from({ length: 40 }, (_, i) => [200, 200, 350, 80][i % 4]!))),
      'equal-sizes': countsOf(countSeriesOf(Array.from({ length: 40 }, () => 200))),
      '2000-points': countsOf(countSeriesOf(Array.from({ length: 2000 }, (_, i) => 150 + (i % 100)))),
      'one-value': countsOf(countSeriesOf([200])),
      'no-values': countsOf(countSeriesOf([])),
      stages: countsOf(inStages(countSeriesOf(Array.from({ length: 30 }, () => 200)))),
      excluded: countsOf(countSeriesOf(Array.from({ length: 40 }, () => 200)), [
        { position: 12, value: 0.025, reason: 'wrong lot' },
        { position: 30, reason: '' },
      ]),
    },
  },
  means: {
    cases: {
      ...ofValues((drawn) => meansOf(drawn)),
      // Every fourth subgroup has lost two of its five values.
      'unequal-sizes': meansOf(CASES.usual, { sizeAt: (position) => (position % 4 === 3 ? 3 : 5) }),
      stages: meansOf(CASES['2000-points'], { staged: inStages }),
    },
  },
  memory: {
    cases: {
      ...ofMemory('ewma'),
      ...ofMemory('cusum'),
      'ewma-stages': memoryDrawing(CASES.usual, 'ewma', inStages),
      'cusum-stages': memoryDrawing(CASES.usual, 'cusum', inStages),
    },
  },
  newest: {
    cases: ofValues((drawn) => {
      const { newest: values = [], ruleHits } = seriesOf(drawn);
      const broken = new Set(ruleHits.map(({ measurementUuid }) => measurementUuid));
      return newest({ values, broken, ruler: valueRulerOf(drawn), plot: PLOT, height: HEIGHT, labels: 'short' }, EN);
    }),
  },
  overview: {
    cases: {
      ...ofSeries((drawn) => overviewOf(drawn)),
      baseline: overviewOf(CASES['2000-points'], {
        baseline: { start: 100, end: 600 },
        baselineText: 'Limits from 4 Mar to 17 Mar',
      }),
      stages: overviewOf(CASES['2000-points'], undefined, inStages),
    },
  },
  'run-rules': {
    cases: { ...ofSeries((drawn) => runRulesOf(drawn, EN)), german: runRulesOf(CASES.usual, DE) },
  },
  variation: {
    cases: { ...ofSeries((drawn) => variationOf(drawn)), stages: variationOf(CASES.usual, inStages) },
  },
  histogram: {
    cases: {
      ...ofValues((drawn) => histogramOf(drawn)),
      model: histogramOf(CASES.usual, { capability: weibullOf(CASES.usual) }),
    },
  },
  probability: {
    cases: ofValues((drawn) => {
      const { limits } = summaryOf(drawn);
      return probability(
        { plotted: probabilityOf(drawn), limits, ruler: valueRulerOf(drawn), plot: 220, height: HEIGHT, labels: 'full' },
        EN,
      );
    }),
  },
  spans: {
    cases: ofValues((drawn) => spans({ summary: summaryOf(drawn), decimals: decimalsFor(drawn), width: 480 }, EN)),
    sheet: 'charts/capability/capability.module.css',
  },
  indices: {
    cases: {
      ...ofValues((drawn) => {
        const { capability } = summaryOf(drawn);
        return capability && indices({ capability, wanted: 1.33, width: 480 }, EN);
      }),
      model: indices({ capability: weibullOf(CASES.usual), wanted: 1.33, width: 480 }, EN),
    },
    sheet: 'charts/capability/capability.module.css',
  },
  boxes: {
    cases: ofValues((drawn) => boxes({ all: pairOf(drawn), width: 600, height: 214 }, EN)),
    sheet: 'charts/comparison/comparison.module.css',
  },
  course: {
    cases: ofSeries((drawn) => {
      const [first, second] = pairOf(drawn);
      return course({ all: [first, second], chosen: first, width: 360, height: 204, hasAxis: true }, EN);
    }),
  },
  scatter: {
    cases: ofValues((drawn) => {
      const [first, second] = pairOf(drawn);
      const correlation = correlationOf(drawn.values, neighbourOf(drawn).values);
      return scatter({ first, second, correlation, width: 420, height: 360 }, EN);
    }),
  },
  'group-box': {
    cases: ofValues((drawn) => {
      const { box, lowerQuartile, median, upperQuartile, mean, minimum = 0, maximum = 1, limits } = summaryOf(drawn);
      if (box === undefined || lowerQuartile === undefined || median === undefined || upperQuartile === undefined) return undefined;
      const plotted = { ...box, lowerQuartile, median, upperQuartile };
      return groupBox({
        box: plotted,
        mean: mean ?? median,
        limits,
        domain: [minimum, maximum],
        width: 160,
        height: 28,
        label: drawn.name,
      });
    }),
    sheet: 'charts/groups/groups.module.css',
  },
  sparkline: { cases: ofNewest(({ values, limits }) => sparkline({ values, limits }, EN)) },
  'small-multiple': { cases: ofNewest(({ name, values, limits }) => smallMultiple({ name, values, limits }, EN)) },
  'deviation-bar': {
    cases: {
      ...Object.fromEntries(
        Object.entries({ nominal: 20, 'in-limits': 20.021, 'in-warning': 19.957, above: 20.06, 'far-below': -300 }).map(([name, value]) => [
          name,
          deviationBar({ value, limits: CASES.usual.limits, status: statusOf(value, CASES.usual.limits) }, EN),
        ]),
      ),
      'upper-limit': deviationBar({ value: 19.98, limits: CASES['upper-limit'].limits, status: 'inLimits' }, EN),
      'no-limits': deviationBar({ value: 20, limits: {}, status: 'inLimits' }, EN),
    },
  },
  'index-dot': {
    cases: {
      usual: indexDot({ value: 0.94 }, EN),
      'beyond-the-scale': indexDot({ value: 7.3 }, EN),
      negative: indexDot({ value: -0.4, wanted: 1.67 }, EN),
    },
    sheet: 'charts/small/small.module.css',
  },
  spectrum: {
    cases: {
      usual: spectrum({ groups: groupsOf(['Frame', 40], ['Hinge', 12], ['Window', 80]), width: 600 }, EN),
      'long-names': spectrum({ groups: groupsOf([CASES['long-names'].name, 20], [CASES['long-names'].name, 3]), width: 240 }, EN),
      'one-value': spectrum({ groups: [{ name: 'Frame', statuses: ['outOfTolerance'] }], width: 600 }, EN),
      'no-values': spectrum({ groups: [], width: 600 }, EN),
      'no-data': spectrum({ groups: [{ name: 'Frame', statuses: Array.from({ length: 9 }, () => 'noData') }], width: 600 }, EN),
      'no-limits': spectrum({ groups: [{ name: 'Frame', statuses: [...statusesOf(40), ...WITHOUT_LIMITS] }], width: 600 }, EN),
      '2000-points': spectrum({ groups: groupsOf(['Frame', 1900], ['Hinge', 100]), width: 600 }, EN),
    },
    sheet: 'charts/small/small.module.css',
  },
  strip: {
    cases: {
      usual: strip({ statuses: statusesOf(60), width: 244 }, EN),
      'one-value': strip({ statuses: ['inWarning'], width: 244 }, EN),
      'no-values': strip({ statuses: [], width: 244 }, EN),
      'no-limits': strip({ statuses: [...statusesOf(40), ...WITHOUT_LIMITS], width: 244 }, EN),
      '2000-points': strip({ statuses: statusesOf(2000), width: 244 }, EN),
    },
  },
  rate: {
    cases: {
      usual: rateChart({ rates: Array.from({ length: 300 }, (_, i) => (i * 7919) % 5) }, EN),
      many: rateChart({ rates: Array.from({ length: 300 }, (_, i) => ((i * 7919) % 1009) * 12) }, EN),
      'no-values': rateChart({ rates: Array.from({ length: 300 }, () => 0) }, EN),
    },
  },
};

/** Draws the characteristics of single values. */
function ofValues(draw: (drawn: MeasuredCharacteristic) => Drawing | undefined): Record<string, Drawing | undefined> {
  const { buckets: _, ...cases } = CASES;
  return Object.fromEntries(Object.entries(cases).map(([name, drawn]) => [name, draw(drawn)]));
}

/** Draws also the characteristic whose values are sent in buckets. */
function ofSeries(draw: (drawn: MeasuredCharacteristic) => Drawing | undefined): Record<string, Drawing | undefined> {
  return { ...ofValues(draw), buckets: draw(CASES.buckets) };
}

/** Draws characteristics by their newest 32 values, as the server sends them. */
function ofNewest(draw: (drawn: MeasuredCharacteristic) => Drawing | undefined): Record<string, Drawing | undefined> {
  const { '2000-points': _, ...cases } = ofValues((drawn) => draw({ ...drawn, values: drawn.values.slice(-32) }));
  return cases;
}

function asOneStage(series: CharacteristicSeries): CharacteristicSeries {
  return series;
}

function drawnOf(drawn: MeasuredCharacteristic, kind: 'values' | 'subgroups' = 'values', staged = asOneStage) {
  const series = staged(seriesOf(drawn, kind));
  return { shown: shownSeries(series, drawn.limits), chart: series.chart };
}

function individualsOf(drawn: MeasuredCharacteristic, staged = asOneStage) {
  return { name: drawn.name, shown: drawnOf(drawn, 'values', staged).shown, ruler: valueRulerOf(drawn), plot: PLOT, height: HEIGHT };
}

/** Points of nine groups in turn, of which the last two have no colour of their own. */
function inGroups(shown: ShownSeries): { shown: ShownSeries } {
  const slots = Array.from({ length: SLOTS + 2 }, (_, group) => Math.min(group, OTHERS));
  return { shown: { ...shown, slots, entries: shown.entries.map((entry, i) => ({ ...entry, group: i % slots.length })) } };
}

function variationOf(drawn: MeasuredCharacteristic, staged = asOneStage): Drawing | undefined {
  const { shown, chart } = drawnOf(drawn, 'values', staged);
  return variation(
    {
      name: 'Moving range',
      shown,
      decimals: decimalsFor(drawn),
      plot: PLOT,
      height: 120,
      hasLabels: true,
      ...(chart && { limits: chart.variation }),
    },
    EN,
  );
}

function runRulesOf(drawn: MeasuredCharacteristic, locale: Locale): Drawing {
  const rules = ['nelson1', 'nelson2', 'westernElectric1'];
  return runRules({ shown: drawnOf(drawn).shown, rules, plot: PLOT, hasCounts: true }, locale);
}

function countsOf(series: CharacteristicSeries, excluded: readonly ExcludedValue[] = []): Drawing | undefined {
  const shown = shownSeries(series, {});
  const ruler = countRuler(shown, texts.en, [8, HEIGHT - 22]);
  return counts({ name: 'Scratches', chart: 'p', hasDates: true, shown, excluded, ruler, plot: PLOT, height: HEIGHT }, EN);
}

function meansOf(
  drawn: MeasuredCharacteristic,
  { sizeAt = (_position: number): number => 5, staged = asOneStage } = {},
): Drawing | undefined {
  const { shown, chart } = drawnOf(drawn, 'subgroups', staged);
  const lines = meanLines({ ...drawn.limits, sources: {} }, chart, decimalsFor(drawn), texts.en);
  const extremes = extremesOf([...shown.entries.map(({ mean }) => mean), ...stageLimits(shown)]);
  const entries = shown.entries.map((entry) => {
    const size = sizeAt(entry.position);
    if (size === 5 || !chart) return entry;
    const { centerLine, lower, upper } = chart.location;
    const wider = Math.sqrt(5 / size);
    return {
      ...entry,
      limits: { centerLine, lower: centerLine - (centerLine - lower) * wider, upper: centerLine + (upper - centerLine) * wider },
    };
  });
  return means(
    {
      name: drawn.name,
      shown: { ...shown, entries },
      ruler: rulerFor(drawn, lines, extremes),
      subgroups: 'of 5',
      limits: chart?.location,
      plot: PLOT,
      height: HEIGHT,
    },
    EN,
  );
}

function histogramOf(drawn: MeasuredCharacteristic, members: Partial<CharacteristicSummary> = {}): Drawing | undefined {
  const summary = { ...summaryOf(drawn), ...members };
  return histogram({ summary, ruler: valueRulerOf(drawn), plot: 164, height: HEIGHT, hasAxis: true }, EN);
}

/** Draws a chart that remembers earlier points, of all characteristics. */
function ofMemory(type: 'ewma' | 'cusum'): Record<string, Drawing | undefined> {
  const cases = Object.entries(ofValues((drawn) => memoryDrawing(drawn, type)));
  return Object.fromEntries(cases.map(([name, drawn]) => [`${type}-${name}`, drawn]));
}

function memoryDrawing(drawn: MeasuredCharacteristic, type: 'ewma' | 'cusum', staged = asOneStage): Drawing {
  const series = staged(seriesOf(drawn));
  const values = drawn.values.slice(series.stages?.at(-1)?.offset ?? 0);
  const shown = shownMemory(memoryOf({ ...drawn, values }, type), {}, series);
  return memory({ name: drawn.name, shown, decimals: decimalsFor(drawn), plot: PLOT, height: HEIGHT, labels: 'full' }, EN);
}

function overviewOf(
  drawn: MeasuredCharacteristic,
  baseline?: { baseline: { start: number; end: number }; baselineText: string },
  staged = asOneStage,
): Drawing | undefined {
  const { shown } = drawnOf(drawn, 'values', staged);
  const lines = limitLines({ ...drawn.limits, sources: {} }, seriesOf(drawn).chart, decimalsFor(drawn), texts.en);
  return overview(
    {
      shown,
      view: { start: shown.count * 0.7, end: shown.count },
      ...baseline,
      total: ['values', String(shown.count)],
      ruler: (top, bottom) => rulerFor(drawn, lines, extremesOf(drawn.values), [top, bottom]),
      plot: PLOT,
      height: 112,
    },
    EN,
  );
}

/** The axis of single values, with the lines of all limits. */
function valueRulerOf(drawn: MeasuredCharacteristic): Ruler {
  const lines = limitLines({ ...drawn.limits, sources: {} }, seriesOf(drawn).chart, decimalsFor(drawn), texts.en);
  return rulerFor(drawn, lines, extremesOf(drawn.values));
}

function rulerFor(
  drawn: MeasuredCharacteristic,
  lines: readonly LimitLine[],
  extremes: readonly [number, number] | undefined,
  [top, bottom]: readonly [number, number] = [8, HEIGHT - 22],
): Ruler {
  const { nominal } = drawn.limits;
  return rulerOf({ lines, extremes, decimals: decimalsFor(drawn), top, bottom, ...(nominal !== undefined && { nominal }) });
}

function extremesOf(values: readonly number[]): readonly [number, number] | undefined {
  return values.length === 0 ? undefined : [Math.min(...values), Math.max(...values)];
}

/** A characteristic and one that was measured beside it. */
function pairOf(drawn: MeasuredCharacteristic): readonly [Compared, Compared] {
  const compared = (each: MeasuredCharacteristic, uuid: string) =>
    comparedOf({
      uuid,
      name: each.name,
      parentName: 'Car door',
      unit: each.unit,
      decimals: decimalsFor(each),
      summary: summaryOf(each),
      series: seriesOf(each),
    });
  return [compared(drawn, 'first'), compared(neighbourOf(drawn), 'second')];
}

function neighbourOf(drawn: MeasuredCharacteristic): MeasuredCharacteristic {
  const decimals = decimalsFor(drawn);
  const values = drawn.values.map((value, i) => Number(((value + (drawn.values[i - 1] ?? value)) / 2 - 0.01).toFixed(decimals)));
  return { ...drawn, name: `${drawn.name}, below`, values };
}

function groupsOf(...groups: readonly (readonly [name: string, count: number])[]): SpectrumGroup[] {
  return groups.map(([name, count]) => ({ name, statuses: statusesOf(count) }));
}

/** Mostly in limits, with a few of each other status. */
function statusesOf(count: number): Statuses {
  return Array.from({ length: count }, (_, i) => {
    if (i % 23 === 7) return 'outOfTolerance';
    if (i % 11 === 4) return 'inWarning';
    return i % 17 === 9 ? 'noData' : 'inLimits';
  });
}
