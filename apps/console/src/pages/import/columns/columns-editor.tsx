import type { ReadTable, TableMapping } from '@sinebar/client';
import { useState } from 'react';
import { Button } from '../../../design/controls/button';
import { FilterField } from '../../../design/controls/field';
import { SelectField } from '../../../design/controls/select-field';
import { TextField } from '../../../design/controls/text-field';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import table from '../../../design/tables/table.module.css';
import { useConfiguration } from '../../../quality/attributes/configuration';
import { ColumnRow } from './column-row';
import styles from './columns.module.css';
import { KeepMapping } from './keep-mapping';
import { changedMapping, holdsOf, mappingOf } from './mapping';
import { texts } from './texts';

/** Columns that are listed at once. */
const LISTED = 100;
const MAX_ROW = 1000;
const OTHER_COLUMNS = ['found', 'values', 'nothing'] as const;

export interface ColumnsEditorProps {
  fileName: string;
  read: ReadTable;
  mapping: TableMapping;
  onChange: (mapping: TableMapping) => void;
  /** Uses a mapping that was kept for all tables. */
  onKept: (name: string) => void;
}

/** The columns of a table with their first rows; for each the reader chooses what it holds. */
export function ColumnsEditor({ fileName, read, mapping, onChange, onKept }: ColumnsEditorProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { configuration } = useConfiguration();
  const [find, setFind] = useState('');
  const [listed, setListed] = useState(LISTED);
  const { decimal = '', otherColumns = 'found', sheet } = mappingOf(mapping);
  const change = (members: Parameters<typeof changedMapping>[1]) => onChange(changedMapping(mapping, members));
  const wanted = find.trim().toLowerCase();
  const found = read.columns.filter(({ name }) => name.toLowerCase().includes(wanted));
  const isLong = read.columns.some((column) => holdsOf(mapping, column).is === 'characteristic');
  // The server names all sheets only where none was chosen.
  const sheets =
    sheet === undefined
      ? (read.sheets ?? []).map((name, i) => [i === 0 ? '' : name, name] as const)
      : ([
          ['', t.firstSheet],
          [sheet, sheet],
        ] as const);
  const title = t.title(fileName);
  return (
    <section className={styles.columns}>
      <PaneHead name={title} note={t.count(formats.count(read.columnCount))} />
      <div className={styles.options}>
        <RowField label={t.headerRow} row={read.headerRow} onChange={(headerRow) => change({ headerRow })} />
        <RowField
          label={t.dataRow}
          row={mappingOf(mapping).dataRow ?? read.headerRow + 1}
          onChange={(dataRow) => change({ dataRow: dataRow === undefined || dataRow < 2 ? undefined : dataRow })}
        />
        {sheets.length > 1 && (
          <SelectField
            label={t.sheet}
            value={sheet ?? ''}
            onChoose={(chosen) => change({ sheet: chosen === '' ? undefined : chosen })}
            options={sheets}
          />
        )}
        <SelectField
          label={t.decimal}
          value={decimal}
          onChoose={(chosen) => change({ decimal: chosen === '' ? undefined : chosen })}
          options={[
            ['', t.asFile],
            ['.', t.point],
            [',', t.comma],
          ]}
        />
        <SelectField
          label={t.otherColumns}
          value={otherColumns}
          onChoose={(chosen) => change({ otherColumns: chosen === 'found' ? undefined : chosen })}
          options={OTHER_COLUMNS.map((other) => [other, t[other]] as const)}
        />
        {read.columns.length > LISTED && <FilterField label={t.filter} value={find} onChange={setFind} />}
      </div>
      <div className={table.scrolled}>
        <table className={`${table.data} ${styles.table}`} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t.column}</th>
              <th scope="col">{t.examples}</th>
              <th scope="col">{t.holds}</th>
              <th scope="col">{t.details}</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, listed).map((column) => (
              <ColumnRow
                key={column.name}
                column={column}
                mapping={mapping}
                isLong={isLong}
                configuration={configuration}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > listed && (
        <Button onPress={() => setListed(listed + LISTED)}>{t.more(formats.count(Math.min(LISTED, found.length - listed)))}</Button>
      )}
      {read.columnCount > read.columns.length && <p>{t.notListed(formats.count(read.columnCount - read.columns.length))}</p>}
      <KeepMapping mapping={mapping} onKept={onKept} />
    </section>
  );
}

/** The number of a row; it counts when the reader leaves the field. */
function RowField({ label, row, onChange }: { label: string; row: number; onChange: (row: number | undefined) => void }) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(row);
  const isGood = /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_ROW;
  return (
    <div className={styles.row}>
      <TextField
        label={label}
        value={text}
        onChange={setTyped}
        onBlur={() => {
          if (!isGood || typed === undefined) return;
          setTyped(undefined);
          onChange(Number(text));
        }}
        error={isGood ? undefined : t.badRow}
        inputMode="numeric"
        validationBehavior="aria"
      />
    </div>
  );
}
