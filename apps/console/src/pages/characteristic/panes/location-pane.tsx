import {
  AXIS_WIDTH,
  chartInView,
  countRuler,
  isOut,
  stageText,
  type Labels,
  ruleNumber,
  type Ruler,
  type ShownEntry,
  type ShownSeries,
  statusOf,
  texts as chartTexts,
} from '@sinebar/charts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Counts, Individuals, Means } from '../../../charts/control/control-charts';
import { ChartCursor } from '../../../charts/interaction/chart-cursor';
import { Readout } from '../../../charts/interaction/readout';
import { useFormats, useLocale, useTexts } from '../../../design/language/language';
import { Failed, Skeleton } from '../../../design/states/pane-state';
import { nameOf } from '../../../server/queries/plan-path';
import { texts } from '../texts';
import { useSubgroupsText } from '../options/evaluated-texts';
import { measuredPoint } from '../measured-point';
import { notesAt } from '../notes/note-positions';
import { markedEntries, placeLeftOut } from './entries';
import { PointActions, PointActionsBelow, type PointActs } from './point-actions';
import { hasMeans, useMeansRuler, type Report } from './report';

interface LocationPaneProps {
  report: Report;
  ruler: Ruler;
  /** Width of the plot without axis and labels, px. */
  plot: number;
  height: number;
  labels: Labels;
}

/** The chart of single values, or of means, with its cursor, once they have been read. */
export function LocationPane({ report, ...drawn }: LocationPaneProps) {
  const { shown, data } = report;
  if (shown) return <LocationWithCursor report={report} shown={shown} {...drawn} />;
  if (data.series.error) return <Failed error={data.series.error} onRetry={() => void data.series.refetch()} />;
  return <Skeleton rows={8} />;
}

function LocationWithCursor({ report, shown, ...given }: LocationPaneProps & { shown: ShownSeries }) {
  const { data, summary, view, notes, onExclude, onNote } = report;
  const navigate = useNavigate();
  const t = useTexts(texts);
  const words = useTexts(chartTexts);
  const locale = useLocale();
  const count = data.shown.data?.countChart?.type;
  const drawn = count ? { ...given, ruler: countRuler(shown, words, [given.ruler.top, given.ruler.bottom]) } : given;
  const { ruler, plot } = drawn;
  // Other charts stand between this one and the next on the same axis on a phone.
  const hasDates = given.labels === 'short';
  const [cursor, setCursor] = useState<number>();
  const describe = useDescription(report, shown);
  const subgroups = useSubgroupsText()(data.evaluated);
  const meansRuler = useMeansRuler(report);
  const name = nameOf(summary.path);
  const areMeans = hasMeans(report);
  const title = count ? t[`chart_${count}`] : areMeans ? t.means : t.individuals;
  const entry = cursor === undefined ? undefined : shown.entries[Math.min(cursor, shown.entries.length - 1)];
  const described = entry && describe(entry);
  const stage =
    entry && shown.stages.find(({ isBeginning, position: at }) => isBeginning && at >= entry.position && at < entry.position + entry.count);
  const point = entry && measuredPoint(entry, shown);
  const measurementUuid = point?.measurementUuid ?? entry?.measurementUuids[0];
  const noted = entry ? notesAt(notes, entry) : [];
  const alarm = noted.findLast((mark) => mark.alarm !== undefined)?.alarm;
  const open =
    measurementUuid === undefined ? undefined : () => void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid } });
  const excluded = placeLeftOut(shown, data.leftOut, data.evaluated.leftOut);
  const readout = (x: (position: number) => number) =>
    entry && described ? (
      <Readout
        x={x(entry.position + entry.count / 2)}
        left={AXIS_WIDTH}
        right={AXIS_WIDTH + plot}
        top={ruler.top}
        bottom={ruler.bottom}
        lines={[...described.lines, ...noted.slice(0, 1).map(({ label }) => shortLine(label))]}
        aside={described.aside}
        isOut={!areMeans && !count && isOut(statusOf(entry.mean, summary.limits))}
      />
    ) : null;
  const acts: PointActs = {
    exclude: entry && point && !areMeans ? () => onExclude(entry) : undefined,
    note: entry && onNote && (() => onNote(entry)),
    open,
    alarm: alarm === undefined ? undefined : () => void navigate({ to: '/alarms', search: { state: 'all', told: 'all', selected: alarm } }),
  };
  return (
    <>
      <ChartCursor
        label={`${title}, ${name}`}
        left={AXIS_WIDTH}
        plot={plot}
        stops={shown.entries.map(({ position, count }) => (position + count / 2) / Math.max(shown.count, 1))}
        marked={markedEntries(shown, notes)}
        cursor={cursor}
        onCursor={setCursor}
        readout={
          described
            ? [
                ...described.lines,
                described.aside ?? '',
                ...(stage ? [stageText(stage, locale)] : []),
                ...noted.map(({ label }) => label),
              ].join(', ')
            : ''
        }
        onZoom={view.zoomTo}
        onShowAll={view.showAll}
        onOpen={open}
        onExclude={acts.exclude}
        onNote={acts.note}
        actions={<PointActions {...acts} />}
      >
        {count ? (
          <Counts name={name} chart={t[`chart_${count}`]} shown={shown} excluded={excluded} notes={notes} hasDates {...drawn}>
            {readout}
          </Counts>
        ) : areMeans ? (
          <Means
            name={name}
            shown={shown}
            notes={notes}
            subgroups={subgroups}
            limits={chartInView(shown, summary.chart)?.location}
            hasDates={hasDates}
            {...drawn}
            ruler={meansRuler(ruler)}
          >
            {readout}
          </Means>
        ) : (
          <Individuals name={name} shown={shown} hasDates={hasDates} excluded={excluded} notes={notes} {...drawn}>
            {readout}
          </Individuals>
        )}
      </ChartCursor>
      <PointActionsBelow {...acts} />
    </>
  );
}

/** Characters of a note that fit into the box at the cursor. */
const LINE_LENGTH = 34;

function shortLine(label: string): string {
  const letters = Array.from(label.split('\n', 1)[0] ?? '');
  return letters.length <= LINE_LENGTH ? letters.join('') : `${letters.slice(0, LINE_LENGTH - 1).join('')}…`;
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
    const status = entry.status === undefined ? [] : [words[entry.status]];
    const rules = shown.hits
      .filter(({ position }) => Math.floor(position) === entry.position)
      .map(({ rule }) => words.rule(ruleNumber(rule)));
    if (entry.sample) {
      const sample = words.countOf(formats.count(entry.sample.count), formats.number(entry.sample.size, 0));
      return { lines: [formats.number(entry.mean, shown.decimals ?? 0), formats.dayTime(entry.from), [sample, ...rules].join(', ')] };
    }
    const { nominal } = summary.limits;
    return {
      lines: [
        entry.status === undefined ? `${words.mean} ${formats.number(entry.mean, decimals + 1)}` : measured(entry.mean),
        formats.dayTime(entry.from),
        [...status, ...rules].join(', '),
      ].filter((line) => line !== ''),
      ...(nominal !== undefined && { aside: formats.signed(entry.mean - nominal, decimals) }),
    };
  };
}
