import { ruleNumber, type ShownEntry, type ShownSeries, significantDecimals, statusOf } from '@sinebar/charts';
import type { CharacteristicSummary } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { DeviationBar } from '../../../charts/small/small-charts';
import { Button } from '../../../design/controls/button';
import { useFormats, useTexts } from '../../../design/language/language';
import { valuesOfMeasurementsQuery } from '../../../server/queries/analysis-queries';
import { useServer } from '../../../server/server';
import { PaneHead } from '../../../design/page/pane-head';
import type { MeasuredPoint } from '../measured-point';
import { SCORE_DECIMALS } from '../panes/pane-heads';
import { texts } from '../texts';
import styles from '../characteristic.module.css';

const RANGES = { symbol: 'R', mean: 'meanOfRanges', formula: 'R̄' } as const;
const DEVIATIONS = { symbol: 's', mean: 'meanOfDeviations', formula: 's̄' } as const;
const MOVING_RANGES = { symbol: 'MR', mean: 'meanOfMovingRanges', formula: 'MR̄' } as const;

export interface LimitFiguresProps {
  summary: CharacteristicSummary;
  decimals: number;
  unit: string;
  isFrozen: boolean;
  onFreeze: () => void;
  onRelease: () => void;
}

/** Control limits as figures, and the buttons that freeze and release them. */
export function LimitFigures({ summary: { chart, countChart }, decimals, unit, isFrozen, onFreeze, onRelease }: LimitFiguresProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const figure = (value: number) => formats.number(value, decimals + 1);
  const score = (value: number) => (chart?.scores ? formats.number(value, SCORE_DECIMALS) : figure(value));
  const isSingle = chart?.type === 'individuals';
  const { symbol, mean, formula } = { xbarR: RANGES, xbarS: DEVIATIONS, individuals: MOVING_RANGES }[chart?.type ?? 'individuals'];
  const point = isSingle ? 'X' : 'X̄';
  const centre = chart?.scores ? [t.median, ''] : isSingle ? [t.mean, 'X̄'] : [t.meanOfMeans, 'X̿'];
  // Samples of several sizes have no limits in common.
  const rowsOfCounts = () => {
    if (!countChart) return [];
    const { type, rate, location } = countChart;
    const write = (value: number) => formats.number(value, significantDecimals(location?.upper ?? rate));
    const [upper, lower] = [t.upper(t[`chart_${type}`]), t.lower(t[`chart_${type}`])];
    if (!location) return [[t.mean, '', write(rate)]];
    return [
      [t.mean, '', write(location.centerLine)],
      [upper, '', write(location.upper)],
      [lower, '', write(location.lower)],
    ];
  };
  const rows = chart
    ? [
        [...centre, figure(chart.location.centerLine)],
        [t[mean], formula, score(chart.variation.centerLine)],
        [t.upper(point), '', figure(chart.location.upper)],
        [t.lower(point), '', figure(chart.location.lower)],
        [t.upper(symbol), '', score(chart.variation.upper)],
        ...(chart.variation.lower > 0 ? [[t.lower(symbol), '', score(chart.variation.lower)]] : []),
        [t.sigmaWithin, t[`from_${chart.sigmaMethod}`], figure(chart.sigma)],
      ]
    : rowsOfCounts();
  return (
    <section>
      <PaneHead name={t.limits} note={isFrozen ? t.limitsFrozen : t.limitsFollow} />
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <td />
            <th scope="col">{t.value}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, formula, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formula}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.subActions}>
        <Button onPress={onFreeze}>{t.freezeView}</Button>
        {isFrozen && (
          <Button kind="quiet" onPress={onRelease}>
            {t.release}
          </Button>
        )}
      </div>
    </section>
  );
}

export interface SubgroupDetailProps {
  entry: ShownEntry;
  /** Number of the subgroup among all, from 1. */
  number: number;
  /** Whether it is a subgroup, or a single value. */
  isOfGroups: boolean;
  shown: ShownSeries;
  summary: CharacteristicSummary;
  characteristicUuid: string;
  decimals: number;
  onExclude: (value: MeasuredPoint) => void;
}

/** The values of the subgroup at the cursor. */
export function SubgroupDetail({
  entry,
  number,
  isOfGroups,
  shown,
  summary,
  characteristicUuid,
  decimals,
  onExclude,
}: SubgroupDetailProps) {
  const server = useServer();
  const formats = useFormats();
  const t = useTexts(texts);
  const values = useQuery(valuesOfMeasurementsQuery(server, characteristicUuid, entry.measurementUuids));
  const { limits, chart } = summary;
  const variation = shown.variation.find(({ position }) => position === entry.position)?.mean;
  const { symbol } = { xbarR: RANGES, xbarS: DEVIATIONS, individuals: MOVING_RANGES }[chart?.type ?? 'individuals'];
  const places = shown.decimals ?? decimals + 1;
  const rules = shown.hits.filter(({ position }) => Math.floor(position) === entry.position).map(({ rule }) => ruleNumber(rule));
  const beyond = () => {
    // A stage without limits has none of another one.
    const limits = entry.limits ?? (shown.stages.length > 0 ? undefined : chart?.location);
    if (!limits) return '';
    const { upper, lower } = limits;
    if (entry.mean > upper) return t.aboveLimit(formats.number(entry.mean - upper, places));
    return entry.mean < lower ? t.belowLimit(formats.number(lower - entry.mean, places)) : '';
  };
  const ordered = [...(values.data ?? [])].sort(
    (a, b) => entry.measurementUuids.indexOf(a.measurementUuid) - entry.measurementUuids.indexOf(b.measurementUuid),
  );
  return (
    <section>
      <PaneHead name={formats.dayTime(entry.from)} note={(isOfGroups ? t.subgroupNumber : t.valueNumber)(formats.count(number))} />
      <table className={styles.subValues}>
        <tbody>
          {ordered.map(({ measurementUuid, serialNumber, value, time }) => (
            <tr key={measurementUuid}>
              <td>{serialNumber === undefined ? '' : serialNumber.length > 6 ? `…${serialNumber.slice(-4)}` : serialNumber}</td>
              <td>{formats.number(value, decimals)}</td>
              <td>{limits.nominal === undefined ? '' : formats.signed(value - limits.nominal, decimals)}</td>
              <td>
                <DeviationBar value={value} limits={limits} status={statusOf(value, limits)} width={80} />
              </td>
              <td>
                <Button
                  kind="quiet"
                  aria-label={t.excludeOf(formats.number(value, decimals))}
                  onPress={() => onExclude({ measurementUuid, value, time })}
                >
                  ×
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={styles.subFacts}>
        <div>
          <dt>{entry.sample ? t.value : t.mean}</dt>
          <dd>
            {formats.number(entry.mean, places)} {beyond()}
          </dd>
        </div>
        {variation !== undefined && (
          <div>
            <dt>{symbol}</dt>
            <dd>{formats.number(variation, chart?.scores ? SCORE_DECIMALS : chart?.type === 'xbarS' ? decimals + 1 : decimals)}</dd>
          </div>
        )}
        <div>
          <dt>{t.rules}</dt>
          <dd>{rules.length === 0 ? t.noRules : rules.join(', ')}</dd>
        </div>
      </dl>
    </section>
  );
}
