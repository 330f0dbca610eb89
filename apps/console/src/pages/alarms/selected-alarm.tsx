import type { Alarm, AlarmStep } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { NamedValues, type NamedValue } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Pane } from '../../design/states/pane-state';
import { Glyph } from '../../design/status/glyph';
import { isOpen, alarmNames, rightsPathOf, STATE_GLYPHS, viewOf } from '../../quality/alarms/alarm-facts';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { useAlarmWords } from '../../quality/alarms/use-alarm-words';
import { actionText, causeText } from '../../quality/notes/causes';
import { alarmQuery, unitsQuery } from '../../server/queries/alarm-queries';
import { useServer } from '../../server/server';
import { useRights } from '../../server/session/use-session';
import { texts } from './texts';
import styles from './alarms.module.css';
import textStyles from '../../design/styles/text.module.css';

/** Actions on the alarm at the side. */
export interface AlarmActs {
  acknowledge: (alarm: Alarm) => void;
  /** Asks for cause and action; also changes those of a closed one. */
  close: (alarm: Alarm) => void;
  reopen: (alarm: Alarm) => void;
  mute: (alarm: Alarm) => void;
}

interface SelectedAlarmProps {
  uuid: string | undefined;
  failure: string | undefined;
  acts: AlarmActs;
}

/** Everything about one alarm: what, where, what to do, what was done, and by whom. */
export function SelectedAlarm({ uuid, ...given }: SelectedAlarmProps) {
  const t = useTexts(texts);
  const query = useQuery({ ...alarmQuery(useServer(), uuid ?? ''), enabled: uuid !== undefined });
  if (uuid === undefined) return <p className={textStyles.explanation}>{t.nothingSelected}</p>;
  return <Pane query={query}>{(alarm) => <AlarmDetail alarm={alarm} {...given} />}</Pane>;
}

function AlarmDetail({ alarm, failure, acts }: { alarm: Alarm } & Omit<SelectedAlarmProps, 'uuid'>) {
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  const formats = useFormats();
  const language = useLanguage();
  const say = useAlarmWords();
  const { characteristicUuid, partUuid, measurementUuid, state, since, last, owner, reaction, cause, action } = alarm;
  const { data: units } = useQuery(unitsQuery(useServer(), characteristicUuid === undefined ? [] : [characteristicUuid]));
  const mayWrite = useRights()('note:write', rightsPathOf(alarm));
  const { name, above } = alarmNames(alarm);
  const named = (key: string, text: ReactNode | undefined): NamedValue[] =>
    text === undefined || text === '' ? [] : [{ name: key, value: text }];
  const time = (at: string | undefined) => at && <time dateTime={at}>{formats.dateTimeSeconds(at)}</time>;
  return (
    <>
      <div className={styles.head}>
        {above !== '' && <p>{above}</p>}
        <h2>
          {characteristicUuid === undefined ? (
            <Link to="/parts/$partUuid" params={{ partUuid }}>
              {name}
            </Link>
          ) : (
            <Link to="/parts/$partUuid/characteristics/$characteristicUuid" params={{ partUuid, characteristicUuid }}>
              {name}
            </Link>
          )}
        </h2>
        <p>
          <Glyph name={STATE_GLYPHS[state]} label="" /> {words[`state_${state}`]}: {say.what(alarm)}
        </p>
        {alarm.muted && <p className={textStyles.note}>{words.mutedText}</p>}
        {alarm.old && <p className={textStyles.note}>{words.oldText}</p>}
      </div>
      {failure !== undefined && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      {mayWrite ? <Actions alarm={alarm} acts={acts} /> : <p className={styles.readOnly}>{t.readOnlyBelow(rightsPathOf(alarm))}</p>}
      <NamedValues
        values={[
          ...named(t.valueName, say.value(alarm, units?.get(characteristicUuid ?? ''))),
          ...named(t.limits, say.limits(alarm)),
          ...named(t.rule, say.rule(alarm)),
          ...named(t.first, time(since)),
          ...named(t.newest, last === since ? undefined : time(last)),
          ...named(t.points, alarm.points > 1 ? formats.count(alarm.points) : undefined),
          ...named(t.raised, time(alarm.raised)),
          ...named(t.owner, owner),
          { name: t.reaction, value: reaction === undefined ? t.noReaction : <span className={styles.reaction}>{reaction}</span> },
          ...named(t.cause, cause === undefined ? undefined : causeText(alarm.causeText ?? String(cause), language)),
          ...named(t.action, action === undefined ? undefined : actionText(alarm.actionText ?? String(action), language)),
          ...named(t.note, alarm.note && <span className={styles.reaction}>{alarm.note}</span>),
        ]}
      />
      <p className={styles.links}>
        {characteristicUuid !== undefined && (
          <Link
            to="/parts/$partUuid/characteristics/$characteristicUuid"
            params={{ partUuid, characteristicUuid }}
            // oxlint-disable-next-line react/purity -- times that are not over yet are left open
            search={viewOf(alarm, new Date())}
          >
            {words.showOnChart}
          </Link>
        )}
        {measurementUuid !== undefined && (
          <Link to="/measurements/$measurementUuid" params={{ measurementUuid }}>
            {t.openMeasurement}
          </Link>
        )}
      </p>
      {alarm.steps && <Steps steps={alarm.steps} />}
    </>
  );
}

function Actions({ alarm, acts }: { alarm: Alarm; acts: AlarmActs }) {
  const t = useTexts(texts);
  if (alarm.state === 'withdrawn') return null;
  return (
    <div className={styles.actions}>
      {alarm.state === 'raised' && <Button onPress={() => acts.acknowledge(alarm)}>{t.acknowledge}</Button>}
      {isOpen(alarm) && <Button onPress={() => acts.close(alarm)}>{t.close}</Button>}
      {alarm.state === 'closed' && <Button onPress={() => acts.close(alarm)}>{t.change}</Button>}
      {alarm.state === 'closed' && <Button onPress={() => acts.reopen(alarm)}>{t.reopen}</Button>}
      <Button kind="quiet" onPress={() => acts.mute(alarm)}>
        {t.mute}
      </Button>
    </div>
  );
}

/** Steps with their times and users, the newest last. */
function Steps({ steps }: { steps: readonly AlarmStep[] }) {
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  const formats = useFormats();
  const language = useLanguage();
  return (
    <section aria-labelledby="steps">
      <PaneHead level={3} id="steps" name={t.steps} />
      <ol className={styles.steps}>
        {steps.map(({ state, time, user, causeText: cause, actionText: action, note }, i) => {
          const isAgain = state === 'acknowledged' && steps[i - 1]?.state === 'closed';
          const said = [cause && causeText(cause, language), action && actionText(action, language)].filter(Boolean).join('; ');
          return (
            <li key={`${time} ${state}`}>
              <strong className={textStyles.strong}>{isAgain ? t.again : words[`state_${state}`]}</strong>
              {user !== undefined && (
                <>
                  {', '}
                  <bdi>{user}</bdi>
                </>
              )}{' '}
              <time className={textStyles.note} dateTime={time}>
                {formats.dateTime(time)}
              </time>
              {said !== '' && <p>{said}</p>}
              {note !== undefined && <p>{note}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
