import type { Measurement } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { Strip } from '../../charts/small/small-charts';
import { GroupSwatch } from '../../charts/groups/group-charts';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import { CutName } from '../../design/layout/cut-name';
import { lastWordsFrom } from '../../design/layout/told-from';
import { figureWidth } from '../../design/table/fitting-columns';
import { SortButton } from '../../design/table/sort-button';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import { useAttributeText, type Configuration } from '../../quality/attributes/configuration';
import { useGroupWords } from '../../quality/groups/use-group-words';
import { slotOf, type ListedGroup } from './measurement-groups';
import styles from './measurements.module.css';
import { texts } from './texts';
import { TIME_KEY, type MeasurementList } from './use-measurements';
import { usePlannedParts } from './use-planned-parts';
import { countsOf, statusesInPlanOrder, worstOf } from '../../quality/values/value-statuses';
import tableStyles from '../../design/tables/table.module.css';

export interface MeasurementTableProps {
  list: MeasurementList;
  /** Keys of the attributes that are shown, besides the time. */
  columns: readonly number[];
  configuration: Configuration;
  order: string;
  /** The attribute that the measurements are split by, and its groups. */
  split?: { attribute: number; groups: readonly ListedGroup[] };
  /** Whether measurements of several parts are listed. */
  showPart: boolean;
  selectedIndex: number;
  checked: ReadonlySet<string>;
  onCheck: (checked: ReadonlySet<string>) => void;
  onSelect: (index: number) => void;
  onOpen: (index: number) => void;
  onOrder: (order: string) => void;
  onView: (first: number, last: number) => void;
}

/** Characters at the end of the name of a part that stay in a narrow column. */
const KEPT_OF_PART = 16;
/** Rows by which columns of attributes are measured, and the bounds of their widths, px. */
const MEASURED_ROWS = 50;
const MIN_WIDTH = 80;
const MAX_WIDTH = 240;

/** A row: what the list knows of all measurements, and what is read for those in view. */
interface Row {
  listed: Measurement;
  details: Measurement | undefined;
}

/** The table of measurements with a strip of the status of every value. */
export function MeasurementTable(props: MeasurementTableProps) {
  const { list, columns, configuration, order, split, showPart, selectedIndex, checked, onCheck, onSelect, onOpen, onOrder, onView } =
    props;
  const t = useTexts(texts);
  const formats = useFormats();
  const attributeText = useAttributeText(configuration);
  const { splitName, groupName } = useGroupWords();
  const measurements = list.index ?? [];
  const parts = usePlannedParts(measurements.map(({ partUuid }) => partUuid));
  const [orderKey, direction] = order.split(' ');

  const toggle = (uuid: string) => {
    const changed = new Set(checked);
    if (!changed.delete(uuid)) changed.add(uuid);
    onCheck(changed);
  };
  const timeText = ({ attributes }: Measurement) => {
    const time = attributes[TIME_KEY];
    return time === undefined || Number.isNaN(Date.parse(time)) ? (time ?? t.noTimeYet) : formats.dateTime(time);
  };
  const sortHead = (key: number, name: string) => {
    const isSorted = Number(orderKey) === key;
    return (
      <SortButton isSorted={isSorted} onPress={() => onOrder(`${key} ${isSorted && direction === 'desc' ? 'asc' : 'desc'}`)}>
        {name} {isSorted && <span aria-hidden="true">{direction === 'desc' ? '↓' : '↑'}</span>}
      </SortButton>
    );
  };
  const sortOf = (key: number) => (Number(orderKey) === key ? (direction === 'desc' ? 'descending' : 'ascending') : undefined);
  const areAllChecked = measurements.length > 0 && measurements.every(({ uuid }) => checked.has(uuid));

  const tally = (count: number, status: 'outOfTolerance' | 'inWarning') => (
    <span className={count > 0 ? tableStyles[status] : tableStyles.soft}>{formats.count(count)}</span>
  );
  const groupColumn = ({ attribute, groups }: NonNullable<typeof split>): TableColumn<Row> => ({
    id: 'group',
    width: 132,
    head: sortHead(attribute, splitName(attribute)),
    sorted: sortOf(attribute),
    cell: ({ listed }) => {
      const value = listed.attributes[attribute];
      return (
        <span className={styles.group}>
          <GroupSwatch slot={slotOf(groups, value)} />
          <span>{groupName(attribute, { ...(value !== undefined && { value }) })}</span>
        </span>
      );
    },
  });
  const partCell = (uuid: string) => {
    const name = parts.nameOf(uuid) ?? '';
    return (
      <span title={name}>
        <CutName text={name} toldFrom={lastWordsFrom(name, KEPT_OF_PART)} />
      </span>
    );
  };
  // Serial numbers and batches differ at their ends: none is cut.
  const widthOf = (key: number) =>
    Math.min(
      MAX_WIDTH,
      figureWidth(
        measurements.slice(0, MEASURED_ROWS).map((_, index) => {
          const text = list.rowAt(index)?.attributes[key];
          return text === undefined ? '' : attributeText(key, text).text;
        }),
        MIN_WIDTH,
      ),
    );
  const tableColumns: TableColumn<Row>[] = [
    {
      id: 'check',
      width: 28,
      givesWay: 6,
      content: 'check',
      head: (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={t.selectAll}
          checked={areAllChecked}
          onChange={() => onCheck(areAllChecked ? new Set() : new Set(measurements.map(({ uuid }) => uuid)))}
        />
      ),
      cell: ({ listed }) => (
        <input
          type="checkbox"
          className={styles.check}
          tabIndex={-1}
          aria-label={t.select(timeText(listed))}
          checked={checked.has(listed.uuid)}
          onClick={(event) => event.stopPropagation()}
          onChange={() => toggle(listed.uuid)}
        />
      ),
    },
    {
      id: 'status',
      width: 26,
      content: 'glyph',
      head: <Hidden>{t.status}</Hidden>,
      cell: ({ details }) => details && <Glyph name={worstOf(countsOf(details))} />,
    },
    {
      id: 'time',
      width: 148,
      narrow: { width: 96 },
      wraps: true,
      isRowHeader: true,
      head: sortHead(TIME_KEY, t.time),
      sorted: sortOf(TIME_KEY),
      cell: ({ listed }) => (
        <Link to="/measurements/$measurementUuid" params={{ measurementUuid: listed.uuid }} tabIndex={-1}>
          {timeText(listed)}
        </Link>
      ),
    },
    ...(showPart
      ? [
          {
            id: 'part',
            head: t.part,
            cell: ({ listed }: Row) => partCell(listed.partUuid),
            wraps: true,
            narrow: { least: 170, cell: ({ listed }: Row) => parts.nameOf(listed.partUuid) },
          },
        ]
      : []),
    ...(split ? [groupColumn(split)] : []),
    ...columns
      .filter((key) => key !== split?.attribute)
      .map((key): TableColumn<Row> => {
        const definition = configuration.byKey.get(key);
        const isNumber =
          definition?.definitionType === 'AttributeDefinition' && (definition.type === 'Float' || definition.type === 'Integer');
        return {
          id: String(key),
          head: sortHead(key, definition?.description ?? String(key)),
          sorted: sortOf(key),
          ...(isNumber && { align: 'end' as const }),
          width: widthOf(key),
          givesWay: 4 + columns.indexOf(key) / (columns.length + 1),
          cell: ({ details }) => {
            const text = details?.attributes[key];
            return text === undefined ? null : attributeText(key, text).text;
          },
        };
      }),
    {
      id: 'values',
      width: 60,
      givesWay: 2,
      align: 'end',
      head: t.valueCount,
      cell: ({ details }) => details && formats.count(countsOf(details).values),
    },
    { id: 'out', width: 52, align: 'end', head: t.out, cell: ({ details }) => details && tally(countsOf(details).out, 'outOfTolerance') },
    {
      id: 'warning',
      width: 52,
      givesWay: 7,
      align: 'end',
      head: t.warning,
      cell: ({ details }) => details && tally(countsOf(details).warning, 'inWarning'),
    },
    {
      id: 'strip',
      width: 260,
      givesWay: 1,
      head: t.strip,
      cell: ({ details }) => {
        const planned = details && parts.characteristicsOf(details.partUuid);
        return planned && <Strip statuses={statusesInPlanOrder(details, planned)} width={244} />;
      },
    },
  ];
  return (
    <VirtualTable
      keptAs="measurements"
      label={t.table}
      columns={tableColumns}
      rowCount={measurements.length}
      rowAt={(index) => {
        const listed = measurements[index];
        return listed && { listed, details: list.rowAt(index) };
      }}
      keyOf={(index) => measurements[index]?.uuid ?? String(index)}
      selected={selectedIndex}
      onSelect={onSelect}
      onOpen={onOpen}
      onToggle={(index) => {
        const uuid = measurements[index]?.uuid;
        if (uuid !== undefined) toggle(uuid);
      }}
      onView={onView}
      isBusy={list.isBusy}
    />
  );
}
