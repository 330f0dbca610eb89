import { chartInView, isOfCounts, ruleNumber, type ShownSeries, texts as chartTexts } from '@sinebar/charts';
import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/client';
import { useFormats, useTexts } from '../../../design/language/language';
import type { CharacteristicSearch } from '../search';
import { texts } from '../texts';
import { Rate, Verdict } from '../verdicts';
import type { CharacteristicData } from '../use-characteristic';
import { isOfGroups } from './subgroup-charts';
import styles from '../characteristic.module.css';

export interface SubgroupVerdictsProps {
  summary: CharacteristicSummary;
  shown: ShownSeries;
  data: CharacteristicData;
  search: CharacteristicSearch;
  decimals: number;
  unit: string;
}

/** Says in words how the subgroups in view stand against their limits. */
export function SubgroupVerdicts({ summary, shown, data, search, decimals, unit }: SubgroupVerdictsProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const words = useTexts(chartTexts);
  const chart = chartInView(shown, summary.chart);
  const count = formats.count(shown.count);
  const isBeyond = ({ rule }: { rule: string }) => rule.endsWith('1');
  const beyond = new Set(shown.hits.filter(isBeyond).map(({ position }) => position)).size;
  const counts = data.evaluated.rules
    .map((rule) => rule.split(':')[0]!)
    .map((rule) => ({ rule, hits: shown.hits.filter((hit) => hit.rule === rule).length }))
    .filter(({ hits }) => hits > 0)
    .map(({ rule, hits }) => `${words.rule(ruleNumber(rule))}: ${formats.count(hits)}`)
    .join(', ');
  const variation = shown.variationHits.length;
  return (
    <section aria-label={t.verdicts} className={styles.verdicts}>
      {isOfCounts(summary) ? (
        <Rate summary={summary} />
      ) : chart && shown.count > 0 ? (
        <Shift
          shown={shown}
          centerLine={chart.location.centerLine}
          upper={chart.location.upper}
          beyond={beyond}
          decimals={decimals}
          unit={unit}
          areGroups={isOfGroups(data)}
        />
      ) : (
        <Verdict question={t.inViewVerdict} glyph="noData" answer={t.unknown} />
      )}
      <Verdict
        question={t.locationStable}
        glyph={shown.hits.length === 0 ? 'inLimits' : 'outOfTolerance'}
        answer={shown.hits.length === 0 ? t.yes : t.no}
        reason={counts === '' ? t.noRuleBroken : counts}
      />
      {!isOfCounts(summary) && (
        <Verdict
          question={t.variationStable}
          glyph={variation === 0 ? 'inLimits' : variation > shown.count * 0.01 ? 'outOfTolerance' : 'inWarning'}
          answer={variation === 0 ? t.yes : variation > shown.count * 0.01 ? t.no : t.nearly}
          reason={t.rangesBeyond(formats.count(variation), count)}
        />
      )}
      <Baseline summary={summary} series={data.series.data} search={search} />
    </section>
  );
}

interface ShiftProps {
  shown: ShownSeries;
  centerLine: number;
  upper: number;
  beyond: number;
  decimals: number;
  unit: string;
  areGroups: boolean;
}

/** Compares the mean in view, of its last stage, with the centre line; within two standard errors they are the same. */
function Shift({ shown, centerLine, upper, beyond, decimals, unit, areGroups }: ShiftProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const start = shown.stages.at(-1)?.position ?? 0;
  const entries = shown.entries.filter(({ position }) => position >= start);
  const mean = entries.reduce((sum, entry) => sum + entry.mean, 0) / entries.length;
  const shift = mean - centerLine;
  const error = (upper - centerLine) / 3 / Math.sqrt(entries.length);
  const isSame = Math.abs(shift) <= 2 * error;
  const answer = isSame ? t.asBefore : shift > 0 ? t.wider : t.narrower;
  const figure = formats.signed(shift, decimals + 1);
  const amount = /[1-9]/.test(figure) ? t.shiftBy(`${figure}${unit === '' ? '' : ` ${unit}`}`) : t.noShift;
  return (
    <Verdict
      question={t.inViewVerdict}
      glyph={isSame ? 'inLimits' : beyond > 0 ? 'outOfTolerance' : 'inWarning'}
      answer={answer}
      reason={(areGroups ? t.meanShift : t.valueShift)(amount, formats.count(beyond), formats.count(shown.count))}
    />
  );
}

function Baseline({
  summary,
  series,
  search: { baselineFrom, baselineTo },
}: Pick<SubgroupVerdictsProps, 'summary' | 'search'> & { series: CharacteristicSeries | undefined }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const count = (summary.chart ?? summary.countChart)?.baseline.count ?? 0;
  const inside = (series?.ruleHits ?? []).filter(({ on, time }) => {
    if (on !== 'location' || time === undefined) return false;
    return (baselineFrom === undefined || time >= baselineFrom) && (baselineTo === undefined || time < baselineTo);
  });
  const beyond = inside.filter(({ rule }) => rule.endsWith('1')).length;
  const answer = inside.length === 0 ? t.yes : beyond === 0 ? t.nearly : t.no;
  return (
    <Verdict
      question={t.baselineSound}
      glyph={count === 0 ? 'noData' : inside.length === 0 ? 'inLimits' : beyond === 0 ? 'inWarning' : 'outOfTolerance'}
      answer={count === 0 ? t.unknown : answer}
      reason={
        count === 0
          ? undefined
          : inside.length === 0
            ? t.baselineValues(formats.count(count))
            : t.hits(formats.count(beyond), formats.count(inside.length - beyond))
      }
    />
  );
}
