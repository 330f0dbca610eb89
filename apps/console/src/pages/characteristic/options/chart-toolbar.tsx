import type { CharacteristicSummary } from '@sinebar/client';
import type { ReactNode, RefObject } from 'react';
import { pictureOf } from '../../../charts/export/picture';
import { Button } from '../../../design/controls/button';
import { csvOf, type CsvRow } from '../../../design/export/csv';
import { fileNameOf, saveFile } from '../../../design/export/save-file';
import { useFormats, useTexts } from '../../../design/language/language';
import { AsProgram } from '../../../design/program/program';
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
  table: () => { head: readonly string[]; rows: readonly CsvRow[] } | undefined;
  picture: {
    /** Element whose drawings are saved. */
    charts: RefObject<HTMLElement | null>;
    /** Lines above the drawings. */
    lines: readonly string[];
  };
  /** The chart as a table, and the menu that saves the measured values. */
  chartTable?: ReactNode;
  saveValues?: ReactNode;
}

/** The choices of a chart, and what can be done with it: zoom, save, print. */
export function ChartToolbar({ search, evaluated, summary, title, zoom, table, picture, chartTable, saveValues }: ChartToolbarProps) {
  const { characteristicUuid } = useCharacteristicParams();
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const saveTable = () => {
    const saved = table();
    if (saved) saveFile(fileNameOf(title, 'csv'), csvOf(saved.head, saved.rows));
  };
  const savePicture = async () => {
    const element = picture.charts.current;
    if (element) saveFile(fileNameOf(title, 'png'), await pictureOf({ element, lines: [...picture.lines, location.href] }));
  };
  return (
    <Options search={search} evaluated={evaluated} count={summary.count}>
      <NewValues isFollowing={search.follow ?? false} />
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
      <Button kind="quiet" onPress={saveTable}>
        {t.csv}
      </Button>
      {saveValues}
      <Button kind="quiet" onPress={() => void savePicture()}>
        {t.png}
      </Button>
      <Button kind="quiet" onPress={() => print()}>
        {t.print}
      </Button>
    </Options>
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
