import type { ShownEntry } from '@sinebar/charts';
import type { CharacteristicSummary } from '@sinebar/client';
import { useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { PaperFoot } from '../../design/page/paper-foot';
import { useWidth } from '../../design/page/use-width';
import { Nothing } from '../../design/states/nothing';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { statusOf } from '../../server/error-status';
import { nameOf, namesOf, ownerPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useMay } from '../../server/session/use-session';
import { EvaluationButton } from './evaluation/evaluation-panel';
import { ExcludeValue } from './evaluation/exclude-value';
import { Heading, useLimitFacts } from './heading';
import { CharacteristicNotes } from './notes/characteristic-notes';
import { useAlarmMarks } from './notes/use-alarm-marks';
import { useNotes } from './notes/use-notes';
import { ChartToolbar } from './options/chart-toolbar';
import { useLimitsText, useRulesText } from './options/evaluated-texts';
import { useRangeText } from './options/range-text';
import { ChartTable, csvRowsOf } from './panes/chart-table';
import { GroupsPane, Legend } from './panes/groups-pane';
import { layoutOf } from './panes/layout';
import type { Report } from './panes/report';
import { SixPanes } from './panes/six-panes';
import type { CharacteristicSearch } from './search';
import { texts } from './texts';
import { useCharacteristicParams, useCharacteristicSearch } from './use-address';
import { useCharacteristic, type CharacteristicData } from './use-characteristic';
import { useView, type CharacteristicView } from './use-view';
import { Verdicts } from './verdicts';
import { savedSelectionOf } from './view';

/** Six panes that answer whether a characteristic is stable, normal and capable. */
export function CharacteristicPage() {
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const search = useCharacteristicSearch();
  const t = useTexts(texts);
  const formats = useFormats();
  const data = useCharacteristic(characteristicUuid, search);
  const view = useView(data, search);
  const limitFacts = useLimitFacts();
  const path = data.item.data?.path;
  const mayRead = useMay('measurement:read', path === undefined ? '/' : plainPathOf(path));
  const summary = data.summary.data;
  const { decimals, unit } = data;
  const figure = (name: string, value: number | undefined, places: number) =>
    value === undefined ? [] : [{ name, value: formats.number(value, places) }];
  const facts = summary
    ? [
        ...limitFacts(summary, decimals, unit),
        { name: 'n', value: formats.count(summary.count) },
        ...(summary.missing > 0 ? [{ name: t.missing, value: formats.count(summary.missing) }] : []),
        ...figure(t.mean, summary.mean, decimals + 1),
        ...figure(t.median, summary.median, decimals),
        ...figure('s', summary.standardDeviation, decimals + 1),
        ...figure(t.smallest, summary.minimum, decimals),
        ...figure(t.largest, summary.maximum, decimals),
      ]
    : [];
  return (
    <Heading partUuid={partUuid} characteristicUuid={characteristicUuid} data={data} facts={facts}>
      {summary ? (
        <ReportPage summary={summary} data={data} view={view} />
      ) : data.summary.error && statusOf(data.summary.error) === 403 && !mayRead ? (
        <Nothing title={t.missingRight} isAlert>
          {t.missingRightText(path === undefined ? '/' : plainPathOf(path))}
        </Nothing>
      ) : data.summary.error ? (
        <Failed error={data.summary.error} onRetry={() => void data.summary.refetch()} />
      ) : (
        <Skeleton rows={12} />
      )}
    </Heading>
  );
}

interface ReportPageProps {
  summary: CharacteristicSummary;
  data: CharacteristicData;
  view: CharacteristicView;
}

function ReportPage({ summary, data, view }: ReportPageProps) {
  const { characteristicUuid } = useCharacteristicParams();
  const search = useCharacteristicSearch();
  const t = useTexts(texts);
  const formats = useFormats();
  const rangeText = useRangeText();
  const charts = useRef<HTMLDivElement>(null);
  const [excluding, setExcluding] = useState<ShownEntry>();
  const notes = useNotes(summary, view.shown);
  const alarms = useAlarmMarks(summary.characteristicUuid, view.shown);
  const marks = useMemo(() => [...notes.marks, ...alarms.marks], [notes.marks, alarms.marks]);
  const partPath = plainPathOf(ownerPathOf(summary.path));
  const { decimals, unit } = data;
  const { shown } = view;
  const range = rangeText(search, summary.count);
  const title = [nameOf(summary.path), range];
  const path = namesOf(summary.path).join(' / ');
  const period = `${formats.dayTime(summary.firstTime)} – ${formats.dayTime(summary.lastTime)}`;
  return (
    <>
      <Verdicts summary={summary} series={data.series.data} decimals={decimals} unit={unit} />
      <ChartToolbar
        search={search}
        evaluation={<EvaluationButton summary={summary} search={search} data={data} />}
        evaluated={data.evaluated}
        summary={summary}
        title={title}
        zoom={data.isZoomed ? { by: view.zoomBy, showAll: view.showAll } : undefined}
        table={() => shown && csvRowsOf(shown)}
        picture={{ charts, lines: [path, `${range}; ${period}`] }}
        chartTable={shown && <ChartTable shown={shown} decimals={decimals} />}
        values={{
          partPath,
          characteristicUuids: [characteristicUuid],
          ...savedSelectionOf(search),
        }}
      />
      {summary.count === 0 ? (
        <NoValues search={search} missing={summary.missing} />
      ) : (
        <>
          <Legend data={data} />
          <Charts
            charts={charts}
            report={{ data, summary, shown, view, notes: marks, onExclude: setExcluding, onNote: notes.write }}
            madeOf={<MadeOf summary={summary} data={data} search={search} />}
          />
          <GroupsPane summary={summary} data={data} shown={shown} />
        </>
      )}
      <CharacteristicNotes path={summary.path} data={data} notes={notes} alarms={alarms.query} view={view} />
      <PaperFoot>
        <p>
          {path}, {period}, {range}
        </p>
        {/* oxlint-disable-next-line react/purity -- the time of printing */}
        <p>{t.printed(formats.dateTime(new Date()))}</p>
      </PaperFoot>
      <ExcludeValue
        entry={excluding}
        shown={shown}
        search={search}
        partPath={partPath}
        decimals={decimals}
        onClose={() => setExcluding(undefined)}
      />
    </>
  );
}

function Charts({ charts, report, madeOf }: { charts: Ref<HTMLDivElement>; report: Report; madeOf: ReactNode }) {
  const [width, measure] = useWidth();
  return (
    <div ref={measure}>
      {width !== undefined && (
        <div ref={charts} data-charts={report.shown ? 'drawn' : 'waiting'}>
          <SixPanes layout={layoutOf(width)} report={report} madeOf={madeOf} />
        </div>
      )}
    </div>
  );
}

function NoValues({ search, missing }: { search: CharacteristicSearch; missing: number }) {
  const t = useTexts(texts);
  const formats = useFormats();
  if (missing > 0) return <Nothing title={t.noNumbersTitle}>{t.noNumbers(formats.count(missing))}</Nothing>;
  if (search.condition !== undefined) return <Nothing title={t.noValuesInRange}>{t.noHitsForCondition}</Nothing>;
  const isChosen = (search.from ?? search.to) !== undefined;
  return <Nothing title={t.noValuesTitle}>{isChosen ? t.noValuesInRange : t.noValuesText}</Nothing>;
}

/** Says what the limits and figures of the report follow from. */
function MadeOf({ summary, data, search }: { summary: CharacteristicSummary; data: CharacteristicData; search: CharacteristicSearch }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const rangeText = useRangeText();
  const rulesText = useRulesText();
  const limitsText = useLimitsText();
  const { evaluated } = data;
  const isOfRange = evaluated.limits.kind === 'computed' && evaluated.stageFrom === undefined;
  const limits = isOfRange ? rangeText(search, summary.count) : limitsText(evaluated);
  const excluded = evaluated.leftOut.map(({ measurementUuid, reason }) => {
    const value = data.leftOut.find((other) => other.measurementUuid === measurementUuid);
    return [value && `${formats.dayTime(value.time)} ${formats.number(value.value, data.decimals)}`, reason]
      .filter((part) => part !== undefined && part !== '')
      .join(', ');
  });
  return (
    <p>
      {t.madeOf(limits, rulesText(evaluated.rules), summary.chart ? t[`from_${summary.chart.sigmaMethod}`] : '')}
      {excluded.length > 0 && ` ${t.excludedList(excluded.join('; '))}`}
    </p>
  );
}
