import type { CharacteristicSummary } from '@sinebar/client';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode, RefObject } from 'react';
import { pictureOf } from '../../../charts/export/picture';
import { Button } from '../../../design/controls/button';
import type { CsvTable } from '../../../design/export/csv';
import { useFormats, useTexts } from '../../../design/language/language';
import { Rare } from '../../../design/layout/lines';
import { AsProgram } from '../../../design/program/program';
import { ExportMenu, type ExportMenuProps } from '../../../quality/export/export-menu';
import type { Reported } from '../../../quality/export/report-dialog';
import { SplitAndFilter } from '../../../quality/conditions/split-and-filter';
import { ownerPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { programRequests } from '../program-requests';
import type { Evaluated } from '../evaluated';
import type { CharacteristicSearch } from '../search';
import { texts as pageTexts } from '../texts';
import { useCharacteristicParams } from '../use-address';
import { useNewValues } from '../use-new-values';
import { Options } from './options';
import { texts } from './texts';
import styles from '../characteristic.module.css';

export interface ChartToolbarProps {
  search: CharacteristicSearch;
  evaluated: Evaluated;
  summary: CharacteristicSummary;
  /** Words that name the saved files. */
  title: readonly string[];
  /** Moves the view; absent where the whole chart is in view. */
  zoom?: { by: (factor: number) => void; showAll: () => void } | undefined;
  /** The table that is saved as CSV; absent until the chart is there. */
  table: () => CsvTable | undefined;
  picture: {
    /** Element whose drawings are saved. */
    charts: RefObject<HTMLElement | null>;
    /** Lines above the drawings. */
    lines: readonly string[];
  };
  /** Opens the evaluation that holds for everybody. */
  evaluation?: ReactNode;
  /** The chart as a table. */
  chartTable?: ReactNode;
  /** Measured values of the characteristic that can be saved. */
  values?: ExportMenuProps['values'];
}

/** The choices of a chart, and what can be done with it: zoom, save, print. */
export function ChartToolbar({
  search,
  evaluated,
  summary,
  title,
  zoom,
  table,
  picture,
  evaluation,
  chartTable,
  values,
}: ChartToolbarProps) {
  const { characteristicUuid } = useCharacteristicParams();
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const { viewFrom: from = search.from, viewTo: to = search.to } = search;
  const reported: Reported = {
    subject: 'characteristic',
    selection: { partUuid: summary.partUuid, characteristicUuids: [characteristicUuid] },
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    isFiltered: search.condition !== undefined || search.newest !== undefined,
  };
  const savedPicture = async () => {
    const element = picture.charts.current;
    return element ? pictureOf({ element, lines: [...picture.lines, location.href] }) : undefined;
  };
  return (
    <Options
      search={search}
      evaluated={evaluated}
      count={summary.count}
      evaluation={evaluation}
      more={<SplitAndFilterValues search={search} path={summary.path} />}
    >
      <NewValues isFollowing={search.follow ?? false} />
      <Rare>
        {zoom && (
          <>
            <Button kind="quiet" aria-label={t.zoomIn} onPress={() => zoom.by(0.5)}>
              +
            </Button>
            <Button kind="quiet" aria-label={t.zoomOut} onPress={() => zoom.by(2)}>
              −
            </Button>
            <Button kind="quiet" onPress={zoom.showAll}>
              {t.showAll}
            </Button>
          </>
        )}
        <AsProgram requests={programRequests(characteristicUuid, search, words)} answer={summary} />
        {chartTable}
        <ExportMenu title={title} table={table} picture={savedPicture} canPrint values={values} reported={reported} />
      </Rare>
    </Options>
  );
}

/** Splits and filters by the names of attributes; the address keeps the choice. */
function SplitAndFilterValues({ search, path }: { search: CharacteristicSearch; path: string }) {
  const navigate = useNavigate();
  const { split, condition, viewFrom: _from, viewTo: _to, ...others } = search;
  const choose = (next: CharacteristicSearch) => void navigate({ to: '.', search: next, resetScroll: false });
  return (
    <SplitAndFilter
      isInToolbar
      condition={condition}
      onFilter={(text) => choose({ ...others, ...(split !== undefined && { split }), ...(text !== undefined && { condition: text }) })}
      by={split}
      onSplit={(by) => {
        const { split: _, ...rest } = search;
        choose({ ...rest, ...(by !== undefined && { split: by }) });
      }}
      partPath={plainPathOf(ownerPathOf(path))}
    />
  );
}

/** The number of values that have come since the chart was read; a press reads them. */
function NewValues({ isFollowing }: { isFollowing: boolean }) {
  const { partUuid, characteristicUuid } = useCharacteristicParams();
  const t = useTexts(texts);
  const formats = useFormats();
  const { count, read } = useNewValues(partUuid, characteristicUuid, isFollowing);
  if (count === 0) return null;
  return (
    <span className={styles.newValues} role="status">
      <Button kind="quiet" onPress={read}>
        {count === 1 ? t.oneNewValue : t.newValues(formats.count(count))}
      </Button>
    </span>
  );
}
