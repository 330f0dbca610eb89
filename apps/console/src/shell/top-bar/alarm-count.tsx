import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import { OPEN_ALARM_STATES } from '@sinebar/client';
import { alarmCountQuery } from '../../server/queries/alarm-queries';
import { useServer } from '../../server/server';
import { texts } from '../texts';
import styles from './top-bar.module.css';

/** Number of open alarms that somebody is told of, which leads to them; nothing while none is, and for readers who may not know. */
export function AlarmCount() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const { data: open = 0 } = useQuery(alarmCountQuery(useServer(), { state: OPEN_ALARM_STATES, told: true }));
  if (open === 0) return null;
  return (
    <Link to="/alarms" className={styles.alarms} aria-label={t.openAlarms(count(open), open === 1)}>
      <Glyph name="outOfTolerance" label="" />
      {count(open)}
    </Link>
  );
}
