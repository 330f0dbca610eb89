import { indices } from '../capability/indices.ts';
import { spans } from '../capability/spans.ts';
import { boxes } from '../comparison/boxes.ts';
import { course } from '../comparison/course.ts';
import { scatter } from '../comparison/scatter.ts';
import { individuals } from '../control/individuals.ts';
import { newest } from '../control/newest.ts';
import { probability } from '../distribution/probability.ts';
import type { Drawing } from '../drawing/shapes.ts';
import { statusOf } from '../drawing/value-status.ts';
import { groupBox } from '../groups/group-box.ts';
import { deviationBar } from '../small/deviation-bar.ts';
import { indexDot } from '../small/index-dot.ts';
import { rateChart } from '../small/rate-chart.ts';
import { smallMultiple, sparkline } from '../small/sparkline.ts';
import { spectrum, strip } from '../small/spectrum.ts';
import { CASES } from './cases.fixture.ts';
import {
  correlationOf,
  countSeriesOf,
  decimalsFor,
  inStages,
  probabilityOf,
  seriesOf,
  summaryOf,
  weibullOf,
} from './measured-characteristic.fixture.ts';
import {
  DE,
  EN,
  HEIGHT,
  LONG_NUMBERS,
  PLOT,
  WITHOUT_LIMITS,
  countsOf,
  drawnOf,
  groupsOf,
  histogramOf,
  inGroups,
  individualsOf,
  meansOf,
  memoryDrawing,
  neighbourOf,
  ofMemory,
  ofNewest,
  ofSeries,
  ofValues,
  overviewOf,
  pairOf,
  runRulesOf,
  statusesOf,
  valueRulerOf,
  variationOf,
} from './drawings.fixture.ts';

/** A chart, with what it draws by the name of each case. */
export interface SnapshotChart {
  cases: Readonly<Record<string, Drawing | undefined>>;
  /** Style sheet of its own beside that of all charts, below `src`. */
  sheet?: string;
}

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
      marks: individuals(
        {
          ...individualsOf(CASES.usual),
          labels: 'short',
          notes: [
            { position: 8.5, label: 'new fixture' },
            { position: 38.5, label: 'weld spatter on the probe' },
            { position: 38.5, label: 'above the tolerance', alarm: '1' },
            { position: 22, end: 31, label: '9 points in a row on one side of the centre line', alarm: '2' },
            { position: 12, end: 18, label: 'cold hall' },
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
