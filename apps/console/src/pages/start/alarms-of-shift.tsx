import type { Alarm } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Glyph } from '../../design/status/glyph';
import { alarmNames, STATE_GLYPHS } from '../../quality/alarms/alarm-facts';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { useAlarmWords } from '../../quality/alarms/use-alarm-words';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { lastShift } from './last-shift';
import styles from './start.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

/** Alarms in the list. */
const MAX_ALARMS = 5;

/** Shows the alarms that were raised in the last shift, the newest first; nothing on servers that know none. */
export function AlarmsOfShift() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const { data } = useQuery({
    queryKey: queryKeys.alarms('of shift'),
    queryFn: async ({ signal }) => {
      const { name, from, to } = lastShift(await server.analysis.settings({ signal }), new Date());
      const time = { from: from.toISOString(), to: to.toISOString() };
      const [total, alarms] = await Promise.all([
        server.alarms.count({ ...time, told: true, signal }),
        server.alarms.list({ ...time, told: true, limitResult: MAX_ALARMS, signal }),
      ]);
      return { name, time, total, alarms };
    },
    retry: false,
  });
  if (data === undefined) return null;
  const { name, time, total, alarms } = data;
  return (
    <section aria-labelledby="alarms" className={styles.changed}>
      <PaneHead id="alarms" name={name === undefined ? t.alarmsOfDay : t.alarmsOfShift} note={count(total)} />
      <ul className={styles.events}>
        {alarms.map((alarm) => (
          <AlarmItem key={alarm.uuid} alarm={alarm} search={{ state: 'all', ...time, selected: alarm.uuid }} />
        ))}
      </ul>
      {total === 0 ? (
        <p className={styles.what}>{t.noAlarms}</p>
      ) : (
        <Link to="/alarms" search={{ state: 'all', ...time }} className={styles.all}>
          {t.allAlarms(count(total))}
        </Link>
      )}
    </section>
  );
}

function AlarmItem({ alarm, search }: { alarm: Alarm; search: { state: 'all'; from: string; to: string; selected: string } }) {
  const words = useTexts(alarmTexts);
  const { time, dateTime } = useFormats();
  const say = useAlarmWords();
  const { name, above } = alarmNames(alarm);
  return (
    <li>
      <time className={textStyles.note} dateTime={alarm.raised} title={dateTime(alarm.raised)}>
        {time(alarm.raised)}
      </time>
      <p>
        <Link to="/alarms" search={search} title={above}>
          <Glyph name={STATE_GLYPHS[alarm.state]} label={words[`state_${alarm.state}`]} /> {name}
        </Link>
        <span className={styles.what}>{say.what(alarm)}</span>
      </p>
    </li>
  );
}
