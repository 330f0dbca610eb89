import {
  chartInView,
  countRuler,
  counts,
  decimalsOf,
  histogram,
  indices,
  individuals,
  isOfCounts,
  limitLines,
  means,
  meanLines,
  POINTS_BEYOND,
  rulerOf,
  shownSeries,
  spans,
  stageLimits,
  texts as chartTexts,
  textsIn,
  widthOf,
  type Drawing,
} from '@sinebar/charts';
import { drawFigure, POINTS } from '../pdf/figure.ts';
import { drawFacts, drawHeading, drawTable, drawText } from '../pdf/table.ts';
import { FAINT } from '../pdf/paper.ts';
import type { ReportDetail } from '../report-content.ts';
import { alarmColumns } from './alarms.ts';
import { decimalsOfCharacteristic, figureText } from './figures.ts';
import { drawTitle, periodText } from './cover.ts';
import { localText, type Writing } from './written.ts';

type Chart = 'control' | 'histogram' | 'capability';

const CHART_HEIGHT = 230;
const HISTOGRAM_HEIGHT = 176;
const FACTS_IN_ROW = 6;
const CAPABILITY_WIDTH = 560;
const GAP = 18;
/** Figures above the charts, in their order. */
const FACTS = [
  ...(['number', 'nominal', 'tolerance', 'lower', 'upper', 'unit', 'count', 'mean', 'deviation'] as const),
  ...(['pp', 'ppk', 'cp', 'cpk', 'model', 'process', 'now'] as const),
];

/** Draws pages of single characteristics, each with its charts, figures, notes and alarms. */
export async function drawPages(writing: Writing, { charts }: { charts: readonly Chart[] }): Promise<void> {
  const { paper, content, template, locale, signal } = writing;
  let isFirst = template.sections.length === 1;
  for await (const detail of content.details) {
    if (isFirst) drawTitle(writing, localText(template.title, locale));
    else paper.addPage();
    isFirst = false;
    await drawCharacteristic(writing, detail, charts);
    await paper.drained(signal);
  }
}

async function drawCharacteristic(writing: Writing, detail: ReportDetail, charts: readonly Chart[]): Promise<void> {
  const { paper, locale, t, signal } = writing;
  const { characteristic, summary, notes, alarms } = detail;
  drawHeading(paper, characteristic.name);
  const facts = FACTS.map((name) => ({ name: t[`column_${name}`], text: figureText(name, characteristic, locale) }));
  drawFacts(paper, [...facts, ...figuresOf(writing, detail), { name: t.period, text: periodText(writing) }], FACTS_IN_ROW);
  paper.gap(6);
  if (summary.count === 0) drawText(paper, t.noValues, { color: FAINT });
  else {
    drawCharts(writing, detail, charts);
    for (const note of summary.notes ?? []) drawText(paper, note, { color: FAINT });
  }
  if (notes.length > 0) {
    drawHeading(paper, t.notes, 3);
    for (const { text, causeText, from, time } of notes) {
      drawText(
        paper,
        [locale.formats.dateTime(from ?? time), causeText, text].filter((each) => each !== undefined && each !== '').join(': '),
      );
    }
  }
  if (alarms.length > 0) {
    drawHeading(paper, t.alarms, 3);
    const columns = alarmColumns(['raised', 'what', 'value', 'state', 'cause', 'action', 'note'], writing);
    await drawTable(paper, columns, alarms, { count: alarms.length, signal, size: 7.5 });
  }
}

function figuresOf({ locale, t }: Writing, { characteristic, summary }: ReportDetail) {
  const { formats } = locale;
  const decimals = decimalsOfCharacteristic(characteristic);
  const number = (value: number | undefined) => (value === undefined ? '' : formats.number(value, decimals));
  const { belowTolerance, aboveTolerance } = summary.counts;
  const { stable, required } = summary.assessment;
  return [
    { name: t.minimum, text: number(summary.minimum) },
    { name: t.maximum, text: number(summary.maximum) },
    { name: t.median, text: number(summary.median) },
    { name: t.outOfTolerance, text: formats.count(belowTolerance + aboveTolerance) },
    { name: t.stable, text: stable === 'unknown' ? t.unknown : t[stable] },
    { name: t.required, text: formats.number(required.value, 2) },
  ];
}

function drawCharts(writing: Writing, detail: ReportDetail, charts: readonly Chart[]): void {
  const { paper, locale, t } = writing;
  const { characteristic, summary, series } = detail;
  const words = textsIn(chartTexts, locale.language);
  const decimals = decimalsOfCharacteristic(characteristic);
  const { limits } = summary;
  const shown = shownSeries(series, limits);
  const width = paper.width / POINTS;
  const areMeans = series.subgroups !== undefined;
  const areCounts = isOfCounts(summary);
  const chart = chartInView(shown, summary.chart);
  const ruler = (height: number, lines: ReturnType<typeof limitLines>, ends: readonly number[]) =>
    rulerOf({
      lines,
      extremes: ends.length === 0 ? undefined : [Math.min(...ends), Math.max(...ends)],
      decimals: Math.max(decimals, decimalsOf(Object.values(limits).filter((limit) => typeof limit === 'number'))),
      top: 14,
      bottom: height - 26,
      tickDistance: 34,
      ...(areMeans && { mostBeyond: POINTS_BEYOND }),
      ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    });
  const drawChart = (head: string, drawing: Drawing | undefined, below = 0) => {
    if (!drawing) return;
    drawHeading(paper, head, 3, drawing.height * POINTS + below);
    drawFigure(paper, drawing, paper.left, paper.y);
    paper.y += drawing.height * POINTS + GAP / 2;
  };
  if (charts.includes('control') && shown.entries.length > 0) {
    const plot = width - (widthOf(0, true, 'full') ?? 0);
    const ends = [...shown.entries.flatMap(({ minimum, maximum }) => [minimum, maximum]), ...stageLimits(shown)];
    const input = { name: characteristic.name, shown, plot, height: CHART_HEIGHT, labels: 'full', hasDates: true } as const;
    if (areCounts) {
      drawChart(
        t.counts,
        counts({ ...input, chart: series.countChart?.type ?? 'p', ruler: countRuler(shown, words, [14, CHART_HEIGHT - 26]) }, locale),
      );
    } else if (areMeans) {
      const limitsOfMeans = chart?.location;
      drawChart(
        t.means,
        means(
          {
            ...input,
            subgroups: '',
            ...(limitsOfMeans && { limits: limitsOfMeans }),
            ruler: ruler(CHART_HEIGHT, meanLines(limits, chart, decimals, words), ends),
          },
          locale,
        ),
      );
    } else {
      drawChart(t.values, individuals({ ...input, ruler: ruler(CHART_HEIGHT, limitLines(limits, chart, decimals, words), ends) }, locale));
    }
  }
  if (charts.includes('histogram') && summary.histogram && summary.minimum !== undefined && summary.maximum !== undefined) {
    const lines = limitLines(limits, summary.chart, decimals, words);
    const plot = width - (widthOf(0, true, 'full') ?? 0);
    drawChart(
      t.histogram,
      histogram(
        {
          summary,
          ruler: ruler(HISTOGRAM_HEIGHT, lines, [summary.minimum, summary.maximum]),
          plot,
          height: HISTOGRAM_HEIGHT,
          hasAxis: true,
          labels: 'full',
        },
        locale,
      ),
    );
  }
  if (charts.includes('capability') && summary.capability) {
    const width = Math.min(paper.width / POINTS, CAPABILITY_WIDTH);
    const drawing = indices({ capability: summary.capability, wanted: summary.assessment.required.value, width }, locale);
    // Both drawings are read together.
    drawChart(t.capability, spans({ summary, decimals, width }, locale), drawing.height * POINTS + GAP);
    paper.ensure(drawing.height * POINTS);
    drawFigure(paper, drawing, paper.left, paper.y);
    paper.y += drawing.height * POINTS + GAP;
  }
}
