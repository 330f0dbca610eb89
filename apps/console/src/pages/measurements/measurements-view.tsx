import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { TableFoot } from '../../design/layout/lines';
import { Split } from '../../design/layout/split';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { useConfiguration, type Configuration } from '../../quality/attributes/configuration';
import { useMay } from '../../server/session/use-session';
import { formatConditions, parseConditions } from '../../quality/conditions/condition-text';
import { conditionOn } from '../../quality/conditions/condition-on';
import { SplitAndFilter } from '../../quality/conditions/split-and-filter';
import { DeleteMeasurements } from './delete-measurements';
import { MeasurementTable } from './measurement-table';
import { listedGroups, MeasurementGroups } from './measurement-groups';
import { MeasurementOptions } from './measurement-options';
import { NothingFound } from './nothing-found';
import { SelectedMeasurement } from './selected-measurement';
import type { MeasurementsAddress, MeasurementsChange } from './search';
import { texts } from './texts';
import { queryKeys } from '../../server/queries/keys';
import { TIME_KEY, useMeasurements, type MeasurementChoice, type MeasurementList } from './use-measurements';
import textStyles from '../../design/styles/text.module.css';

export interface MeasurementsViewProps {
  /** Path of the part, without type marker. */
  partPath: string;
  /** Whether measurements of all parts are listed. */
  isEverywhere?: boolean;
  view: MeasurementsAddress;
  change: (change: MeasurementsChange) => void;
}

/** Attributes that show as long as the reader chooses no others. */
const USUAL_COLUMNS = 3;

/** Conditions, the table of measurements, and the values of the selected one. */
export function MeasurementsView({ partPath, isEverywhere = false, view, change }: MeasurementsViewProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { configuration } = useConfiguration();
  const mayDelete = useMay('measurement:write', partPath);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setDeleting] = useState(false);
  const [inView, setInView] = useState({ first: 0, last: -1 });

  const isDeep = isEverywhere || view.isDeep;
  const conditions = useMemo(() => parseConditions(view.searchCondition), [view.searchCondition]);
  const choice = useMemo<MeasurementChoice | undefined>(
    () =>
      conditions && {
        ...(isEverywhere ? {} : { partPath, ...(isDeep && { deep: true }) }),
        order: view.order,
        ...(conditions.length > 0 && { searchCondition: formatConditions(conditions) }),
      },
    [conditions, isDeep, isEverywhere, partPath, view.order],
  );
  const { split } = view;
  const list = useMeasurements(choice, split);
  const measurements = list.index;
  const definitions = useMemo(() => configuration.of('measurement').filter(({ key }) => key !== TIME_KEY), [configuration]);
  const columns = useMemo(
    () => view.columns?.map(Number) ?? definitions.slice(0, USUAL_COLUMNS).map(({ key }) => key),
    [view.columns, definitions],
  );
  const found = measurements?.length ?? 0;
  const groups = useMemo(() => (split === undefined ? [] : listedGroups(measurements ?? [], split)), [measurements, split]);
  const filter = (searchCondition: string | undefined) => change({ searchCondition, selected: undefined });
  const selectedIndex = useMemo(
    () => (view.selected === undefined ? -1 : (measurements?.findIndex(({ uuid }) => uuid === view.selected) ?? -1)),
    [measurements, view.selected],
  );
  const select = useCallback((uuid: string | undefined) => change({ selected: uuid }), [change]);
  const chosen = useMemo(() => {
    const listed = measurements?.filter(({ uuid }) => checked.has(uuid)).map(({ uuid }) => uuid) ?? [];
    return listed.length > 0 || selectedIndex < 0 || view.selected === undefined ? listed : [view.selected];
  }, [checked, measurements, selectedIndex, view.selected]);

  const onListView = list.onView;
  const onView = useCallback(
    (first: number, last: number) => {
      onListView(first, last);
      setInView((known) => (known.first === first && known.last === last ? known : { first, last }));
    },
    [onListView],
  );

  return (
    <>
      <SplitAndFilter
        condition={view.searchCondition === '' ? undefined : view.searchCondition}
        onFilter={filter}
        by={split}
        onSplit={(by) => change({ split: typeof by === 'number' ? by : undefined })}
        hasTimeGroups={false}
        partPath={partPath}
      />
      <Split
        detailLabel={t.selected}
        detail={
          <SelectedMeasurement
            uuid={view.selected}
            configuration={configuration}
            previous={measurements?.[selectedIndex - 1]?.uuid}
            next={selectedIndex < 0 ? undefined : measurements?.[selectedIndex + 1]?.uuid}
            onSelect={select}
          />
        }
      >
        <MeasurementOptions
          partPath={partPath}
          isEverywhere={isEverywhere}
          isDeep={isDeep}
          choice={choice}
          columns={columns}
          definitions={definitions}
          configuration={configuration}
          change={change}
          onDelete={() => setDeleting(true)}
          canDelete={mayDelete === true}
          chosen={chosen.length}
          found={<Found list={list} order={view.order} configuration={configuration} />}
        />
        {mayDelete === false && chosen.length > 0 && <p className={textStyles.note}>{t.missingRight}</p>}
        {conditions === undefined ? (
          <NothingFound reason="unreadable" onShowAll={() => change({ searchCondition: undefined })} />
        ) : measurements === undefined ? (
          list.error === null ? (
            <Skeleton rows={12} />
          ) : (
            <Failed error={list.error} onRetry={list.refetch} />
          )
        ) : found === 0 && choice !== undefined ? (
          <NothingFound
            reason={conditions.length === 0 ? (isDeep ? 'empty' : 'emptyBelow') : 'conditions'}
            conditions={conditions}
            choice={choice}
            configuration={configuration}
            onChange={(changed) => change({ searchCondition: changed.length === 0 ? undefined : formatConditions(changed) })}
            onShowBelow={() => change({ deep: true })}
          />
        ) : (
          <>
            {list.error !== null && <Failed error={list.error} onRetry={list.refetch} />}
            {split !== undefined && (
              <MeasurementGroups
                attribute={split}
                groups={groups}
                onOnly={(value) => filter(conditionOn(view.searchCondition, split, value, configuration))}
              />
            )}
            <MeasurementTable
              list={list}
              {...(split !== undefined && { split: { attribute: split, groups } })}
              columns={columns}
              configuration={configuration}
              order={view.order}
              showPart={isDeep}
              selectedIndex={selectedIndex}
              checked={checked}
              onCheck={setChecked}
              onSelect={(index) => select(measurements[index]?.uuid)}
              onOpen={(index) => {
                const uuid = measurements[index]?.uuid;
                if (uuid !== undefined) void navigate({ to: '/measurements/$measurementUuid', params: { measurementUuid: uuid } });
              }}
              onOrder={(order) => change({ order: order === `${TIME_KEY} desc` ? undefined : order })}
              onView={onView}
            />
            <TableFoot>
              {t.rows(formats.count(inView.first + 1), formats.count(Math.min(inView.last + 1, found)), formats.count(found))}
            </TableFoot>
          </>
        )}
      </Split>
      {isDeleting && (
        <DeleteMeasurements
          uuids={chosen}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setChecked(new Set());
            select(undefined);
            void queries.invalidateQueries({ queryKey: queryKeys.measurements() });
            void queries.invalidateQueries({ queryKey: queryKeys.overview() });
          }}
        />
      )}
    </>
  );
}

/** Says how many measurements were found, and in which order they are listed. */
function Found({ list, order, configuration }: { list: MeasurementList; order: string; configuration: Configuration }) {
  const t = useTexts(texts);
  const formats = useFormats();
  if (list.index === undefined) return null;
  const count = list.index.length;
  const orderText = () => {
    const [key, direction] = order.split(' ');
    if (Number(key) === TIME_KEY) return direction === 'desc' ? t.newestFirst : t.oldestFirst;
    return t.sortedBy(configuration.byKey.get(Number(key))?.description ?? key ?? '');
  };
  return (
    <>
      <strong>{formats.count(count)}</strong> {`${t.found(String(count))}, ${orderText()}`}
      {list.isCut && `; ${t.foundCut}`}
    </>
  );
}
