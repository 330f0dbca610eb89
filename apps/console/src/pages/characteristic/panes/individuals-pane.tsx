import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Individuals, type ExcludedValue } from '../../../charts/control/individuals';
import type { Ruler } from '../../../charts/control/ruler';
import { AXIS_WIDTH, type Labels } from '../../../charts/control/ruler-pane';
import { ruleNumber } from '../../../charts/control/run-rules';
import type { ShownEntry, ShownSeries } from '../../../charts/control/shown-series';
import { ChartCursor } from '../../../charts/interaction/chart-cursor';
import { Readout } from '../../../charts/interaction/readout';
import { isOut, statusOf } from '../../../charts/small/value-status';
import { texts as chartTexts } from '../../../charts/texts';
import { useFormats, useTexts } from '../../../design/language/language';
import { Failed, Skeleton } from '../../../design/states/pane-state';
import type { MeasuredValue } from '../../../server/queries/analysis-queries';
import { nameOf } from '../../../server/queries/plan-path';
import { texts } from '../texts';
import type { Exclusion } from '../view';
import type { Report } from './report';

interface IndividualsPaneProps {
  report: Report;
  ruler: Ruler;
  /** Width of the plot without axis and labels, px. */
  plot: number;
  height: number;
  labels: Labels;
}

/** The chart of single values with its cursor, once they have been read. */
export function IndividualsPane({ report, ...drawn }: IndividualsPaneProps) {
  const { shown, data } = report;
  if (shown) return <IndividualsWithCursor report={report} shown={shown} {...drawn} />;
  if (data.series.error) return <Failed error={data.series.error} onRetry={() => void data.series.refetch()} />;
  return <Skeleton rows={8} />;
}

function IndividualsWithCursor({ report, shown, ...drawn }: IndividualsPaneProps & { shown: ShownSeries }) {
  const { data, summary, view, onExclude } = report;
  const { ruler, plot } = drawn;
  const navigate = useNavigate();
  const t = useTexts(texts);
  const [cursor, setCursor] = useState<number>();
  const describe = useDescription(report, shown);
  const name = nameOf(summary.path);
  const entry = cursor === undefined ? undefined : shown.entries[Math.min(cursor, shown.entries.length - 1)];
  const described = entry && describe(entry);
  const single = entry?.measurementUuids.length === 1 ? entry : undefined;
  const open = (measurementUuid: string) => void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid } });
  return (
    <ChartCursor
      label={`${t.individuals}, ${name}`}
      left={AXIS_WIDTH}
      plot={plot}
      stops={shown.entries.map(({ position, count }) => (position + count / 2) / Math.max(shown.count, 1))}
      marked={markedEntries(shown)}
      cursor={cursor}
      onCursor={setCursor}
      readout={described ? [...described.lines, described.aside ?? ''].join(', ') : ''}
      onZoom={view.zoomTo}
      onShowAll={view.showAll}
      onOpen={single && (() => open(single.measurementUuids[0]!))}
      onExclude={single && (() => onExclude(single))}
    >
      <Individuals name={name} shown={shown} excluded={placeLeftOut(shown, data.leftOut, data.exclusions)} {...drawn}>
        {(x) =>
          entry && described ? (
            <Readout
              x={x(entry.position + entry.count / 2)}
              left={AXIS_WIDTH}
              right={AXIS_WIDTH + plot}
              top={ruler.top}
              bottom={ruler.bottom}
              lines={described.lines}
              aside={described.aside}
              isOut={isOut(statusOf(entry.mean, summary.limits))}
            />
          ) : null
        }
      </Individuals>
    </ChartCursor>
  );
}

/** Says in at most three lines what an entry of the chart is. */
function useDescription({ summary, data: { unit, decimals } }: Report, shown: ShownSeries) {
  const formats = useFormats();
  const words = useTexts(chartTexts);
  const measured = (value: number) => `${formats.number(value, decimals)}${unit === '' ? '' : ` ${unit}`}`;
  return (entry: ShownEntry): { lines: string[]; aside?: string } => {
    if (entry.count > 1) {
      const days = entry.from === entry.to ? formats.dayTime(entry.from) : `${formats.dayTime(entry.from)} – ${formats.dayTime(entry.to)}`;
      const spread = words.smallestLargest(formats.number(entry.minimum, decimals), measured(entry.maximum));
      return {
        lines: [spread, days, `${words.bucket(formats.count(entry.count))}, ${words.mean} ${formats.number(entry.mean, decimals + 1)}`],
      };
    }
    const status = entry.status ?? 'inLimits';
    const rules = shown.hits
      .filter(({ position }) => Math.floor(position) === entry.position)
      .map(({ rule }) => words.rule(ruleNumber(rule)));
    const { nominal } = summary.limits;
    return {
      lines: [measured(entry.mean), formats.dayTime(entry.from), [words[status], ...rules].join(', ')].filter((line) => line !== ''),
      ...(nominal !== undefined && { aside: formats.signed(entry.mean - nominal, decimals) }),
    };
  };
}

/** Indexes of the entries that stand out. */
function markedEntries({ entries, outOfTolerance, hits }: ShownSeries): number[] {
  const positions = [...outOfTolerance, ...hits].map(({ position }) => position);
  const found = new Set<number>();
  for (const wanted of positions) {
    let [low, high] = [0, entries.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (entries[middle]!.position <= wanted) low = middle;
      else high = middle - 1;
    }
    found.add(low);
  }
  return [...found].sort((a, b) => a - b);
}

/** Puts excluded values between the points that were measured before and after them. */
function placeLeftOut(
  { entries, count }: ShownSeries,
  leftOut: readonly MeasuredValue[],
  exclusions: readonly Exclusion[],
): ExcludedValue[] {
  const reasons = new Map(exclusions.map(({ measurementUuid, reason }) => [measurementUuid, reason]));
  const [first, last] = [entries[0]?.from, entries.at(-1)?.to];
  return leftOut
    .flatMap(({ measurementUuid, time, value }) => {
      if (time === undefined || first === undefined || last === undefined) return [];
      const at = Date.parse(time);
      if (at < Date.parse(first) || at > Date.parse(last)) return [];
      const next = entries.find(({ to }) => to !== undefined && Date.parse(to) >= at);
      return [{ position: next?.position ?? count, value, reason: reasons.get(measurementUuid) ?? '' }];
    })
    .sort((a, b) => a.position - b.position);
}
