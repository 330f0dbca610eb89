import type { Note } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { DeviationBar } from '../../charts/small/small-charts';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import { Rounded } from '../../design/table/rounded';
import { figureWidth } from '../../design/table/fitting-columns';
import { SortButton } from '../../design/table/sort-button';
import type { TableColumn } from '../../design/table/table-column';
import { NoteMark } from '../../quality/notes/note-mark';
import { glyphOf } from '../../quality/values/limits';
import type { MeasuredRow, RowOrder } from '../../quality/values/measured-rows';
import { toleranceText } from '../../quality/values/tolerance-text';
import styles from './measurement.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';
import drawing from '../../charts/drawing/drawing.module.css';

export interface ValueColumnsOptions {
  partUuid: string;
  order: RowOrder;
  onOrder: (order: RowOrder) => void;
  /** Time of the measurement that the values stand against; no comparison without it. */
  beforeTime: string | undefined;
  showUnits: boolean;
  /** Rows by which the columns are measured. */
  rows: readonly MeasuredRow[];
  /** Notes about this measurement by the uuid of their characteristic. */
  notes: ReadonlyMap<string, readonly Note[]>;
}

/** The columns of the table of values. */
export function useValueColumns({
  partUuid,
  order,
  onOrder,
  beforeTime,
  showUnits,
  rows,
  notes,
}: ValueColumnsOptions): TableColumn<MeasuredRow>[] {
  const t = useTexts(texts);
  const formats = useFormats();
  const number = (value: number | undefined, { decimals }: MeasuredRow) => value !== undefined && formats.number(value, decimals);
  const sort = (to: RowOrder, text: string, mark: string) => (
    <SortButton isSorted={order === to} onPress={() => onOrder(order === to ? 'worst' : to)}>
      {text}
      {order === to && ` ${mark}`}
    </SortButton>
  );
  const widthOf = (text: (row: MeasuredRow) => string | false, least: number) =>
    figureWidth(
      rows.map((row) => text(row) || ''),
      least,
    );
  const tolerance = (row: MeasuredRow) => toleranceText(row.limits, row.decimals, formats);
  const deviation = (row: MeasuredRow) => row.deviation !== undefined && formats.signed(row.deviation, row.decimals);
  const columns: TableColumn<MeasuredRow>[] = [
    {
      id: 'status',
      head: <Hidden>{t.headStatus}</Hidden>,
      width: 26,
      content: 'glyph',
      cell: ({ valueStatus, limits }) => (
        <Glyph name={glyphOf(valueStatus, limits)} {...(valueStatus === undefined && { label: t.noData })} />
      ),
    },
    {
      id: 'name',
      isRowHeader: true,
      wraps: true,
      sorted: order === 'name' ? 'ascending' : order === 'worst' ? 'descending' : undefined,
      head:
        order === 'worst' ? (
          <SortButton isSorted onPress={() => onOrder('name')}>
            {`${t.characteristic}, ${t.orderWorst}\u00A0↓`}
          </SortButton>
        ) : (
          sort('name', t.characteristic, '↑')
        ),
      cell: ({ uuid, name, group }) => (
        <>
          <Link
            to="/parts/$partUuid/characteristics/$characteristicUuid"
            params={{ partUuid, characteristicUuid: uuid }}
            tabIndex={-1}
            title={name}
          >
            {name}
          </Link>
          <NoteMark notes={notes.get(uuid)} />
          {group !== '' && <span className={styles.group}>{group}</span>}
        </>
      ),
    },
    {
      id: 'nominal',
      head: t.nominal,
      width: widthOf((row) => number(row.limits.nominal, row), 72) + (showUnits ? 22 : 0),
      givesWay: 3,
      align: 'end',
      cell: (row) => (
        <>
          <Rounded value={row.limits.nominal}>{number(row.limits.nominal, row)}</Rounded>
          {showUnits && row.unit !== '' && <span className={textStyles.unit}>{row.unit}</span>}
        </>
      ),
    },
    {
      id: 'tolerance',
      head: t.tolerance,
      width: widthOf(tolerance, 76),
      align: 'end',
      cell: tolerance,
      // The two sides of an asymmetric tolerance stand one below the other.
      wraps: true,
      narrow: {
        width: figureWidth(
          rows.flatMap((row) => tolerance(row).replace(BETWEEN_SIDES, LINE_BREAK).split(' ')),
          60,
        ),
        cell: (row) => tolerance(row).replace(BETWEEN_SIDES, LINE_BREAK),
      },
    },
    {
      id: 'measured',
      head: t.measured,
      width: widthOf((row) => number(row.value, row), 70),
      align: 'end',
      cell: (row) =>
        row.value === undefined ? null : (
          <Rounded value={row.value} className={`${textStyles.strong} ${textStyles[row.status] ?? ''}`}>
            {number(row.value, row)}
          </Rounded>
        ),
    },
    {
      id: 'deviation',
      head: t.deviation,
      width: widthOf(deviation, 64),
      narrow: { width: widthOf(deviation, 78) },
      align: 'end',
      cell: (row) => (
        <Rounded value={row.deviation} className={textStyles.soft}>
          {deviation(row)}
        </Rounded>
      ),
    },
    {
      id: 'bar',
      head: t.bar,
      width: 144,
      givesWay: 4,
      align: 'middle',
      cell: (row) =>
        row.value === undefined || row.valueStatus === undefined ? (
          <span className={textStyles.soft}>{t.notMeasured}</span>
        ) : (
          <DeviationBar value={row.value} limits={row.limits} status={row.valueStatus} />
        ),
    },
  ];
  if (beforeTime === undefined) return columns;
  return [
    ...columns,
    {
      id: 'before',
      head: <span title={beforeTime}>{beforeTime.split(', ').at(-1)}</span>,
      width: widthOf((row) => number(row.before?.value, row), 76),
      givesWay: 2,
      align: 'end',
      cell: (row) =>
        row.before && (
          <Rounded value={row.before.value} className={textStyles.soft}>
            {number(row.before.value, row)}
          </Rounded>
        ),
    },
    {
      id: 'change',
      head: sort('change', t.change, '↓'),
      sorted: order === 'change' ? 'descending' : undefined,
      width: widthOf((row) => row.change !== undefined && formats.signed(row.change, row.decimals), 72),
      givesWay: 5,
      align: 'end',
      cell: (row) => row.change !== undefined && <Rounded value={row.change}>{formats.signed(row.change, row.decimals)}</Rounded>,
    },
    {
      id: 'changeBar',
      head: <Hidden>{t.changeBar}</Hidden>,
      width: 76,
      givesWay: 1,
      cell: ({ relativeChange }) =>
        relativeChange !== undefined && <ChangeBar ratio={relativeChange} label={t.changePercent(formats.percent(relativeChange))} />,
    },
  ];
}

/** What stands between the two sides of a tolerance. */
const BETWEEN_SIDES = '\u00A0…\u00A0';
/** The same where the second side stands in a line of its own. */
const LINE_BREAK = '\u00A0… ';
const CHANGE_WIDTH = 60;

/** A change as a bar from the middle; its full width on either side is one tolerance. */
function ChangeBar({ ratio, label }: { ratio: number; label: string }) {
  const middle = CHANGE_WIDTH / 2;
  const length = Math.min(Math.abs(ratio), 1) * middle;
  return (
    <svg className={styles.changeBar} width={CHANGE_WIDTH} height={20} viewBox={`0 0 ${CHANGE_WIDTH} 20`} role="img" aria-label={label}>
      <path className={styles.changeRuler} d={`M0 10.5H${CHANGE_WIDTH}`} />
      <rect className={styles.change} x={ratio < 0 ? middle - length : middle} y={9} width={length} height={3} />
      <path className={drawing.ruler} d={`M${middle + 0.5} 5V16`} />
    </svg>
  );
}
