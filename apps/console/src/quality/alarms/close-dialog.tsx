import type { Alarm } from '@sinebar/client';
import { useState } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Skeleton } from '../../design/states/pane-state';
import { useConfiguration } from '../attributes/configuration';
import { EntryField } from '../attributes/entry-field';
import { FormDialog } from '../editing/form-dialog';
import { alarmNames } from './alarm-facts';
import { texts } from './texts';
import { useAlarmWords } from './use-alarm-words';
import styles from './alarms.module.css';

/** Most characters of a note. */
const MAX_NOTE = 3000;
/** Alarms that are named. */
const NAMED = 5;

/** Statement about alarms when they are closed. */
export interface Closing {
  readonly cause?: number;
  readonly action?: number;
  readonly note?: string;
}

interface CloseDialogProps {
  /** Alarms that are closed, or one that is closed already and whose cause is changed. */
  alarms: readonly Alarm[];
  /** @returns when all have been answered */
  onSubmit: (said: Closing) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for cause, action and note of alarms that are closed. */
export function CloseDialog({ alarms, onSubmit, onClose }: CloseDialogProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const words = useAlarmWords();
  // The fields come together: a key that is pressed early must not reach the next one.
  const { isReady } = useConfiguration();
  const [only] = alarms.length === 1 ? alarms : [];
  const [draft, setDraft] = useState<Closing>(() => (only ? closingOf(only) : {}));
  const [isSending, setSending] = useState(false);
  const isClosed = only?.state === 'closed';
  const note = draft.note ?? '';
  const isTooLong = note.trim().length > MAX_NOTE;
  const set = (member: keyof Closing, value: number | string | undefined) => {
    const { [member]: _, ...others } = draft;
    setDraft(value === undefined || value === '' ? others : { ...others, [member]: value });
  };
  const submit = () => {
    setSending(true);
    const { note: _, ...others } = draft;
    void onSubmit({ ...others, ...(note.trim() !== '' && { note: note.trim() }) }).then(onClose);
  };
  return (
    <FormDialog
      title={isClosed ? t.changeTitle : t.closeTitle(count(alarms.length), alarms.length === 1)}
      action={isClosed ? t.save : t.close}
      canSubmit={isReady && !isSending && !isTooLong}
      error={null}
      onSubmit={submit}
      onClose={onClose}
      draft={{ form: `close ${only?.uuid ?? 'alarms'}`, value: draft, begun: only ? closingOf(only) : {}, onRestore: setDraft }}
    >
      <ul className={styles.closed}>
        {alarms.slice(0, NAMED).map((alarm) => (
          <li key={alarm.uuid}>
            <strong>{alarmNames(alarm).name}</strong> {words.what(alarm)}
          </li>
        ))}
        {alarms.length > NAMED && <li>{t.andMore(count(alarms.length - NAMED))}</li>}
      </ul>
      {isReady ? (
        <>
          <EntryField kind="cause" chosen={draft.cause} writtenText={only?.causeText} onChange={(key) => set('cause', key)} />
          <EntryField kind="action" chosen={draft.action} writtenText={only?.actionText} onChange={(key) => set('action', key)} />
          <label className={styles.field}>
            {t.note}
            <textarea dir="auto" rows={3} value={note} onChange={(event) => set('note', event.target.value)} />
          </label>
        </>
      ) : (
        <Skeleton rows={6} />
      )}
      {isTooLong && (
        <p role="alert" className={styles.problem}>
          {t.tooLong(count(note.trim().length - MAX_NOTE))}
        </p>
      )}
      {alarms.length > 1 && <p className={styles.hint}>{t.sameForAll}</p>}
    </FormDialog>
  );
}

function closingOf({ cause, action, note }: Alarm): Closing {
  return { ...(cause !== undefined && { cause }), ...(action !== undefined && { action }), ...(note !== undefined && { note }) };
}
