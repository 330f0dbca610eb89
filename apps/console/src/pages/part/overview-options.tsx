import type { Part } from '@sinebar/client';
import { Choice, MultipleChoice } from '../../design/controls/choice';
import { FilterField } from '../../design/controls/field';
import type { CsvTable } from '../../design/export/csv';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, Rare } from '../../design/layout/lines';
import { AsProgram } from '../../design/program/program';
import { ExportMenu } from '../../quality/export/export-menu';
import { FILTER_STATUSES } from '../../quality/values/filter-statuses';
import { PROCESS_STATUSES } from '../../quality/values/process';
import { processTexts } from '../../quality/values/process-texts';
import { nameOf, namesOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { csvCell, csvColumns, OVERVIEW_COLUMNS, overviewRow, USUAL_COLUMNS, type OverviewColumn } from './overview-columns';
import { OVERVIEW_ORDERS, type OverviewOrder } from './search';
import { texts } from './texts';
import { overviewQuery, readWholeOverview, type OverviewChoice } from './use-overview';
import type { ViewChange } from './use-part-view';

const ORDER_TEXTS = { status: 'orderStatus', ppk: 'orderPpk', name: 'orderName', plan: 'orderPlan' } as const;

export interface OverviewOptionsProps {
  partUuid: string;
  part: Part | undefined;
  choice: OverviewChoice;
  /** Columns that are shown. */
  columns: readonly OverviewColumn[];
  change: (change: ViewChange) => void;
  onOrder: (order: OverviewOrder) => void;
}

/** The line above the table: which characteristics it shows and how, and what can be done with them. */
export function OverviewOptions({ partUuid, part, choice, columns, change, onOrder }: OverviewOptionsProps) {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const formats = useFormats();
  const table = useTable(partUuid, part?.path ?? '/', choice, columns);
  const programRequests = [
    { title: t.table, path: `/analysisServiceRest/parts/${partUuid}/overview`, query: overviewQuery(choice) },
    { title: t.spectrum, path: `/analysisServiceRest/parts/${partUuid}/statuses`, query: choice.isOwn ? { depth: 1 } : {} },
  ];
  return (
    <>
      <OptionsLine
        actions={
          <Rare>
            <AsProgram requests={programRequests} />
            <ExportMenu
              title={[nameOf(part?.path ?? '/')]}
              table={table}
              canPrint
              values={part && { partPath: plainPathOf(part.path), deep: !choice.isOwn }}
              reported={part && { subject: 'part', selection: { partUuid: part.uuid } }}
            />
          </Rare>
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
        <Rare>
          <MultipleChoice
            what={t.process}
            value={choice.processes.length === 0 ? t.all : choice.processes.map((process) => words[process]).join(', ')}
            options={PROCESS_STATUSES.map((id) => ({ id, name: words[id] }))}
            chosen={choice.processes}
            onChoose={(process) => change({ process: process.length === 0 ? undefined : process })}
          />
        </Rare>
        <Choice
          what={t.order}
          value={t[ORDER_TEXTS[choice.order]]}
          options={OVERVIEW_ORDERS.map((id) => ({ id, name: t[ORDER_TEXTS[id]] }))}
          chosen={choice.order}
          onChoose={onOrder}
        />
        <Rare>
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
        </Rare>
      </OptionsLine>
    </>
  );
}

/** Reads the table with all characteristics of a choice, also those that the page has not read yet. */
function useTable(partUuid: string, path: string, choice: OverviewChoice, columns: readonly OverviewColumn[]): () => Promise<CsvTable> {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const server = useServer();
  const depth = namesOf(path).length;
  return async () => {
    const entries = await readWholeOverview((page) => server.analysis.overview(partUuid, { ...overviewQuery(choice), ...page }));
    const figures = csvColumns(columns);
    const rows = entries.map((entry) => {
      const row = overviewRow(entry, depth);
      return [t[row.status], namesOf(entry.path).slice(depth).join(' / '), ...figures.map((column) => csvCell(column, row, words))];
    });
    return { head: [t.statusHead, t.characteristic, ...figures.map((column) => t[headOf(column)])], rows };
  };
}

/** Name of the text that heads a column. */
function headOf<Column extends string>(column: Column): `head${Capitalize<Column>}` {
  return `head${column.charAt(0).toUpperCase()}${column.slice(1)}` as `head${Capitalize<Column>}`;
}
