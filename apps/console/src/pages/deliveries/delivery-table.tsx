import type { AlarmDelivery, DeliveryState } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { Button } from '../../design/controls/button';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph, type GlyphName } from '../../design/status/glyph';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import { texts } from './texts';
import styles from '../../design/tables/table.module.css';

const GLYPHS: Readonly<Record<DeliveryState, GlyphName>> = {
  waiting: 'inWarning',
  sending: 'inWarning',
  delivered: 'inLimits',
  failed: 'outOfTolerance',
  cancelled: 'noLimits',
};
/** Two lines of text with their space, and the line below, px; the style sheet says the same. */
const ROW_HEIGHT = 43;

interface DeliveryTableProps {
  deliveries: readonly AlarmDelivery[];
  isBusy: boolean;
  onRetry: (uuid: string) => void;
}

/** Messages, the newest first. */
export function DeliveryTable({ deliveries, isBusy, onRetry }: DeliveryTableProps) {
  const t = useTexts(texts);
  const { count, dateTime, dayTime } = useFormats();
  const stateText = ({ state }: AlarmDelivery) => (state === 'cancelled' ? t.cancelledShort : t[state]);
  const triesText = ({ state, tries, nextTry }: AlarmDelivery) =>
    [
      tries === 1 ? t.oneTry : tries > 1 ? t.tries(count(tries)) : '',
      state === 'waiting' && nextTry !== undefined ? (tries === 0 ? t.dueAt : t.nextTry)(dayTime(nextTry)) : '',
    ]
      .filter((text) => text !== '')
      .join(', ');
  const retry = (delivery: AlarmDelivery) => {
    const { uuid, state, receiver, created } = delivery;
    if (state !== 'failed' && state !== 'waiting') return null;
    return (
      <Button kind="quiet" aria-label={t.retryOf(receiver.to, dateTime(created))} isDisabled={isBusy} onPress={() => onRetry(uuid)}>
        {state === 'failed' ? t.retry : t.retryNow}
      </Button>
    );
  };
  const message = ({ test, alarms, alarmUuids }: AlarmDelivery) =>
    test ? (
      t.test
    ) : alarms === 1 && alarmUuids[0] !== undefined ? (
      <Link to="/alarms" search={{ state: 'all', told: 'all', selected: alarmUuids[0] }}>
        {t.alarms(count(1), true)}
      </Link>
    ) : (
      t.alarms(count(alarms), false)
    );
  const columns: TableColumn<AlarmDelivery>[] = [
    {
      id: 'state',
      width: 26,
      content: 'glyph',
      head: <Hidden>{t.state}</Hidden>,
      cell: (delivery) => <Glyph name={GLYPHS[delivery.state]} label={t[delivery.state]} />,
    },
    {
      id: 'created',
      width: 124,
      givesWay: 2,
      head: t.created,
      cell: ({ created }) => (
        <time dateTime={created} title={dateTime(created)}>
          {dayTime(created)}
        </time>
      ),
    },
    {
      id: 'receiver',
      isRowHeader: true,
      wraps: true,
      head: t.receiver,
      cell: (delivery) => (
        <span className={styles.two} title={delivery.receiver.to}>
          <span>{delivery.receiver.to}</span>
          <span className={styles.second}>{message(delivery)}</span>
        </span>
      ),
    },
    {
      id: 'answer',
      width: 320,
      narrow: { width: 140 },
      wraps: true,
      head: t.answer,
      cell: (delivery) => (
        <span className={styles.two} title={delivery.answer}>
          <span>
            {stateText(delivery)}
            {delivery.answer !== undefined && `: ${delivery.answer}`}
          </span>
          <span className={styles.second}>{triesText(delivery)}</span>
        </span>
      ),
    },
    { id: 'retry', width: 132, narrow: { width: 96 }, wraps: true, head: <Hidden>{t.retry}</Hidden>, cell: retry },
  ];
  return (
    <VirtualTable
      keptAs="deliveries"
      label={t.title}
      columns={columns}
      rowCount={deliveries.length}
      rowAt={(index) => deliveries[index]}
      keyOf={(index) => deliveries[index]?.uuid ?? String(index)}
      rowHeight={ROW_HEIGHT}
    />
  );
}
