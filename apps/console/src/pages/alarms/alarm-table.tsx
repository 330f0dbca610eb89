import { Link } from '@tanstack/react-router';
import type { Ref } from 'react';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { CutName } from '../../design/layout/cut-name';
import { lastWordsFrom } from '../../design/layout/told-from';
import { Glyph } from '../../design/status/glyph';
import { figureWidth } from '../../design/table/fitting-columns';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import tableStyles from '../../design/tables/table.module.css';
import { beginOf, alarmNames, STATE_GLYPHS } from '../../quality/alarms/alarm-facts';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { useAlarmWords } from '../../quality/alarms/use-alarm-words';
import styles from './alarms.module.css';
import type { ShownAlarm } from './shown-alarms';
import { texts } from './texts';

interface AlarmTableProps {
  rows: readonly ShownAlarm[];
  /** Units by the uuid of the characteristic. */
  units: ReadonlyMap<string, string>;
  /** Why the last change of an alarm failed. */
  failures: ReadonlyMap<string, string>;
  selected: string | undefined;
  checked: ReadonlySet<string>;
  onCheck: (checked: ReadonlySet<string>) => void;
  onSelect: (uuid: string, isRange: boolean) => void;
  onOpen: (row: ShownAlarm) => void;
  onView: (first: number, last: number) => void;
  isBusy: boolean;
  tableRef: Ref<HTMLTableElement>;
}

/** Two lines of text with their space, and the line below, px; the style sheet says the same. */
const ROW_HEIGHT = 43;
/** Rows by which the column of values is measured, and the bounds of its width, px. */
const MEASURED_ROWS = 50;
const MIN_VALUE_WIDTH = 112;
const MAX_VALUE_WIDTH = 260;
/** Characters at the end of a path that stay in a narrow column. */
const KEPT_OF_PATH = 24;

/** The inbox: what goes wrong, where, since when, and what to do. */
export function AlarmTable(props: AlarmTableProps) {
  const { rows, units, failures, selected, checked, onCheck, onSelect, onOpen, onView, isBusy, tableRef } = props;
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  const formats = useFormats();
  const say = useAlarmWords();
  const hasTasks = rows.some(({ alarm: { owner, reaction } }) => (owner ?? reaction) !== undefined);
  const areAllChecked = rows.length > 0 && rows.every(({ alarm }) => checked.has(alarm.uuid));
  const toggle = (uuid: string) => {
    const changed = new Set(checked);
    if (!changed.delete(uuid)) changed.add(uuid);
    onCheck(changed);
  };
  const valueOf = ({ alarm }: ShownAlarm) => say.value(alarm, units.get(alarm.characteristicUuid ?? ''));
  const valueWidth = Math.min(
    MAX_VALUE_WIDTH,
    figureWidth(
      rows.slice(0, MEASURED_ROWS).flatMap((row) => [valueOf(row), say.limits(row.alarm)]),
      MIN_VALUE_WIDTH,
    ),
  );
  const value = (row: ShownAlarm) => (
    <span className={styles.two}>
      <span className={row.alarm.kind === 'tolerance' || row.alarm.kind === 'plausibility' ? tableStyles.outOfTolerance : undefined}>
        {valueOf(row)}
      </span>
      <span className={styles.second} title={say.limits(row.alarm)}>
        {say.limits(row.alarm)}
      </span>
    </span>
  );
  const todo: TableColumn<ShownAlarm> = {
    id: 'todo',
    width: 200,
    givesWay: 1,
    head: t.todo,
    cell: ({ alarm: { owner = '', reaction = '' } }) => (
      <span className={styles.two} title={[owner, reaction].filter((text) => text !== '').join(': ')}>
        <span>{owner}</span>
        <span className={styles.second}>{reaction}</span>
      </span>
    ),
  };
  const columns: TableColumn<ShownAlarm>[] = [
    {
      id: 'check',
      width: 28,
      content: 'check',
      head: (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={t.selectAll}
          checked={areAllChecked}
          onChange={() => onCheck(areAllChecked ? new Set() : new Set(rows.map(({ alarm }) => alarm.uuid)))}
        />
      ),
      cell: ({ alarm }) => (
        <input
          type="checkbox"
          className={styles.check}
          tabIndex={-1}
          aria-label={t.select(alarmNames(alarm).name)}
          checked={checked.has(alarm.uuid)}
          onClick={(event) => event.stopPropagation()}
          onChange={() => toggle(alarm.uuid)}
        />
      ),
    },
    {
      id: 'state',
      width: 26,
      content: 'glyph',
      head: <Hidden>{t.state}</Hidden>,
      cell: ({ alarm: { state } }) => <Glyph name={STATE_GLYPHS[state]} label={words[`state_${state}`]} />,
    },
    {
      id: 'begin',
      width: 112,
      givesWay: 3,
      head: t.begin,
      cell: ({ alarm, isGone }) => (
        <span className={styles.two} title={formats.dateTimeSeconds(beginOf(alarm))}>
          <time dateTime={beginOf(alarm)}>{formats.dayTime(beginOf(alarm))}</time>
          <span className={styles.second}>
            {isGone
              ? t.gone
              : alarm.muted
                ? words.muted
                : alarm.old
                  ? words.old
                  : alarm.state === 'raised'
                    ? ''
                    : words[`state_${alarm.state}`]}
          </span>
        </span>
      ),
    },
    {
      id: 'alarm',
      isRowHeader: true,
      wraps: true,
      head: t.what,
      narrow: { least: 150, cell: (row) => <What row={row} failure={failures.get(row.alarm.uuid)} isOnPhone /> },
      cell: (row) => <What row={row} failure={failures.get(row.alarm.uuid)} />,
    },
    { id: 'value', width: valueWidth, narrow: { width: Math.min(valueWidth, 132) }, wraps: true, align: 'end', head: t.value, cell: value },
    ...(hasTasks ? [todo] : []),
  ];
  return (
    <VirtualTable
      keptAs="alarms"
      label={t.table}
      columns={columns}
      rowCount={rows.length}
      rowAt={(index) => rows[index]}
      keyOf={(index) => rows[index]?.alarm.uuid ?? String(index)}
      rowHeight={ROW_HEIGHT}
      selected={rows.findIndex(({ alarm }) => alarm.uuid === selected)}
      onSelect={(index, isRange) => {
        const row = rows[index];
        if (row) onSelect(row.alarm.uuid, isRange);
      }}
      onOpen={(index) => {
        const row = rows[index];
        if (row) onOpen(row);
      }}
      onToggle={(index) => {
        const row = rows[index];
        if (row) toggle(row.alarm.uuid);
      }}
      onView={onView}
      isBusy={isBusy}
      tableRef={tableRef}
    />
  );
}

/** Names what goes wrong where; the second line says why the last change failed, if it did. */
function What({ row: { alarm }, failure, isOnPhone = false }: { row: ShownAlarm; failure: string | undefined; isOnPhone?: boolean }) {
  const formats = useFormats();
  const say = useAlarmWords();
  const { name, above } = alarmNames(alarm);
  const { partUuid, characteristicUuid } = alarm;
  const link =
    characteristicUuid === undefined ? (
      <Link to="/parts/$partUuid" params={{ partUuid }} tabIndex={-1}>
        {name}
      </Link>
    ) : (
      <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={{ partUuid, characteristicUuid }} tabIndex={-1}>
        {name}
      </Link>
    );
  const what = failure === undefined ? say.what(alarm) : failure;
  if (isOnPhone) {
    return (
      <span className={styles.phone}>
        {link}
        <span className={styles.second}>{above}</span>
        <span className={failure === undefined ? undefined : styles.failure}>{what}</span>
        <time className={styles.second} dateTime={beginOf(alarm)}>
          {formats.dayTime(beginOf(alarm))}
        </time>
      </span>
    );
  }
  return (
    <span className={styles.two} title={`${[above, name].filter((text) => text !== '').join(' / ')}\n${what}`}>
      <span className={styles.place}>
        {link}
        <span className={styles.above}>
          <CutName text={above} toldFrom={lastWordsFrom(above, KEPT_OF_PATH)} />
        </span>
      </span>
      <span className={failure === undefined ? styles.what : styles.failure}>{what}</span>
    </span>
  );
}
