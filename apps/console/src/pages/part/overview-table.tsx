import type { Part } from '@sinebar/client';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { TableFoot } from '../../design/layout/lines';
import { useWidth } from '../../design/page/use-width';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { VirtualTable } from '../../design/table/virtual-table';
import { useNotesBelow } from '../../quality/notes/use-notes-below';
import { processTexts } from '../../quality/values/process-texts';
import { namesOf, plainPathOf } from '../../server/queries/plan-path';
import { overviewRow, USUAL_COLUMNS } from './overview-columns';
import { columnWidths, fittingColumns, neededWidth, useColumns, type ShownRow } from './overview-cells';
import { OverviewOptions } from './overview-options';
import type { OverviewOrder } from './search';
import { texts } from './texts';
import { useOverview, type OverviewChoice } from './use-overview';
import { usePartView, type ViewChange } from './use-part-view';
import { useWrittenFigures } from './use-written-figures';

export interface OverviewTableProps {
  partUuid: string;
  part: Part | undefined;
  choice: OverviewChoice;
  change: (change: ViewChange) => void;
}

/** Width of the table below which it is that of a phone, px. */
const PHONE = 480;

/** The table of all characteristics, with its line of choices. */
export function OverviewTable({ partUuid, part, choice, change }: OverviewTableProps) {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const formats = useFormats();
  const navigate = useNavigate();
  const { columns: chosenColumns, selected } = usePartView();
  const [width, widthRef] = useWidth();
  const overview = useOverview(partUuid, choice);
  const [view, setView] = useState({ first: 0, last: -1 });
  const depth = namesOf(part?.path ?? '/').length;
  const written = useWrittenFigures(overview, view);
  const rowAt = (index: number) => {
    const entry = overview.entryAt(index);
    return entry && { ...overviewRow(entry, depth, written.placesOf(entry.uuid)), unit: written.unitOf(entry.uuid) };
  };
  const onOrder = useCallback((order: OverviewOrder) => change({ order: order === 'status' ? undefined : order }), [change]);
  const total = overview.total ?? 0;
  const showUnits = written.units.length > 1;
  const showModels = width === undefined || width >= PHONE;
  // One text says which rows are shown, so that the widths change only when those do.
  const shownKey = JSON.stringify(
    Array.from({ length: Math.max(0, view.last - view.first + 1) }, (_, i) => rowAt(view.first + i)).filter((row) => row !== undefined),
  );
  const widths = useMemo(
    () => columnWidths(JSON.parse(shownKey) as ShownRow[], formats, words, { showUnits, showModels }),
    [shownKey, formats, words, showUnits, showModels],
  );
  // Columns that the reader has chosen stay; the table then scrolls sideways.
  const columns = useMemo(
    () => (chosenColumns === USUAL_COLUMNS && width ? fittingColumns(chosenColumns, width, widths) : chosenColumns),
    [chosenColumns, width, widths],
  );
  const notes = useNotesBelow(part && plainPathOf(part.path));
  const tableColumns = useColumns({ columns, partUuid, choice, onOrder, showUnits, showModels, widths, notes });
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
  const isFiltered = choice.find !== '' || choice.statuses.length + choice.processes.length > 0;

  const legend = written.units.length === 1 && written.units[0] !== undefined ? t.noteUnit(written.units[0]) : t.note;

  return (
    <>
      <OverviewOptions partUuid={partUuid} part={part} choice={choice} columns={columns} change={change} onOrder={onOrder} />
      {overview.total === undefined ? (
        overview.error === null ? (
          <Skeleton rows={12} />
        ) : (
          <Failed error={overview.error} onRetry={overview.refetch} />
        )
      ) : total === 0 ? (
        <Empty>
          <p>{isFiltered ? t.nothingFound : t.empty}</p>
          {isFiltered && (
            <Button onPress={() => change({ find: undefined, statuses: undefined, process: undefined })}>{t.removeFilter}</Button>
          )}
        </Empty>
      ) : (
        <>
          <div ref={widthRef} />
          <VirtualTable
            minWidth={neededWidth(columns, widths)}
            keptAs="overview"
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
          <TableFoot note={[...(choice.order === 'status' ? [t.orderStatusNote] : []), legend].join(' ')}>
            {t.rows(formats.count(view.first + 1), formats.count(Math.min(view.last + 1, total)), formats.count(total))}
          </TableFoot>
        </>
      )}
    </>
  );
}
