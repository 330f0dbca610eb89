import type { Alarm } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Pane, type PaneQuery } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import { MAX_OF_ITEM } from '../../server/queries/alarm-queries';
import { causeText } from '../notes/causes';
import { beginOf, STATE_GLYPHS } from './alarm-facts';
import { texts } from './texts';
import { useAlarmWords } from './use-alarm-words';
import styles from './alarms.module.css';

/** Alarms that are shown at first. */
const FIRST = 10;

interface AlarmsOfItemProps {
  query: PaneQuery<readonly Alarm[]>;
  unit: string;
  /** Shows the alarm on the chart; undefined where it has no place there. */
  onShow: (alarm: Alarm) => (() => void) | undefined;
}

/** Alarms of a characteristic, the newest first, each with a link into the inbox; nothing where there are none. */
export function AlarmsOfItem({ query, unit, onShow }: AlarmsOfItemProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const id = useId();
  const [shown, setShown] = useState(FIRST);
  const found = query.data?.length ?? 0;
  if (query.data !== undefined && found === 0) return null;
  return (
    <section className={styles.pane} aria-labelledby={id}>
      <PaneHead
        id={id}
        name={t.alarms}
        note={found > 0 && (found < MAX_OF_ITEM ? t.ofCharacteristic(count(found)) : t.newest(count(found)))}
      />
      <Pane query={query}>
        {(alarms) => (
          <>
            <ul className={styles.list}>
              {alarms.slice(0, shown).map((alarm) => (
                <li key={alarm.uuid}>
                  <AlarmItem alarm={alarm} unit={unit} onShow={onShow(alarm)} />
                </li>
              ))}
            </ul>
            {found > shown && (
              <span className={styles.onScreen}>
                <Button kind="quiet" onPress={() => setShown(shown + MAX_OF_ITEM)}>
                  {t.more(count(found - shown))}
                </Button>
              </span>
            )}
          </>
        )}
      </Pane>
    </section>
  );
}

function AlarmItem({ alarm, unit, onShow }: { alarm: Alarm; unit: string; onShow: (() => void) | undefined }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const language = useLanguage();
  const words = useAlarmWords();
  const { uuid, state, closed, modifiedBy, causeText: cause } = alarm;
  const value = [words.value(alarm, unit), words.limits(alarm)].filter((text) => text !== '').join(', ');
  return (
    <>
      <p className={styles.line}>
        <Link to="/alarms" search={{ state: 'all', told: 'all', selected: uuid }}>
          <Glyph name={STATE_GLYPHS[state]} label={t[`state_${state}`]} /> {words.what(alarm)}
        </Link>
        {value !== '' && <span>{value}</span>}
        {cause !== undefined && <strong>{causeText(cause, language)}</strong>}
      </p>
      <p className={styles.about}>
        <time dateTime={beginOf(alarm)}>{formats.dateTime(beginOf(alarm))}</time>
        <span>
          {state === 'closed' && closed !== undefined
            ? modifiedBy === undefined
              ? t.closedAt(formats.dateTime(closed))
              : t.closedBy(modifiedBy, formats.dateTime(closed))
            : t[`state_${state}`]}
        </span>
        {onShow && (
          <span className={styles.onScreen}>
            <Button kind="quiet" onPress={onShow}>
              {t.showOnChart}
            </Button>
          </span>
        )}
      </p>
    </>
  );
}
