import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import { comparedOf, type Compared } from '../comparison/compared.ts';
import { countRuler, limitLines, meanLines, stageLimits } from '../control/limit-lines.ts';
import { counts, means } from '../control/means.ts';
import type { ExcludedValue } from '../control/measured.ts';
import { memory } from '../control/memory.ts';
import { overview } from '../control/overview.ts';
import { rulerOf, type LimitLine, type Ruler } from '../control/ruler.ts';
import { runRules } from '../control/run-rules.ts';
import { shownMemory } from '../control/shown-memory.ts';
import { shownSeries, type ShownSeries } from '../control/shown-series.ts';
import { variation } from '../control/variation.ts';
import { histogram } from '../distribution/histogram.ts';
import type { Drawing } from '../drawing/shapes.ts';
import { OTHERS, SLOTS } from '../groups/group-shapes.ts';
import { localeOf, type Locale } from '../language/texts.ts';
import { type SpectrumGroup } from '../small/spectrum.ts';
import { texts } from '../texts.ts';
import { CASES } from './cases.fixture.ts';
import { decimalsFor, memoryOf, seriesOf, summaryOf, type MeasuredCharacteristic } from './measured-characteristic.fixture.ts';

/** Dates of the year of the data are written without it. */
export const EN = localeOf('en', () => new Date(Date.UTC(2026, 11, 1)));
export const DE = localeOf('de', () => new Date(Date.UTC(2026, 11, 1)));

type Statuses = SpectrumGroup['statuses'];
export const WITHOUT_LIMITS: Statuses = Array.from({ length: 20 }, () => 'noLimits');

/** Forces in newtons, of seven digits and three decimal places. */
export const LONG_NUMBERS: MeasuredCharacteristic = {
  ...CASES.usual,
  limits: { nominal: 1_234_567, lowerTolerance: 1_234_566.95, upperTolerance: 1_234_567.05 },
  values: CASES.usual.values.map((value) => Number((value + 1_234_547).toFixed(3))),
};

export const PLOT = 420;
export const HEIGHT = 240;

/** Draws the characteristics of single values. */
export function ofValues(draw: (drawn: MeasuredCharacteristic) => Drawing | undefined): Record<string, Drawing | undefined> {
  const { buckets: _, ...cases } = CASES;
  return Object.fromEntries(Object.entries(cases).map(([name, drawn]) => [name, draw(drawn)]));
}

/** Draws also the characteristic whose values are sent in buckets. */
export function ofSeries(draw: (drawn: MeasuredCharacteristic) => Drawing | undefined): Record<string, Drawing | undefined> {
  return { ...ofValues(draw), buckets: draw(CASES.buckets) };
}

/** Draws characteristics by their newest 32 values, as the server sends them. */
export function ofNewest(draw: (drawn: MeasuredCharacteristic) => Drawing | undefined): Record<string, Drawing | undefined> {
  const { '2000-points': _, ...cases } = ofValues((drawn) => draw({ ...drawn, values: drawn.values.slice(-32) }));
  return cases;
}

function asOneStage(series: CharacteristicSeries): CharacteristicSeries {
  return series;
}

export function drawnOf(drawn: MeasuredCharacteristic, kind: 'values' | 'subgroups' = 'values', staged = asOneStage) {
  const series = staged(seriesOf(drawn, kind));
  return { shown: shownSeries(series, drawn.limits), chart: series.chart };
}

export function individualsOf(drawn: MeasuredCharacteristic, staged = asOneStage) {
  return { name: drawn.name, shown: drawnOf(drawn, 'values', staged).shown, ruler: valueRulerOf(drawn), plot: PLOT, height: HEIGHT };
}

/** Points of nine groups in turn, of which the last two have no colour of their own. */
export function inGroups(shown: ShownSeries): { shown: ShownSeries } {
  const slots = Array.from({ length: SLOTS + 2 }, (_, group) => Math.min(group, OTHERS));
  return { shown: { ...shown, slots, entries: shown.entries.map((entry, i) => ({ ...entry, group: i % slots.length })) } };
}

export function variationOf(drawn: MeasuredCharacteristic, staged = asOneStage): Drawing | undefined {
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

export function runRulesOf(drawn: MeasuredCharacteristic, locale: Locale): Drawing {
  const rules = ['nelson1', 'nelson2', 'westernElectric1'];
  return runRules({ shown: drawnOf(drawn).shown, rules, plot: PLOT, hasCounts: true }, locale);
}

export function countsOf(series: CharacteristicSeries, excluded: readonly ExcludedValue[] = []): Drawing | undefined {
  const shown = shownSeries(series, {});
  const ruler = countRuler(shown, texts.en, [8, HEIGHT - 22]);
  return counts({ name: 'Scratches', chart: 'p', hasDates: true, shown, excluded, ruler, plot: PLOT, height: HEIGHT }, EN);
}

export function meansOf(
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

export function histogramOf(drawn: MeasuredCharacteristic, members: Partial<CharacteristicSummary> = {}): Drawing | undefined {
  const summary = { ...summaryOf(drawn), ...members };
  return histogram({ summary, ruler: valueRulerOf(drawn), plot: 164, height: HEIGHT, hasAxis: true }, EN);
}

/** Draws a chart that remembers earlier points, of all characteristics. */
export function ofMemory(type: 'ewma' | 'cusum'): Record<string, Drawing | undefined> {
  const cases = Object.entries(ofValues((drawn) => memoryDrawing(drawn, type)));
  return Object.fromEntries(cases.map(([name, drawn]) => [`${type}-${name}`, drawn]));
}

export function memoryDrawing(drawn: MeasuredCharacteristic, type: 'ewma' | 'cusum', staged = asOneStage): Drawing {
  const series = staged(seriesOf(drawn));
  const values = drawn.values.slice(series.stages?.at(-1)?.offset ?? 0);
  const shown = shownMemory(memoryOf({ ...drawn, values }, type), {}, series);
  return memory({ name: drawn.name, shown, decimals: decimalsFor(drawn), plot: PLOT, height: HEIGHT, labels: 'full' }, EN);
}

export function overviewOf(
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
export function valueRulerOf(drawn: MeasuredCharacteristic): Ruler {
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
export function pairOf(drawn: MeasuredCharacteristic): readonly [Compared, Compared] {
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

export function neighbourOf(drawn: MeasuredCharacteristic): MeasuredCharacteristic {
  const decimals = decimalsFor(drawn);
  const values = drawn.values.map((value, i) => Number(((value + (drawn.values[i - 1] ?? value)) / 2 - 0.01).toFixed(decimals)));
  return { ...drawn, name: `${drawn.name}, below`, values };
}

export function groupsOf(...groups: readonly (readonly [name: string, count: number])[]): SpectrumGroup[] {
  return groups.map(([name, count]) => ({ name, statuses: statusesOf(count) }));
}

/** Mostly in limits, with a few of each other status. */
export function statusesOf(count: number): Statuses {
  return Array.from({ length: count }, (_, i) => {
    if (i % 23 === 7) return 'outOfTolerance';
    if (i % 11 === 4) return 'inWarning';
    return i % 17 === 9 ? 'noData' : 'inLimits';
  });
}
