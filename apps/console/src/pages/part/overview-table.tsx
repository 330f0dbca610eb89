import type { Part } from '@sinebar/client';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { Choice, MultipleChoice } from '../../design/controls/choice';
import { FilterField } from '../../design/controls/field';
import { csvOf } from '../../design/export/csv';
import { saveFile } from '../../design/export/save-file';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, TableFoot } from '../../design/layout/lines';
import { useWidth } from '../../design/page/use-width';
import { AsProgram } from '../../design/program/program';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { VirtualTable } from '../../design/table/virtual-table';
import { SaveValues } from '../../quality/export/save-values';
import { nameOf, namesOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { cellFigure, csvColumns, OVERVIEW_COLUMNS, overviewRow, USUAL_COLUMNS } from './overview-columns';
import { fittingColumns, neededWidth, useColumns } from './overview-cells';
import { FILTER_STATUSES } from '../../quality/values/filter-statuses';
import { OVERVIEW_ORDERS, type OverviewOrder } from './search';
import { texts } from './texts';
import { overviewQuery, readWholeOverview, useOverview, type OverviewChoice } from './use-overview';
import { usePartView, type ViewChange } from './use-part-view';
import { useWrittenFigures } from './use-written-figures';

export interface OverviewTableProps {
  partUuid: string;
  part: Part | undefined;
  choice: OverviewChoice;
  change: (change: ViewChange) => void;
}

/** The table of all characteristics, with its line of choices. */
export function OverviewTable({ partUuid, part, choice, change }: OverviewTableProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const navigate = useNavigate();
  const { columns: chosenColumns, selected } = usePartView();
  const [width, widthRef] = useWidth();
  const overview = useOverview(partUuid, choice);
  const [view, setView] = useState({ first: 0, last: -1 });
  const [csvError, setCsvError] = useState<unknown>();
  const depth = namesOf(part?.path ?? '/').length;
  const written = useWrittenFigures(overview, view);
  const rowAt = (index: number) => {
    const entry = overview.entryAt(index);
    return entry && { ...overviewRow(entry, depth, written.textsOf(entry.uuid)), unit: written.unitOf(entry.uuid) };
  };
  const onOrder = useCallback((order: OverviewOrder) => change({ order: order === 'status' ? undefined : order }), [change]);
  const total = overview.total ?? 0;
  const showUnits = written.units.length > 1;
  // Columns that the reader has chosen stay; the table then scrolls sideways.
  const columns = useMemo(
    () => (chosenColumns === USUAL_COLUMNS && width ? fittingColumns(chosenColumns, width, showUnits) : chosenColumns),
    [chosenColumns, width, showUnits],
  );
  const tableColumns = useColumns({ columns, partUuid, choice, onOrder, showUnits });
  const selectedIndex = useMemo(() => {
    if (selected === undefined) return -1;
    for (let index = 0; index < total; index += 1) if (overview.entryAt(index)?.uuid === selected) return index;
    return -1;
  }, [overview, selected, total]);

  const onOverviewView = overview.onView;
  const onView = useCallback(
    (first: number, last: number) => {
      onOverviewView(first, last);
      setView((known) => (known.first === first && known.last === last ? known : { first, last }));
    },
    [onOverviewView],
  );
  const open = (index: number) => {
    const entry = overview.entryAt(index);
    if (!entry) return;
    void navigate({
      to: '/parts/$partUuid/characteristics/$characteristicUuid',
      params: { partUuid, characteristicUuid: entry.uuid },
    });
  };
  const saveCsv = async () => {
    setCsvError(undefined);
    try {
      const entries = await readWholeOverview((page) => server.analysis.overview(partUuid, { ...overviewQuery(choice), ...page }));
      const figures = csvColumns(columns);
      const head = [t.statusHead, t.characteristic, ...figures.map((column) => t[headOf(column)])];
      const lines = entries.map((entry) => {
        const row = overviewRow(entry, depth);
        return [t[row.status], namesOf(entry.path).slice(depth).join(' / '), ...figures.map((column) => cellFigure(column, row))];
      });
      saveFile(`${namesOf(part?.path ?? '/').at(-1) ?? 'sinebar'}.csv`, csvOf(head, lines));
    } catch (error) {
      setCsvError(error);
    }
  };
  const programRequests = [
    { title: t.table, path: `/analysisServiceRest/parts/${partUuid}/overview`, query: overviewQuery(choice) },
    { title: t.spectrum, path: `/analysisServiceRest/parts/${partUuid}/statuses`, query: choice.isOwn ? { depth: 1 } : {} },
  ];
  const isFiltered = choice.find !== '' || choice.statuses.length > 0;

  return (
    <>
      <OptionsLine
        actions={
          <>
            <AsProgram requests={programRequests} />
            <QuietButton onPress={() => void saveCsv()}>{t.csv}</QuietButton>
            {part !== undefined && (
              <SaveValues title={[nameOf(part.path)]} selection={{ partPath: plainPathOf(part.path), deep: !choice.isOwn }} />
            )}
            <QuietButton onPress={() => window.print()}>{t.print}</QuietButton>
          </>
        }
      >
        <FilterField label={t.filter} value={choice.find} onChange={(find) => change({ find: find === '' ? undefined : find })} />
        <MultipleChoice
          what={t.status}
          value={choice.statuses.length === 0 ? t.all : choice.statuses.map((status) => t[status]).join(', ')}
          options={FILTER_STATUSES.map((id) => ({ id, name: t[id] }))}
          chosen={choice.statuses}
          onChoose={(statuses) => change({ statuses: statuses.length === 0 ? undefined : statuses })}
        />
        <Choice
          what={t.order}
          value={t[ORDER_TEXTS[choice.order]]}
          options={OVERVIEW_ORDERS.map((id) => ({ id, name: t[ORDER_TEXTS[id]] }))}
          chosen={choice.order}
          onChoose={onOrder}
        />
        <Choice
          what={t.below}
          value={choice.isOwn ? t.ownOnly : t.allLevels}
          options={[
            { id: 'all', name: t.allLevels },
            { id: 'own', name: t.ownOnly },
          ]}
          chosen={choice.isOwn ? 'own' : 'all'}
          onChoose={(which) => change({ own: which === 'own' ? true : undefined })}
        />
        <MultipleChoice
          what={t.columns}
          value={t.chosenOf(formats.count(columns.length), formats.count(OVERVIEW_COLUMNS.length))}
          options={OVERVIEW_COLUMNS.map((id) => ({ id, name: t[headOf(id)] }))}
          chosen={columns}
          onChoose={(ids) => change({ columns: ids.length === 0 || ids.join() === USUAL_COLUMNS.join() ? undefined : ids })}
        />
      </OptionsLine>
      {csvError !== undefined && <Failed error={csvError} onRetry={() => void saveCsv()} />}
      {overview.total === undefined ? (
        overview.error === null ? (
          <Skeleton rows={12} />
        ) : (
          <Failed error={overview.error} onRetry={overview.refetch} />
        )
      ) : total === 0 ? (
        <Empty>
          <p>{isFiltered ? t.nothingFound : t.empty}</p>
          {isFiltered && <Button onPress={() => change({ find: undefined, statuses: undefined })}>{t.removeFilter}</Button>}
        </Empty>
      ) : (
        <>
          <div ref={widthRef} />
          <VirtualTable
            minWidth={neededWidth(columns, showUnits)}
            label={t.table}
            columns={tableColumns}
            rowCount={total}
            rowAt={rowAt}
            keyOf={(index) => overview.entryAt(index)?.uuid ?? String(index)}
            selected={selectedIndex}
            onSelect={(index) => {
              const uuid = overview.entryAt(index)?.uuid;
              if (uuid !== undefined) change({ selected: uuid });
            }}
            onOpen={open}
            onView={onView}
            isBusy={overview.isBusy}
          />
          <TableFoot note={written.units.length === 1 && written.units[0] !== undefined ? t.noteUnit(written.units[0]) : t.note}>
            {t.rows(formats.count(view.first + 1), formats.count(Math.min(view.last + 1, total)), formats.count(total))}
          </TableFoot>
        </>
      )}
    </>
  );
}

const ORDER_TEXTS = { status: 'orderStatus', ppk: 'orderPpk', name: 'orderName', plan: 'orderPlan' } as const;

/** Name of the text that heads a column. */
function headOf<Column extends string>(column: Column): `head${Capitalize<Column>}` {
  return `head${column.charAt(0).toUpperCase()}${column.slice(1)}` as `head${Capitalize<Column>}`;
}
