import { isOfCounts, isOut, significantDecimals, texts as chartTexts } from '@sinebar/charts';
import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/client';
import type { ReactNode } from 'react';
import { DeviationBar } from '../../charts/small/small-charts';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph, type GlyphName } from '../../design/status/glyph';
import { sinceText } from '../../quality/values/process';
import { processTexts } from '../../quality/values/process-texts';
import { texts } from './texts';
import styles from './characteristic.module.css';
import textStyles from '../../design/styles/text.module.css';

type Newest = NonNullable<CharacteristicSeries['newest']>[number];

/** Values from which a test rejects almost any distribution, so that the plot says more. */
const MANY_VALUES = 1000;
const MIN_FOR_STABLE = 20;
const MIN_FOR_NORMAL = 8;
const MIN_GROUPS_FOR_STABLE = 10;

export interface VerdictsProps {
  summary: CharacteristicSummary;
  series: CharacteristicSeries | undefined;
  decimals: number;
  unit: string;
}

/** Answers in words: the newest value, and whether the process is stable, normal and capable. */
export function Verdicts({ summary, series, decimals, unit }: VerdictsProps) {
  const t = useTexts(texts);
  return (
    <section aria-label={t.verdicts} className={styles.verdicts}>
      <NewestValue newest={series?.newest?.at(-1)} summary={summary} decimals={decimals} unit={unit} />
      <Stable summary={summary} series={series} decimals={decimals} />
      {isOfCounts(summary) ? (
        <Rate summary={summary} />
      ) : (
        <>
          <Normal summary={summary} />
          <Capable summary={summary} />
        </>
      )}
    </section>
  );
}

export interface VerdictProps {
  question: string;
  glyph?: GlyphName | undefined;
  answer: ReactNode;
  reason?: ReactNode;
}

/** A question, its answer and the reason. */
export function Verdict({ question, glyph, answer, reason }: VerdictProps) {
  return (
    <div className={styles.verdict}>
      <p className={textStyles.caption}>{question}</p>
      <p className={styles.answer}>
        {glyph && <Glyph name={glyph} label="" />}
        {answer}
      </p>
      <p className={styles.because}>{reason}</p>
    </div>
  );
}

function NewestValue({
  newest,
  summary,
  decimals,
  unit,
}: {
  newest: Newest | undefined;
  summary: CharacteristicSummary;
  decimals: number;
  unit: string;
}) {
  const formats = useFormats();
  const t = useTexts(texts);
  if (newest === undefined) {
    return hasOnlyWords(summary) ? (
      <Verdict question={t.newest} glyph="noData" answer={t.noNumber} reason={t.onlyWords(formats.count(summary.missing))} />
    ) : (
      <Verdict question={t.newest} glyph="noData" answer={t.noValues} />
    );
  }
  const { limits } = summary;
  const out = isOut(newest.status);
  const beyond =
    newest.status === 'aboveTolerance' ? newest.value - (limits.upperTolerance ?? 0) : (limits.lowerTolerance ?? 0) - newest.value;
  const deviation = limits.nominal === undefined ? undefined : formats.signed(newest.value - limits.nominal, decimals);
  const reason = () => {
    if (out) return t.beyondTolerance(deviation ?? '', formats.number(beyond, decimals)).replace(/^, /, '');
    if (newest.status === 'inWarning') return t.beyondWarning(deviation ?? '').replace(/^, /, '');
    return deviation === undefined ? '' : t.fromNominal(deviation);
  };
  return (
    <div className={`${styles.verdict} ${styles.newestVerdict}`}>
      <p className={textStyles.caption}>{newest.time === undefined ? t.newest : t.newestOn(formats.dayTime(newest.time))}</p>
      <p className={styles.answer}>
        <span className={styles.figure}>{formats.number(newest.value, decimals)}</span>
        {unit !== '' && <span className={styles.unit}>{unit}</span>}
        <span className={styles.deviation}>
          <DeviationBar value={newest.value} limits={limits} status={newest.status} width={120} height={24} />
        </span>
      </p>
      <p className={`${styles.because} ${out ? styles.out : ''}`}>
        {newest.status !== 'inLimits' && (
          <Glyph name={out ? (newest.status === 'belowTolerance' ? 'belowTolerance' : 'outOfTolerance') : 'inWarning'} />
        )}
        {reason()}
      </p>
    </div>
  );
}

function Stable({ summary, series, decimals }: Pick<VerdictsProps, 'summary' | 'series' | 'decimals'>) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { stable, since } = summary.assessment;
  if (stable === 'unknown') {
    if (hasOnlyWords(summary)) return <Verdict question={t.stable} glyph="noData" answer={t.unknownOfWords} reason={t.needsNumbers} />;
    const reason = areEqual(summary)
      ? t.equalValues(formats.count(summary.count))
      : (summary.chart ?? summary.countChart) === undefined && summary.count > 1
        ? t.noBaseline
        : (summary.chart?.subgroupSize ?? 1) > 1
          ? t.needsSubgroups(formats.count(MIN_GROUPS_FOR_STABLE))
          : t.needsValues(formats.count(MIN_FOR_STABLE));
    return <Verdict question={t.stable} glyph="noData" answer={areEqual(summary) ? t.nothingVaries : t.unknown} reason={reason} />;
  }
  if (stable === 'no') {
    // Levels of counts are rates.
    const places = isOfCounts(summary) ? significantDecimals(Math.max(since?.from ?? 0, since?.to ?? 0)) : decimals + 1;
    return <NotStable since={since} decimals={places} />;
  }
  const hits = (series?.ruleHits ?? []).filter(({ on }) => on === 'location');
  const beyond = new Set(hits.filter(({ rule }) => rule.endsWith('1')).map(({ index }) => index)).size;
  const runs = new Set(hits.filter(({ rule }) => !rule.endsWith('1')).map(({ index }) => index)).size;
  const reason = beyond + runs === 0 ? t.noHits : t.hits(formats.count(beyond), formats.count(runs));
  const [glyph, answer] = stable === 'yes' ? (['inLimits', t.yes] as const) : (['inWarning', t.nearly] as const);
  return <Verdict question={t.stable} glyph={glyph} answer={answer} reason={reason} />;
}

/** Says where the process began to differ. */
function NotStable({ since, decimals }: { since: CharacteristicSummary['assessment']['since']; decimals: number }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const reason = since === undefined ? '' : sinceText(since, decimals, formats, words);
  const answer = since?.kind === 'drift' ? t.drifts : since?.kind === 'step' ? t.stepped : t.no;
  return <Verdict question={t.stable} glyph="outOfTolerance" answer={answer} reason={reason} />;
}

/** The rate of a characteristic that counts, which stands in place of an index. */
export function Rate({ summary: { rate } }: { summary: CharacteristicSummary }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const words = useTexts(chartTexts);
  if (!rate) return <Verdict question={t.rate} glyph="noData" answer={t.unknown} />;
  const decimals = significantDecimals(rate.upper);
  const figure = (value: number) => formats.number(value, decimals);
  const counted = words.countOf(formats.count(rate.count), formats.number(rate.size, 0));
  return (
    <Verdict
      question={t.rate}
      answer={(rate.unit === 'partsPerMillion' ? t.ratePartsPerMillion : t.ratePerUnit)(figure(rate.value))}
      reason={t.rateInterval(formats.percent(rate.confidence), figure(rate.lower), figure(rate.upper), counted)}
    />
  );
}

function Normal({ summary }: { summary: CharacteristicSummary }) {
  const { assessment, normality, count } = summary;
  const formats = useFormats();
  const t = useTexts(texts);
  const { normal } = assessment;
  if (normal === 'unknown') {
    if (hasOnlyWords(summary)) return <Verdict question={t.normal} glyph="noData" answer={t.unknownOfWords} reason={t.needsNumbers} />;
    const isEqual = areEqual(summary);
    const reason = isEqual ? t.equalValues(formats.count(count)) : t.needsValues(formats.count(MIN_FOR_NORMAL));
    return <Verdict question={t.normal} glyph="noData" answer={isEqual ? t.nothingVaries : t.unknown} reason={reason} />;
  }
  const figures = normality && t.normalFigures(formats.number(normality.statistic, 2), smallProbability(normality.pValue, formats.number));
  const reason = [figures, count > MANY_VALUES ? t.byPlot : undefined].filter((part) => part !== undefined).join('; ');
  // Another distribution is a property of the values, no fault.
  const answer = { yes: t.yes, nearly: t.nearly, no: t.no }[normal];
  return <Verdict question={t.normal} glyph={normal === 'yes' ? 'inLimits' : undefined} answer={answer} reason={reason} />;
}

/** Probabilities below a thousandth are only said to be so. */
function smallProbability(p: number, number: (value: number, decimals: number) => string): string {
  return p < 0.001 ? `< ${number(0.001, 3)}` : number(p, 3);
}

function Capable({ summary }: { summary: CharacteristicSummary }) {
  const { assessment, capability } = summary;
  const formats = useFormats();
  const t = useTexts(texts);
  const { capable, required } = assessment;
  const pk = capability?.pk;
  const wanted = formats.number(required.value, 2);
  if (capable === 'unknown' || pk === undefined) {
    return <NoIndex summary={summary} />;
  }
  const index = `${pk.name} ${formats.number(pk.value, 2)}`;
  // The spread within is that of normal values, so it is compared with no other index.
  const within = pk.from === 'normal' ? capability?.normal.within?.pk : undefined;
  const isHigherWithin = within !== undefined && within.value > pk.value + 0.05;
  const reason = isHigherWithin
    ? t.wantedWithin(wanted, `${within.name} ${formats.number(within.value, 2)}`)
    : [
        t.wanted(wanted),
        pk.lower !== undefined && pk.upper !== undefined ? t.interval(formats.number(pk.lower, 2), formats.number(pk.upper, 2)) : undefined,
      ]
        .filter((part) => part !== undefined)
        .join('; ');
  const shown = {
    yes: ['inLimits', t.capableYes(index)],
    uncertain: ['inWarning', t.uncertain(index)],
    no: ['outOfTolerance', t.capableNo(index)],
    notStable: ['outOfTolerance', t.notStable(index)],
  } as const;
  const [glyph, answer] = shown[capable];
  return <Verdict question={t.capable} glyph={glyph} answer={answer} reason={capable === 'notStable' ? t.noPromise : reason} />;
}

/** Says why there is no index: each cause has its own sentence. */
function NoIndex({ summary }: { summary: CharacteristicSummary }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { assessment, count, counts, limits } = summary;
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  const verdict = (answer: string, reason: string, glyph: GlyphName = 'noData') => (
    <Verdict question={t.capable} glyph={glyph} answer={answer} reason={reason} />
  );
  if (assessment.capable === 'no')
    return verdict(t.no, t.allOut(formats.count(counts.belowTolerance + counts.aboveTolerance)), 'outOfTolerance');
  if (lower === undefined && upper === undefined) return verdict(t.noLimits, t.needsLimits);
  if (lower !== undefined && upper !== undefined && lower >= upper) return verdict(t.crossedLimits, t.crossedLimitsReason);
  if (count < 2) return verdict(t.unknown, t.needsValues('2'));
  return areEqual(summary) ? verdict(t.nothingVaries, t.equalValues(formats.count(count))) : verdict(t.unknown, '');
}

/** Whether measurements have something else in the place of each number, such as a word. */
function hasOnlyWords({ count, missing }: CharacteristicSummary): boolean {
  return count === 0 && missing > 0;
}

function areEqual({ count, minimum, maximum }: CharacteristicSummary): boolean {
  return count > 1 && minimum !== undefined && minimum === maximum;
}
