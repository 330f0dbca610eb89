import { chartInView } from '@sinebar/charts';
import type { CharacteristicSummary } from '@sinebar/client';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import { texts } from '../texts';
import { NEWEST } from '../use-characteristic';
import { useSubgroupsText } from '../options/evaluated-texts';
import { useCapabilityNote } from './capability-panes';
import { MemoryHead } from './memory-pane';
import { hasMeans, type Report } from './report';

interface HeadProps {
  report: Report;
  /** Width in px; as wide as its place without one. */
  width?: number;
}

export function LocationHead({ report, ...size }: HeadProps) {
  const { data, summary, shown } = report;
  const formats = useFormats();
  const t = useTexts(texts);
  const subgroups = useSubgroupsText()(data.evaluated);
  const { countChart } = data.shown.data ?? {};
  if (countChart && shown) {
    const samples = t.samplesNote(formats.count(shown.count), formats.count(summary.count));
    return <PaneHead name={t[`chart_${countChart.type}`]} note={[t[`points_${countChart.type}`], samples].join(', ')} {...size} />;
  }
  const count = formats.count(summary.count);
  const excluded = data.evaluated.leftOut.length;
  const whole = excluded > 0 ? t.individualsExcluded(count, formats.count(excluded)) : t.individualsNote(count);
  const chart = shown ? chartInView(shown, summary.chart) : summary.chart;
  if (hasMeans(report) && chart) {
    const { lower, upper } = chart.location;
    const figure = (value: number) => formats.number(value, data.decimals + 1);
    return <PaneHead name={t.means} note={[subgroups, t.limitsBetween(figure(lower), figure(upper)), whole].join(', ')} {...size} />;
  }
  const isPart = shown !== undefined && shown.count < summary.count;
  const note = isPart ? t.inViewNote(formats.count(shown.count), count) : whole;
  const scores = summary.chart?.scores && t.scoredNote(t[`model_${summary.chart.scores.model}`]);
  return <PaneHead name={t.individuals} note={[note, scores].filter((text) => text !== undefined).join(', ')} {...size} />;
}

export function HistogramHead({ report: { data, summary }, hasNote = true, ...size }: HeadProps & { hasNote?: boolean }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const [first, second] = summary.histogram?.edges ?? [];
  const note =
    hasNote && first !== undefined && second !== undefined
      ? t.histogramNote(formats.number(Number((second - first).toPrecision(3))), data.unit)
      : '';
  return <PaneHead name={t.histogram} note={note} {...size} />;
}

export function ProbabilityHead({ isShort = false }: { isShort?: boolean }) {
  const t = useTexts(texts);
  return <PaneHead name={t.probability} note={isShort ? '%' : t.probabilityNote} />;
}

/** Decimals of figures in normal scores. */
export const SCORE_DECIMALS = 2;

/** Head of the chart that remembers earlier points, where there is one, else of the variation. */
export function VariationHead({ report: { data, summary, shown } }: HeadProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const subgroups = useSubgroupsText()(data.evaluated);
  const words = useVariationWords();
  const chart = shown ? chartInView(shown, summary.chart) : summary.chart;
  const { memory } = data.shown.data ?? {};
  if (memory) return <MemoryHead memory={memory} subgroups={subgroups} />;
  if (chart && chart.type !== 'individuals') {
    const { name, note } = words(chart.type, data.unit);
    return <PaneHead name={name} note={note} />;
  }
  const figure = (value: number) => formats.number(value, chart?.scores ? SCORE_DECIMALS : data.decimals + 1);
  const limits = chart ? t.movingRangeNote(figure(chart.variation.centerLine), figure(chart.variation.upper)) : '';
  return <PaneHead name={t.movingRange} note={[chart?.scores ? t.inScores : data.unit, limits].filter((text) => text !== '').join(', ')} />;
}

type ChartType = NonNullable<CharacteristicSummary['chart']>['type'];

/** Names the variation of a chart, and says what it is. */
export function useVariationWords(): (type: ChartType | undefined, unit: string) => { name: string; note: string } {
  const t = useTexts(texts);
  return (type, unit) => {
    const after = unit === '' ? '' : `, ${unit}`;
    if (type === 'xbarR') return { name: t.ranges, note: t.rangesNote(after) };
    if (type === 'xbarS') return { name: t.deviations, note: t.deviationsNote(after) };
    return { name: t.movingRange, note: unit };
  };
}

export function NewestHead({ report: { data, summary }, ...size }: HeadProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { unit, series } = data;
  const ofValues = unit === '' ? '' : t.newestValuesNote(unit);
  const note = summary.limits.nominal === undefined ? ofValues : t.newestNote(unit === '' ? '' : `, ${unit}`);
  return <PaneHead name={t.newest25(formats.count(series.data?.newest?.length ?? NEWEST))} note={note} {...size} />;
}

export function CapabilityHead({ report: { data, summary } }: HeadProps) {
  const t = useTexts(texts);
  const note = useCapabilityNote();
  return <PaneHead name={t.capability} note={note(summary, data.decimals)} />;
}
