import type { CharacteristicSummary } from '@sinebar/client';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { pictureOf } from '../../charts/export/picture';
import type { ShownEntry } from '../../charts/control/shown-series';
import { Button } from '../../design/controls/button';
import { csvOf } from '../../design/export/csv';
import { fileNameOf, saveFile } from '../../design/export/save-file';
import { useFormats, useTexts } from '../../design/language/language';
import { AsProgram } from '../../design/program/program';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { SaveValues } from '../../quality/export/save-values';
import { namesOf, ownerPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useMay } from '../../server/session/use-session';
import { ChartTable, csvRowsOf } from './panes/chart-table';
import { ExcludeDialog } from './panes/exclude-dialog';
import { Heading, useLimitFacts } from './heading';
import { IndividualsPane } from './panes/individuals-pane';
import { layoutOf } from './panes/layout';
import { Options, useRangeText, useRulesText } from './options/options';
import { programRequests } from './program-requests';
import { SixPanes } from './panes/six-panes';
import { texts } from './texts';
import { useCharacteristicParams, useCharacteristicSearch } from './use-address';
import { useCharacteristic } from './use-characteristic';
import { useNewValues } from './use-new-values';
import { useView } from './use-view';
import { useWidth } from '../../design/page/use-width';
import { Verdicts } from './verdicts';
import { exclusionsOf, rulesOf, savedSelectionOf, writtenExclusions } from './view';
import styles from './characteristic.module.css';

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
        <Report summary={summary} data={data} view={view} />
      ) : data.summary.error && isForbidden(data.summary.error) && !mayRead ? (
        <div className={styles.empty} role="alert">
          <h2>{t.missingRight}</h2>
          <p>{t.missingRightText(path === undefined ? '/' : plainPathOf(path))}</p>
        </div>
      ) : data.summary.error ? (
        <Failed error={data.summary.error} onRetry={() => void data.summary.refetch()} />
      ) : (
        <Skeleton rows={12} />
      )}
    </Heading>
  );
}

function isForbidden(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 403;
}

interface ReportProps {
  summary: CharacteristicSummary;
  data: ReturnType<typeof useCharacteristic>;
  view: ReturnType<typeof useView>;
}

function Report({ summary, data, view }: ReportProps) {
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const search = useCharacteristicSearch();
  const navigate = useNavigate();
  const t = useTexts(texts);
  const formats = useFormats();
  const rangeText = useRangeText();
  const rulesText = useRulesText();
  const [width, measure] = useWidth();
  const charts = useRef<HTMLDivElement>(null);
  const [excluding, setExcluding] = useState<ShownEntry>();
  const fresh = useNewValues(partUuid, characteristicUuid, search.follow ?? false);
  const { decimals, unit } = data;
  const { shown } = view;
  const names = namesOf(summary.path);
  const name = names.at(-1) ?? '';
  const path = names.join(' / ');
  const rules = rulesOf(search);
  const isEmpty = summary.count === 0;
  const title = [name, rangeText(search, summary.count)];
  const when = (time: string | undefined) => (time === undefined ? '' : `${formats.day(time)} ${formats.time(time)}`);
  const limitsText =
    (search.baselineFrom ?? search.baselineTo)
      ? rangeText({ from: search.baselineFrom, to: search.baselineTo }, 0)
      : rangeText(search, summary.count);
  const excludedText = data.exclusions.map(({ measurementUuid, reason }) => {
    const value = data.leftOut.find((other) => other.measurementUuid === measurementUuid);
    return [value && `${when(value.time)} ${formats.number(value.value, decimals)}`, reason]
      .filter((part) => part !== undefined && part !== '')
      .join(', ');
  });
  const exclude = (reason: string) => {
    const [measurementUuid] = excluding?.measurementUuids ?? [];
    setExcluding(undefined);
    if (measurementUuid === undefined) return;
    const written = writtenExclusions([...exclusionsOf(search), { measurementUuid, reason }]);
    void navigate({ to: '.', search: { ...search, ...(written !== undefined && { exclude: written }) }, resetScroll: false });
  };
  const saveTable = () => {
    if (!shown) return;
    const { head, rows } = csvRowsOf(shown);
    saveFile(fileNameOf(title, 'csv'), csvOf(head, rows));
  };
  const savePicture = async () => {
    if (charts.current === null) return;
    const picture = await pictureOf({
      element: charts.current,
      lines: [path, `${title[1]}; ${when(summary.firstTime)} – ${when(summary.lastTime)}`, location.href],
    });
    saveFile(fileNameOf(title, 'png'), picture);
  };
  const madeOf = (
    <p>
      {t.madeOf(limitsText, rulesText(rules), summary.chart ? t[`from_${summary.chart.sigmaMethod}`] : '')}
      {excludedText.length > 0 && ` ${t.excludedList(excludedText.join('; '))}`}
    </p>
  );
  return (
    <>
      <Verdicts summary={summary} series={data.series.data} decimals={decimals} unit={unit} />
      <Options search={search} count={summary.count}>
        {fresh.count > 0 && (
          <span className={styles.newValues} role="status">
            <Button kind="quiet" onPress={fresh.read}>
              {fresh.count === 1 ? t.oneNewValue : t.newValues(formats.count(fresh.count))}
            </Button>
          </span>
        )}
        {data.isZoomed && (
          <>
            <Button kind="quiet" aria-label={t.zoomIn} onPress={() => view.zoomBy(0.5)}>
              +
            </Button>
            <Button kind="quiet" aria-label={t.zoomOut} onPress={() => view.zoomBy(2)}>
              −
            </Button>
            <Button kind="quiet" onPress={view.showAll}>
              {t.showAll}
            </Button>
          </>
        )}
        <AsProgram requests={programRequests(characteristicUuid, search, t)} answer={summary} />
        {shown && <ChartTable shown={shown} decimals={decimals} />}
        <Button kind="quiet" onPress={saveTable}>
          {t.csv}
        </Button>
        <SaveValues
          title={title}
          selection={{
            partPath: plainPathOf(ownerPathOf(summary.path)),
            characteristicUuids: [characteristicUuid],
            ...savedSelectionOf(search),
          }}
        />
        <Button kind="quiet" onPress={() => void savePicture()}>
          {t.png}
        </Button>
        <Button kind="quiet" onPress={() => print()}>
          {t.print}
        </Button>
      </Options>
      {isEmpty ? (
        <div className={styles.empty}>
          <h2>{t.noValuesTitle}</h2>
          <p>{(search.from ?? search.to ?? search.condition) ? t.noValuesInRange : t.noValuesText}</p>
        </div>
      ) : (
        <div ref={measure}>
          {width !== undefined && (
            <div ref={charts} data-charts={shown ? 'drawn' : 'waiting'}>
              <SixPanes
                layout={layoutOf(width)}
                data={data}
                summary={summary}
                shown={shown}
                rules={rules}
                madeOf={madeOf}
                individuals={({ ruler, plot, height, labels, hasDates }) =>
                  shown ? (
                    <IndividualsPane
                      name={name}
                      shown={shown}
                      summary={summary}
                      ruler={ruler}
                      plot={plot}
                      height={height}
                      labels={labels}
                      hasDates={hasDates}
                      unit={unit}
                      decimals={decimals}
                      exclusions={data.exclusions}
                      leftOut={data.leftOut}
                      onZoom={view.zoomTo}
                      onShowAll={view.showAll}
                      onOpen={(measurementUuid) => void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid } })}
                      onExclude={setExcluding}
                    />
                  ) : data.series.error ? (
                    <Failed error={data.series.error} onRetry={() => void data.series.refetch()} />
                  ) : (
                    <Skeleton rows={8} />
                  )
                }
              />
            </div>
          )}
        </div>
      )}
      <footer className={styles.reportFoot}>
        <p>
          {path}, {when(summary.firstTime)} – {when(summary.lastTime)}, {title[1]}
        </p>
        <p>{decodeURI(location.pathname + location.search)}</p>
        {/* oxlint-disable-next-line react/purity -- the time of printing */}
        <p>{t.printed(formats.dateTime(new Date()))}</p>
      </footer>
      <ExcludeDialog
        point={excluding && { value: formats.number(excluding.mean, decimals), time: when(excluding.from) }}
        onExclude={exclude}
        onClose={() => setExcluding(undefined)}
      />
    </>
  );
}
