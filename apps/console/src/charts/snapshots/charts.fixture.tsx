import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/client';
import type { ReactNode } from 'react';
import { LanguageProvider } from '../../design/language/language';
import { countRuler, limitLines, meanLines, stageLimits } from '../../pages/characteristic/panes/limit-lines';
import { RateChart } from '../../pages/live/rate-chart';
import { Indices } from '../capability/indices';
import { Spans } from '../capability/spans';
import { Boxes } from '../comparison/boxes';
import { comparedOf, type Compared } from '../comparison/compared';
import { Course } from '../comparison/course';
import { Scatter } from '../comparison/scatter';
import { Individuals } from '../control/individuals';
import { Counts, Means } from '../control/means';
import { Memory } from '../control/memory';
import { Newest } from '../control/newest';
import { Overview } from '../control/overview';
import { rulerOf, type LimitLine, type Ruler } from '../control/ruler';
import { RunRules } from '../control/run-rules';
import { shownMemory } from '../control/shown-memory';
import { shownSeries } from '../control/shown-series';
import { Variation } from '../control/variation';
import { Histogram } from '../distribution/histogram';
import { Probability } from '../distribution/probability';
import { DeviationBar } from '../small/deviation-bar';
import { IndexDot } from '../small/index-dot';
import { SmallMultiple, Sparkline } from '../small/sparkline';
import { Spectrum, Strip, type SpectrumGroup } from '../small/spectrum';
import { statusOf } from '../small/value-status';
import { texts } from '../texts';
import { CASES } from './cases.fixture';
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
} from './measured-characteristic.fixture';

type Statuses = SpectrumGroup['statuses'];
const WITHOUT_LIMITS: Statuses = Array.from({ length: 20 }, () => 'noLimits');

/** A chart, with what it draws by the name of each case. */
export interface SnapshotChart {
  cases: Readonly<Record<string, ReactNode>>;
  /** Style sheet of its own beside that of all charts, below `src`. */
  sheet?: string;
}

const PLOT = 420;
const HEIGHT = 240;

/** All charts of the console. */
export const CHARTS: Readonly<Record<string, SnapshotChart>> = {
  individuals: {
    cases: {
      ...ofSeries((drawn) => <Individuals {...individualsOf(drawn)} labels="full" />),
      german: (
        <LanguageProvider language="de">
          <Individuals {...individualsOf(CASES.usual)} labels="full" />
        </LanguageProvider>
      ),
      excluded: (
        <Individuals
          {...individualsOf(CASES.usual)}
          labels="short"
          excluded={[
            { position: 12, value: 20.044, reason: '' },
            { position: 30, value: 20.3, reason: 'weld spatter on the probe' },
          ]}
        />
      ),
      stages: <Individuals {...individualsOf(CASES.usual, inStages)} labels="full" />,
      'buckets-in-stages': <Individuals {...individualsOf(CASES.buckets, inStages)} labels="full" />,
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
    },
  },
  newest: {
    cases: ofValues((drawn) => {
      const { newest = [], ruleHits } = seriesOf(drawn);
      const broken = new Set(ruleHits.map(({ measurementUuid }) => measurementUuid));
      return <Newest values={newest} broken={broken} ruler={valueRulerOf(drawn)} plot={PLOT} height={HEIGHT} labels="short" />;
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
    cases: ofSeries((drawn) => (
      <RunRules shown={drawnOf(drawn).shown} rules={['nelson1', 'nelson2', 'westernElectric1']} plot={PLOT} hasCounts />
    )),
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
      return (
        <Probability plotted={probabilityOf(drawn)} limits={limits} ruler={valueRulerOf(drawn)} plot={220} height={HEIGHT} labels="full" />
      );
    }),
  },
  spans: {
    cases: ofValues((drawn) => <Spans summary={summaryOf(drawn)} decimals={decimalsFor(drawn)} width={480} />),
    sheet: 'charts/capability/capability.module.css',
  },
  indices: {
    cases: {
      ...ofValues((drawn) => {
        const { capability } = summaryOf(drawn);
        return capability && <Indices capability={capability} wanted={1.33} width={480} />;
      }),
      model: <Indices capability={weibullOf(CASES.usual)} wanted={1.33} width={480} />,
    },
    sheet: 'charts/capability/capability.module.css',
  },
  boxes: {
    cases: ofValues((drawn) => <Boxes all={pairOf(drawn)} width={600} height={214} />),
    sheet: 'charts/comparison/comparison.module.css',
  },
  course: {
    cases: ofSeries((drawn) => {
      const [first, second] = pairOf(drawn);
      return <Course all={[first, second]} chosen={first} width={360} height={204} hasAxis />;
    }),
  },
  scatter: {
    cases: ofValues((drawn) => {
      const [first, second] = pairOf(drawn);
      const correlation = correlationOf(drawn.values, neighbourOf(drawn).values);
      return <Scatter first={first} second={second} correlation={correlation} width={420} height={360} />;
    }),
  },
  sparkline: { cases: ofNewest(({ values, limits }) => <Sparkline values={values} limits={limits} />) },
  'small-multiple': { cases: ofNewest(({ name, values, limits }) => <SmallMultiple name={name} values={values} limits={limits} />) },
  'deviation-bar': {
    cases: {
      ...Object.fromEntries(
        Object.entries({ nominal: 20, 'in-limits': 20.021, 'in-warning': 19.957, above: 20.06, 'far-below': -300 }).map(([name, value]) => [
          name,
          <DeviationBar key={name} value={value} limits={CASES.usual.limits} status={statusOf(value, CASES.usual.limits)} />,
        ]),
      ),
      'upper-limit': <DeviationBar value={19.98} limits={CASES['upper-limit'].limits} status="inLimits" />,
      'no-limits': <DeviationBar value={20} limits={{}} status="inLimits" />,
    },
  },
  'index-dot': {
    cases: {
      usual: <IndexDot value={0.94} />,
      'beyond-the-scale': <IndexDot value={7.3} />,
      negative: <IndexDot value={-0.4} wanted={1.67} />,
    },
    sheet: 'charts/small/small.module.css',
  },
  spectrum: {
    cases: {
      usual: <Spectrum groups={groupsOf(['Frame', 40], ['Hinge', 12], ['Window', 80])} width={600} />,
      'long-names': <Spectrum groups={groupsOf([CASES['long-names'].name, 20], [CASES['long-names'].name, 3])} width={240} />,
      'one-value': <Spectrum groups={[{ name: 'Frame', statuses: ['outOfTolerance'] }]} width={600} />,
      'no-values': <Spectrum groups={[]} width={600} />,
      'no-data': <Spectrum groups={[{ name: 'Frame', statuses: Array.from({ length: 9 }, () => 'noData') }]} width={600} />,
      'no-limits': <Spectrum groups={[{ name: 'Frame', statuses: [...statusesOf(40), ...WITHOUT_LIMITS] }]} width={600} />,
      '2000-points': <Spectrum groups={groupsOf(['Frame', 1900], ['Hinge', 100])} width={600} />,
    },
    sheet: 'charts/small/small.module.css',
  },
  strip: {
    cases: {
      usual: <Strip statuses={statusesOf(60)} width={244} />,
      'one-value': <Strip statuses={['inWarning']} width={244} />,
      'no-values': <Strip statuses={[]} width={244} />,
      'no-limits': <Strip statuses={[...statusesOf(40), ...WITHOUT_LIMITS]} width={244} />,
      '2000-points': <Strip statuses={statusesOf(2000)} width={244} />,
    },
  },
  rate: {
    cases: {
      usual: <RateChart rates={Array.from({ length: 300 }, (_, i) => (i * 7919) % 5)} />,
      many: <RateChart rates={Array.from({ length: 300 }, (_, i) => ((i * 7919) % 1009) * 12)} />,
      'no-values': <RateChart rates={Array.from({ length: 300 }, () => 0)} />,
    },
    sheet: 'pages/live/live.module.css',
  },
};

/** Draws the characteristics of single values. */
function ofValues(draw: (drawn: MeasuredCharacteristic) => ReactNode): Record<string, ReactNode> {
  const { buckets: _, ...cases } = CASES;
  return Object.fromEntries(Object.entries(cases).map(([name, drawn]) => [name, draw(drawn)]));
}

/** Draws also the characteristic whose values are sent in buckets. */
function ofSeries(draw: (drawn: MeasuredCharacteristic) => ReactNode): Record<string, ReactNode> {
  return { ...ofValues(draw), buckets: draw(CASES.buckets) };
}

/** Draws characteristics by their newest 32 values, as the server sends them. */
function ofNewest(draw: (drawn: MeasuredCharacteristic) => ReactNode): Record<string, ReactNode> {
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

function variationOf(drawn: MeasuredCharacteristic, staged = asOneStage): ReactNode {
  const { shown, chart } = drawnOf(drawn, 'values', staged);
  return (
    <Variation
      name="Moving range"
      shown={shown}
      decimals={decimalsFor(drawn)}
      plot={PLOT}
      height={120}
      hasLabels
      {...(chart && { limits: chart.variation })}
    />
  );
}

function countsOf(series: CharacteristicSeries): ReactNode {
  const shown = shownSeries(series, {});
  const ruler = countRuler(shown, texts.en, [8, HEIGHT - 22]);
  return <Counts name="Scratches" chart="p" hasDates shown={shown} ruler={ruler} plot={PLOT} height={HEIGHT} />;
}

function meansOf(drawn: MeasuredCharacteristic, { sizeAt = (_position: number): number => 5, staged = asOneStage } = {}): ReactNode {
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
  return (
    <Means
      name={drawn.name}
      shown={{ ...shown, entries }}
      ruler={rulerFor(drawn, lines, extremes)}
      subgroups="of 5"
      limits={chart?.location}
      plot={PLOT}
      height={HEIGHT}
    />
  );
}

function histogramOf(drawn: MeasuredCharacteristic, members: Partial<CharacteristicSummary> = {}): ReactNode {
  const summary = { ...summaryOf(drawn), ...members };
  return <Histogram summary={summary} ruler={valueRulerOf(drawn)} plot={164} height={HEIGHT} hasAxis />;
}

/** Draws a chart that remembers earlier points, of all characteristics. */
function ofMemory(type: 'ewma' | 'cusum'): Record<string, ReactNode> {
  return Object.fromEntries(
    Object.entries(
      ofValues((drawn) => {
        const shown = shownMemory(memoryOf(drawn, type));
        return <Memory name={drawn.name} shown={shown} decimals={decimalsFor(drawn)} plot={PLOT} height={HEIGHT} labels="full" />;
      }),
    ).map(([name, drawn]) => [`${type}-${name}`, drawn]),
  );
}

function overviewOf(
  drawn: MeasuredCharacteristic,
  baseline?: { baseline: { start: number; end: number }; baselineText: string },
  staged = asOneStage,
): ReactNode {
  const { shown } = drawnOf(drawn, 'values', staged);
  const lines = limitLines({ ...drawn.limits, sources: {} }, seriesOf(drawn).chart, decimalsFor(drawn), texts.en);
  return (
    <Overview
      shown={shown}
      view={{ start: shown.count * 0.7, end: shown.count }}
      {...baseline}
      total={['values', String(shown.count)]}
      ruler={(top, bottom) => rulerFor(drawn, lines, extremesOf(drawn.values), [top, bottom])}
      plot={PLOT}
      height={112}
      onView={() => undefined}
    />
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
