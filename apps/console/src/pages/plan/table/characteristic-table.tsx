import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { QuietButton } from '../../../design/controls/buttons';
import { FilterField } from '../../../design/controls/field';
import { useFormats, useLanguage, useTexts } from '../../../design/language/language';
import { OptionsLine, Rare } from '../../../design/layout/lines';
import { useCoarse } from '../../../design/page/use-coarse';
import { PaneHead } from '../../../design/page/pane-head';
import { Empty, Failed, Skeleton } from '../../../design/states/pane-state';
import { EditGrid } from '../../../design/table/edit-grid';
import type { EditCell, EditColumn } from '../../../design/table/edit-grid-cell';
import { headWidth } from '../../../design/table/fitting-columns';
import { numberText } from '../../../quality/attributes/attribute-text';
import type { Configuration } from '../../../quality/attributes/configuration';
import { shownNumber, typedNumber } from '../../../quality/attributes/written-text';
import { ConflictTable } from '../../../quality/editing/conflict-table';
import { useHasDraft } from '../../../quality/editing/kept-draft';
import { useView } from '../../../server/use-view';
import { CreateItem } from '../actions/create-item';
import { DeleteItems } from '../actions/delete-items';
import { MoveItems } from '../actions/move-items';
import { NAME, type PlanItem } from '../plan-item';
import styles from '../plan.module.css';
import type { PlanAddress } from '../search';
import { BulkChange } from './bulk-change';
import { PasteDialog, pasteForm } from './paste-dialog';
import { cellField, rowAndField } from '../../../quality/editing/cells';
import { texts } from './texts';
import { newRow, type PlanTable } from './use-plan-table';

export interface CharacteristicTableProps {
  table: PlanTable;
  parent: PlanItem;
  partUuid: string;
  mayWrite: boolean;
  configuration: Configuration;
}

/** The characteristics directly below an item, edited like a spreadsheet. */
export function CharacteristicTable({ table, parent, partUuid, mayWrite, configuration }: CharacteristicTableProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const language = useLanguage();
  const isCoarse = useCoarse();
  const navigate = useNavigate();
  const { view, change } = useView<PlanAddress>();
  const [find, setFind] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'delete' | 'move' | 'change'>();
  const hasDraft = useHasDraft();
  const [pasted, setPasted] = useState(() => (hasDraft(pasteForm(partUuid)) ? '' : undefined));
  const [next, setNext] = useState(newRow);
  const { items, rows, fieldsOfRow, columns, state, problems } = table;
  const textOf = (uuid: string, field: string) => fieldsOfRow.get(uuid)?.[field] ?? '';
  const nameOfRow = (uuid: string) => textOf(uuid, NAME);
  const shown = useMemo(() => {
    const wanted = find.trim().toLowerCase();
    const found = rows.filter(
      (uuid) => (fieldsOfRow.get(uuid)?.[NAME] ?? '').toLowerCase().includes(wanted) || table.created.includes(uuid),
    );
    return mayWrite && wanted === '' ? [...found, next] : found;
  }, [find, rows, fieldsOfRow, table, mayWrite, next]);
  if (table.error !== null) return <Failed error={table.error} onRetry={table.reload} />;
  if (items === undefined) return <Skeleton rows={4} />;

  const numbers = new Set(
    columns
      .filter((each) => each.definitionType === 'AttributeDefinition' && (each.type === 'Float' || each.type === 'Integer'))
      .map(({ key }) => String(key)),
  );
  const gridColumns: EditColumn[] = [
    { id: NAME, head: t.name, width: isCoarse ? 128 : 176 },
    ...columns.map(({ key, description }) => ({
      id: String(key),
      head: description,
      width: headWidth(description, numbers.has(String(key)) ? 104 : 72),
      isNumber: numbers.has(String(key)),
    })),
  ];
  const cellOf = (uuid: string, column: string): EditCell => {
    const text = textOf(uuid, column);
    const isNumber = numbers.has(column);
    return {
      shown: isNumber ? numberText(text, formats) : text,
      typed: isNumber ? shownNumber(text, language) : text,
      ...(uuid === next && column === NAME && { placeholder: t.newName }),
      isChanged: state.draft[cellField(uuid, column)] !== undefined,
      problem: problems.get(cellField(uuid, column)),
    };
  };
  const stored = items.filter(({ uuid }) => chosen.has(uuid));
  const some = formats.count(stored.length);
  const nameOfField = (cell: string) => {
    const [uuid, field] = rowAndField(cell);
    return t.conflictField(nameOfRow(uuid), gridColumns.find(({ id }) => id === field)?.head ?? field);
  };
  const close = () => setDialog(undefined);
  const write = (cells: Parameters<typeof table.write>[0]) => {
    table.write(cells);
    if (cells.some(([uuid]) => uuid === next)) setNext(newRow());
  };
  return (
    <section className={styles.children}>
      <PaneHead
        name={t.characteristics}
        note={stored.length === 0 ? formats.count(items.length) : t.chosen(some, formats.count(items.length))}
      />
      <OptionsLine
        actions={
          mayWrite && (
            <>
              <QuietButton onPress={() => change({ create: 'characteristic' }, { isStep: false })}>{t.create}</QuietButton>
              <QuietButton onPress={() => setPasted('')}>{t.paste}</QuietButton>
              {stored.length === 0 ? (
                <Rare>
                  <QuietButton isDisabled>{t.change}</QuietButton>
                  <QuietButton isDisabled>{t.move}</QuietButton>
                  <QuietButton isDisabled>{t.delete}</QuietButton>
                </Rare>
              ) : (
                <>
                  <QuietButton onPress={() => setDialog('change')}>{t.changeSome(some)}</QuietButton>
                  <QuietButton onPress={() => setDialog('move')} isDisabled={table.count > 0}>
                    {t.moveSome(some)}
                  </QuietButton>
                  <QuietButton isDanger onPress={() => setDialog('delete')}>
                    {t.deleteSome(some)}
                  </QuietButton>
                </>
              )}
            </>
          )
        }
      >
        {items.length > 0 && <FilterField label={t.filter} value={find} onChange={setFind} />}
      </OptionsLine>
      {mayWrite && <p className={styles.hint}>{t.hint}</p>}
      <ConflictTable conflicts={state.conflicts} nameOf={nameOfField} textOf={(_, text) => text} onKeep={state.keep} onTake={state.take} />
      {table.failure !== null && <Failed error={table.failure} />}
      {shown.length === 0 ? (
        <Empty>{items.length === 0 ? t.none : t.nothingFound}</Empty>
      ) : (
        <EditGrid
          keptAs="plan"
          label={t.characteristics}
          columns={gridColumns}
          rows={shown}
          cellOf={cellOf}
          isReadOnly={!mayWrite}
          onEdit={(uuid, column, typed) => write([[uuid, column, numbers.has(column) ? typedNumber(typed) : typed.trim()]])}
          onPasteCells={setPasted}
          chosen={chosen}
          onChoose={(uuids, isChosen) =>
            setChosen(new Set(isChosen ? [...chosen, ...uuids] : [...chosen].filter((uuid) => !uuids.includes(uuid))))
          }
          chooseLabel={(uuid) => {
            if (uuid === undefined) return t.chooseAll;
            return uuid === next || table.created.includes(uuid) ? undefined : t.choose(nameOfRow(uuid));
          }}
          onOpen={(uuid) => {
            if (uuid === next || table.created.includes(uuid)) return;
            void navigate({
              to: '/parts/$partUuid/characteristics/$characteristicUuid/plan',
              params: { partUuid, characteristicUuid: uuid },
            });
          }}
          openLabel={(uuid) => (uuid === next || table.created.includes(uuid) ? undefined : t.open(nameOfRow(uuid)))}
        />
      )}
      {mayWrite && view.create === 'characteristic' && (
        <CreateItem
          kind="characteristic"
          parent={parent}
          configuration={configuration}
          taken={items}
          onClose={() => change({ create: undefined }, { isStep: false })}
        />
      )}
      {pasted !== undefined && (
        <PasteDialog
          partUuid={partUuid}
          text={pasted}
          stored={fieldsOfRow}
          configuration={configuration}
          onClose={() => setPasted(undefined)}
          onTake={(taken) => {
            write(taken.flatMap(({ uuid = newRow(), changes }) => changes.map(({ field, text }) => [uuid, field, text] as const)));
            setPasted(undefined);
          }}
        />
      )}
      {dialog === 'change' && (
        <BulkChange
          partUuid={partUuid}
          rows={stored.map(({ uuid }) => ({ uuid, fields: fieldsOfRow.get(uuid) ?? {} }))}
          configuration={configuration}
          onClose={close}
          onTake={(cells) => {
            write(cells);
            close();
          }}
        />
      )}
      {dialog === 'move' && <MoveItems kind="characteristic" items={stored} onClose={close} onMoved={() => setChosen(new Set())} />}
      {dialog === 'delete' && <DeleteItems kind="characteristic" items={stored} onClose={close} onDeleted={() => setChosen(new Set())} />}
    </section>
  );
}
