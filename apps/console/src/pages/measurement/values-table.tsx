import type { MeasurementWithValues, Note } from '@sinebar/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { Choice, MultipleChoice } from '../../design/controls/choice';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { FilterField } from '../../design/controls/field';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, Rare, TableFoot } from '../../design/layout/lines';
import { AsProgram } from '../../design/program/program';
import { Empty, Failed } from '../../design/states/pane-state';
import { VirtualTable } from '../../design/table/virtual-table';
import { ExportMenu } from '../../quality/export/export-menu';
import { useMay } from '../../server/session/use-session';
import { sortRows, type MeasuredRow } from '../../quality/values/measured-rows';
import { measurementFilesQuery } from '../../quality/files/measurement-files';
import type { MeasurementContent } from '../../quality/values/measurement-values';
import { nameOf, plainPathOf } from '../../server/queries/plan-path';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useView, type ViewChange } from '../../server/use-view';
import { FILTER_STATUSES } from '../../quality/values/filter-statuses';
import { AGAINST_NOTHING, ROW_ORDERS, type MeasurementAddress } from './search';
import { texts } from './texts';
import { useComparable } from './use-comparable';
import { useTimeText } from './use-time-text';
import { useValueColumns } from './value-columns';
import textStyles from '../../design/styles/text.module.css';

export interface ValuesTableProps {
  content: MeasurementContent;
  rows: readonly MeasuredRow[];
  before: MeasurementWithValues | undefined;
  comparedUuid: string | undefined;
  comparedError: unknown;
  /** Notes about this measurement by the uuid of their characteristic. */
  notes: ReadonlyMap<string, readonly Note[]>;
}

/** The values with their deviations, and the change since the measurement that they stand against. */
export function ValuesTable({ content, rows, before, comparedUuid, comparedError, notes }: ValuesTableProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const timeText = useTimeText();
  const navigate = useNavigate();
  const { measurement, part } = content;
  const { view: address, change: changeAddress } = useView<MeasurementAddress>();
  const { order = 'worst', statuses, find = '', selected, against } = address;
  const change = (changes: ViewChange<MeasurementAddress>) =>
    changeAddress(changes, { isStep: !Object.keys(changes).every((name) => name === 'selected' || name === 'find') });
  const [view, setView] = useState({ first: 0, last: -1 });
  const [isDeleting, setDeleting] = useState(false);
  const mayDelete = useMay('measurement:write', plainPathOf(part.path));
  const comparable = useComparable(measurement);

  const shown = useMemo(() => {
    const words = find.toLowerCase();
    const wanted = rows.filter(
      ({ name, group, status }) =>
        (statuses === undefined ? status !== 'noData' || order === 'plan' : statuses.includes(status)) &&
        `${group} ${name}`.toLowerCase().includes(words),
    );
    return sortRows(wanted, order, formats.compare);
  }, [find, formats, order, rows, statuses]);
  const units = [...new Set(rows.filter(({ status }) => status !== 'noData').map(({ unit }) => unit))];
  const beforeTime = before && (timeText(before) ?? '');
  const columns = useValueColumns({
    partUuid: part.uuid,
    order,
    onOrder: (next) => change({ order: next === 'worst' ? undefined : next }),
    beforeTime,
    showUnits: units.length > 1,
    rows: shown,
    notes,
  });
  const selectedIndex = selected === undefined ? -1 : shown.findIndex(({ uuid }) => uuid === selected);

  const table = () => {
    const head = [t.headStatus, t.characteristic, t.nominal, t.measured, t.deviation, ...(before ? [beforeTime ?? '', t.change] : [])];
    const rows = shown.map((row) => [
      t[row.status],
      [row.group, row.name].filter((name) => name !== '').join(' / '),
      row.limits.nominal,
      row.value,
      row.deviation,
      ...(before ? [row.before?.value, row.change] : []),
    ]);
    return { head, rows };
  };

  return (
    <>
      <OptionsLine
        actions={
          <Rare>
            <AsProgram
              requests={[{ title: t.table, path: `/dataServiceRest/values/${measurement.uuid}`, query: {} }]}
              answer={measurement}
            />
            <ExportMenu
              title={[nameOf(part.path), timeText(measurement) ?? '']}
              table={table}
              canPrint
              values={{ measurementUuids: [measurement.uuid] }}
              reported={{ subject: 'measurement', selection: { partUuid: part.uuid, measurementUuid: measurement.uuid } }}
            />
            <QuietButton isDanger isDisabled={mayDelete !== true} onPress={() => setDeleting(true)}>
              {t.delete}
            </QuietButton>
          </Rare>
        }
      >
        <FilterField label={t.filter} value={find} onChange={(text) => change({ find: text === '' ? undefined : text })} />
        <MultipleChoice
          what={t.status}
          value={statuses === undefined ? t.all : statuses.map((status) => t[status]).join(', ')}
          options={FILTER_STATUSES.map((id) => ({ id, name: t[id] }))}
          chosen={statuses ?? []}
          onChoose={(chosen) => change({ statuses: chosen.length === 0 ? undefined : chosen })}
        />
        <Choice
          what={t.order}
          value={t[ORDER_TEXTS[order]]}
          options={ROW_ORDERS.map((id) => ({ id, name: t[ORDER_TEXTS[id]] }))}
          chosen={order}
          onChoose={(next) => change({ order: next === 'worst' ? undefined : next })}
        />
        <Rare>
          <Choice
            what={t.against}
            value={against === undefined ? t.theOneBefore : comparedUuid === undefined ? t.nothing : (beforeTime ?? '…')}
            options={[
              { id: PREVIOUS, name: t.theOneBefore },
              { id: AGAINST_NOTHING, name: t.nothing },
              ...comparable.map((each) => ({ id: each.uuid, name: timeText(each) ?? t.withoutTime })),
            ]}
            chosen={against ?? PREVIOUS}
            onChoose={(id) => change({ against: id === PREVIOUS ? undefined : id })}
          />
        </Rare>
      </OptionsLine>
      {mayDelete === false && <p className={textStyles.note}>{t.missingRight}</p>}
      {comparedError !== null && comparedUuid !== undefined && before === undefined && <Failed error={comparedError} />}
      {shown.length === 0 ? (
        <Empty>
          <p>{rows.length === 0 ? t.noCharacteristics : t.noMatch}</p>
          {rows.length > 0 && <Button onPress={() => change({ statuses: undefined, find: undefined })}>{t.removeFilter}</Button>}
        </Empty>
      ) : (
        <>
          <VirtualTable
            keptAs="values"
            label={t.table}
            columns={columns}
            rowCount={shown.length}
            rowAt={(index) => shown[index]}
            keyOf={(index) => shown[index]?.uuid ?? String(index)}
            selected={selectedIndex}
            onSelect={(index) => change({ selected: shown[index]?.uuid })}
            onOpen={(index) => {
              const row = shown[index];
              if (row)
                void navigate({
                  to: '/parts/$partUuid/characteristics/$characteristicUuid',
                  params: { partUuid: part.uuid, characteristicUuid: row.uuid },
                });
            }}
            onView={(first, last) => setView((known) => (known.first === first && known.last === last ? known : { first, last }))}
          />
          <TableFoot
            note={[
              t.note(units.length === 1 ? (units[0] ?? '') : ''),
              ...(beforeTime === undefined ? [] : [t.noteChange(beforeTime)]),
            ].join(' ')}
          >
            {t.rows(formats.count(view.first + 1), formats.count(Math.min(view.last + 1, shown.length)), formats.count(shown.length))}
          </TableFoot>
        </>
      )}
      {isDeleting && (
        <DeleteThis content={content} values={rows.filter(({ status }) => status !== 'noData').length} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

const PREVIOUS = 'previous';
const ORDER_TEXTS = { worst: 'orderWorst', plan: 'orderPlan', name: 'orderName', change: 'orderChange' } as const;

function DeleteThis({
  content: { measurement, part },
  values,
  onClose,
}: {
  content: MeasurementContent;
  values: number;
  onClose: () => void;
}) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const files = useQuery(measurementFilesQuery(server, measurement.uuid));
  const size = files.data?.reduce((sum, file) => sum + file.size, 0) ?? 0;
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      goes={[
        <>
          <strong>{formats.count(values)}</strong> {t.goesValues(String(values))}
        </>,
        ...(files.data === undefined ? [files.error instanceof Error ? files.error.message : t.counting] : []),
        ...(files.data && files.data.length > 0
          ? [
              <>
                <strong>{formats.count(files.data.length)}</strong> {t.goesFiles(formats.size(size))}
              </>,
            ]
          : []),
      ]}
      action={t.deleteAction}
      isCounting={files.data === undefined}
      onConfirm={async () => {
        await server.measurements.delete({ measurementUuids: [measurement.uuid], aggregation: 'All' });
        await navigate({ to: '/parts/$partUuid/measurements', params: { partUuid: part.uuid } });
        await queries.invalidateQueries({ queryKey: queryKeys.measurements() });
      }}
      onClose={onClose}
    />
  );
}
