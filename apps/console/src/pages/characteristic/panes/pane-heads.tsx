import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import { texts } from '../texts';
import { NEWEST } from '../use-characteristic';
import { useCapabilityNote } from './capability-panes';
import type { Report } from './report';

interface HeadProps {
  report: Report;
  /** Width in px; as wide as its place without one. */
  width?: number;
}

export function IndividualsHead({ report: { data, summary, shown }, ...size }: HeadProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const count = formats.count(summary.count);
  const excluded = data.exclusions.length;
  const whole = excluded > 0 ? t.individualsExcluded(count, formats.count(excluded)) : t.individualsNote(count);
  const isPart = shown !== undefined && shown.count < summary.count;
  return <PaneHead name={t.individuals} note={isPart ? t.inViewNote(formats.count(shown.count), count) : whole} {...size} />;
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

export function VariationHead({ report: { data, summary } }: HeadProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { chart } = summary;
  const figure = (value: number) => formats.number(value, chart?.scores ? SCORE_DECIMALS : data.decimals + 1);
  const limits = chart?.type === 'individuals' ? t.movingRangeNote(figure(chart.variation.centerLine), figure(chart.variation.upper)) : '';
  return <PaneHead name={t.movingRange} note={[chart?.scores ? t.inScores : data.unit, limits].filter((text) => text !== '').join(', ')} />;
}

export function NewestHead({ report: { data, summary }, ...size }: HeadProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { unit, series } = data;
  const note = summary.limits.nominal === undefined ? unit : t.newestNote(unit === '' ? '' : `, ${unit}`);
  return <PaneHead name={t.newest25(formats.count(series.data?.newest?.length ?? NEWEST))} note={note} {...size} />;
}

export function CapabilityHead({ report: { data, summary } }: HeadProps) {
  const t = useTexts(texts);
  const note = useCapabilityNote();
  return <PaneHead name={t.capability} note={note(summary, data.decimals)} />;
}
