import type { Alarm } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { useFormats, useTexts } from '../../design/language/language';
import { TableFoot } from '../../design/layout/lines';
import { Split } from '../../design/layout/split';
import { Nothing } from '../../design/states/nothing';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { isOpen, rightsPathOf, viewOf } from '../../quality/alarms/alarm-facts';
import { CloseDialog } from '../../quality/alarms/close-dialog';
import { useChangeAlarms } from '../../quality/alarms/use-change-alarms';
import { useConfiguration } from '../../quality/attributes/configuration';
import { ExportMenu } from '../../quality/export/export-menu';
import { statusOf } from '../../server/error-status';
import { alarmCountQuery, mutesQuery, unitsQuery } from '../../server/queries/alarm-queries';
import { useServer } from '../../server/server';
import { useRights, useRightSomewhere } from '../../server/session/use-session';
import { useView } from '../../server/use-view';
import { AlarmFilters } from './alarm-filters';
import { AlarmTable } from './alarm-table';
import { MuteDialog } from './mute-dialog';
import { MutesDialog } from './mutes-dialog';
import type { AlarmsAddress } from './search';
import { SelectedAlarm } from './selected-alarm';
import { checkedRange, type ShownAlarm } from './shown-alarms';
import { texts } from './texts';
import { useAlarmKeys } from './use-alarm-keys';
import { useAlarmTable } from './use-alarm-table';
import { useAlarms } from './use-alarms';
import { useChoice } from './use-choice';
import styles from './alarms.module.css';

const NO_ROWS: readonly ShownAlarm[] = [];
const NO_UNITS: ReadonlyMap<string, string> = new Map();
const NOTHING: ReadonlySet<string> = new Set();
/** Rows whose units are read at once. */
const UNIT_ROWS = 100;

type Open = { what: 'close'; alarms: readonly Alarm[] } | { what: 'mute'; partPath: string | undefined } | { what: 'mutes' };

/** Filters, the inbox, and the alarm at the side. */
export function AlarmsView() {
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const server = useServer();
  const { view, change: changeView } = useView<AlarmsAddress>();
  const { selected, told = 'told' } = view;
  const table = useRef<HTMLTableElement>(null);
  const [cursor, setCursor] = useState(selected);
  const [address, setAddress] = useState(selected);
  const [checked, setChecked] = useState(NOTHING);
  const [changed, setChanged] = useState(NOTHING);
  const [open, setOpen] = useState<Open>();
  const [inView, setInView] = useState({ first: 0, last: -1 });
  // Keys come faster than the address follows; a link into the inbox still moves the cursor.
  if (selected !== address) {
    setAddress(selected);
    setCursor(selected);
  }
  const choice = useChoice(view);
  const list = useAlarms(choice, changed);
  const untold = useQuery({ ...alarmCountQuery(server, { ...choice, told: false }), enabled: told === 'told' }).data ?? 0;
  const { change, failures, pending } = useChangeAlarms();
  const rows = list.rows ?? NO_ROWS;
  const units = useUnits(rows, inView.first);
  const mutes = useQuery(mutesQuery(server)).data;
  // The catalogs of causes and actions are there when an alarm is closed.
  useConfiguration();
  const tableOf = useAlarmTable(rows, units);
  const may = useRights();
  const mayAnywhere = useRightSomewhere('note:write');

  const chosen = useMemo(() => {
    const found = rows.filter(({ alarm }) => checked.has(alarm.uuid));
    return (found.length > 0 ? found : rows.filter(({ alarm }) => alarm.uuid === cursor)).map(({ alarm }) => alarm);
  }, [rows, checked, cursor]);
  const allowed = chosen.filter((alarm) => may('note:write', rightsPathOf(alarm)));
  const toAcknowledge = allowed.filter(({ state }) => state === 'raised');
  const toClose = allowed.filter(isOpen);
  const isSeveral = chosen.length > 1;

  const say = async (alarms: readonly Alarm[], said: Parameters<typeof change>[1]) => {
    const done = await change(alarms, said);
    setChanged((known) => new Set([...known, ...done]));
    setChecked((known) => new Set([...known].filter((uuid) => !done.has(uuid))));
  };
  const acknowledge = (alarms: readonly Alarm[]) => void (alarms.length > 0 && say(alarms, { state: 'acknowledged' }));
  const close = (alarms: readonly Alarm[]) => alarms.length > 0 && setOpen({ what: 'close', alarms });
  useAlarmKeys(table, {
    acknowledge: () => acknowledge(toAcknowledge),
    close: () => close(toClose),
    clear: () => setChecked(NOTHING),
  });
  const select = (uuid: string, isRange: boolean) => {
    if (isRange)
      setChecked(
        checkedRange(
          rows.map(({ alarm }) => alarm.uuid),
          [cursor ?? uuid, uuid],
          checked,
        ),
      );
    setCursor(uuid);
    setAddress(uuid);
    changeView({ selected: uuid }, { isStep: false });
  };
  const onView = (first: number, last: number) => {
    list.onView(first, last);
    setInView((known) => (known.first === first && known.last === last ? known : { first, last }));
  };
  const failed = rows.filter(({ alarm }) => failures.has(alarm.uuid)).length;
  const isFiltered = Object.keys(view).some((name) => name !== 'selected');

  return (
    <>
      <Split
        detailLabel={t.selected}
        detail={
          <SelectedAlarm
            uuid={cursor}
            failure={failures.get(cursor ?? '')}
            acts={{
              acknowledge: (alarm) => acknowledge([alarm]),
              close: (alarm) => close([alarm]),
              reopen: (alarm) => void say([alarm], { state: 'acknowledged' }),
              mute: (alarm) => setOpen({ what: 'mute', partPath: rightsPathOf(alarm) }),
            }}
          />
        }
      >
        <AlarmFilters
          view={view}
          change={changeView}
          actions={
            <>
              {mayAnywhere && (
                <>
                  <QuietButton isDisabled={toAcknowledge.length === 0} aria-keyshortcuts="A" onPress={() => acknowledge(toAcknowledge)}>
                    {isSeveral ? t.acknowledgeSome(formats.count(toAcknowledge.length)) : t.acknowledge}
                  </QuietButton>
                  <QuietButton isDisabled={toClose.length === 0} aria-keyshortcuts="C" onPress={() => close(toClose)}>
                    {isSeveral ? t.closeSome(formats.count(toClose.length)) : t.close}
                  </QuietButton>
                  <QuietButton onPress={() => setOpen({ what: 'mute', partPath: undefined })}>{t.mute}</QuietButton>
                </>
              )}
              {mutes !== undefined && mutes.length > 0 && (
                <QuietButton onPress={() => setOpen({ what: 'mutes' })}>
                  {t.mutes(formats.count(mutes.length), mutes.length === 1)}
                </QuietButton>
              )}
              <ExportMenu title={[t.title]} table={() => (list.rows ? tableOf() : undefined)} canPrint />
            </>
          }
        >
          {list.rows && (
            <span className={styles.found} role="status">
              {list.isCut ? t.foundCut(formats.count(rows.length)) : t.found(formats.count(rows.length), rows.length === 1)}
              {pending > 0 && `; ${t.changing(formats.count(pending))}`}
            </span>
          )}
        </AlarmFilters>
        {!mayAnywhere && <p className={styles.readOnly}>{t.readOnly}</p>}
        {mayAnywhere && allowed.length < chosen.length && (
          <p className={styles.readOnly}>{t.someReadOnly(formats.count(chosen.length - allowed.length))}</p>
        )}
        {failed > 0 && (
          <p className={styles.sign} role="alert">
            {t.failed(formats.count(failed), failed === 1)}
          </p>
        )}
        {list.fresh > 0 && (
          <div className={styles.sign} role="status">
            {t.fresh(formats.count(list.fresh), list.fresh === 1)}
            <QuietButton onPress={list.renew}>{t.showFresh}</QuietButton>
          </div>
        )}
        {told === 'told' && untold > 0 && (
          <p className={styles.readOnly}>
            {t.untold(formats.count(untold), untold === 1)}{' '}
            <QuietButton onPress={() => changeView({ told: 'all' })}>{t.showUntold}</QuietButton>
          </p>
        )}
        {list.rows === undefined && list.error === null && <Skeleton rows={12} />}
        {list.error !== null && statusOf(list.error) === 403 ? (
          <Nothing title={t.missingRight} isAlert>
            {t.missingRightText}
          </Nothing>
        ) : (
          list.error !== null && <Failed error={list.error} onRetry={list.refetch} />
        )}
        {list.rows && rows.length > 0 && (
          <>
            <AlarmTable
              rows={rows}
              units={units}
              failures={failures}
              selected={cursor}
              checked={checked}
              onCheck={setChecked}
              onSelect={select}
              onOpen={({ alarm }) => {
                const { partUuid, characteristicUuid } = alarm;
                if (characteristicUuid === undefined) return;
                void navigate({
                  to: '/parts/$partUuid/characteristics/$characteristicUuid',
                  params: { partUuid, characteristicUuid },
                  search: viewOf(alarm, new Date()),
                });
              }}
              onView={onView}
              isBusy={list.isBusy}
              tableRef={table}
            />
            <TableFoot note={t.keys}>
              {t.rows(formats.count(inView.first + 1), formats.count(Math.min(inView.last + 1, rows.length)), formats.count(rows.length))}
            </TableFoot>
          </>
        )}
        {list.rows && rows.length === 0 && (
          <Nothing title={isFiltered ? t.noMatch : t.none_open}>
            {isFiltered ? (
              <Button
                onPress={() =>
                  changeView({
                    state: undefined,
                    kind: undefined,
                    below: undefined,
                    within: undefined,
                    from: undefined,
                    to: undefined,
                    told: undefined,
                  })
                }
              >
                {t.removeFilters}
              </Button>
            ) : (
              t.noneText
            )}
          </Nothing>
        )}
      </Split>
      {open?.what === 'close' && (
        <CloseDialog
          alarms={open.alarms}
          onSubmit={(said) => say(open.alarms, { state: 'closed', ...said })}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.what === 'mute' && <MuteDialog partPath={open.partPath} onClose={() => setOpen(undefined)} />}
      {open?.what === 'mutes' && <MutesDialog mutes={mutes ?? []} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** Units of the characteristics in and around the rows in view. */
function useUnits(rows: readonly ShownAlarm[], first: number): ReadonlyMap<string, string> {
  const from = Math.floor(first / UNIT_ROWS) * UNIT_ROWS;
  const uuids = useMemo(() => {
    const near = rows.slice(Math.max(0, from - UNIT_ROWS), from + 2 * UNIT_ROWS);
    return [...new Set(near.flatMap(({ alarm }) => alarm.characteristicUuid ?? []))].sort();
  }, [rows, from]);
  return useQuery(unitsQuery(useServer(), uuids)).data ?? NO_UNITS;
}
