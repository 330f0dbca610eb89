import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../design/controls/button';
import { DialogButtons } from '../../design/controls/dialog';
import { defineTexts, useTexts } from '../../design/language/language';
import { useSession, useUserName } from '../../server/session/use-session';
import { LeaveGuard } from './leave-guard';
import styles from './editing.module.css';

const texts = defineTexts({
  en: {
    kept: 'What you typed here before you signed in again is not saved.',
    restore: 'Continue with it',
    discard: 'Discard',
  },
  de: {
    kept: 'Was Sie hier vor der erneuten Anmeldung eingegeben haben, ist nicht gespeichert.',
    restore: 'Damit weitermachen',
    discard: 'Verwerfen',
  },
});

interface KeptDraftProps<T> {
  /** Names the form and what it is about, so that nothing else gets the draft. */
  form: string;
  isChanged: boolean;
  /** Reads what the form holds, in a form that JSON takes. */
  read: () => T;
  onRestore: (draft: T) => void;
  /** Whether leaving the page asks; a field beside a form leaves that to the form. */
  asksToLeave?: boolean;
}

/** Asks before a form with unsaved texts is left, and offers what was typed before a sign-in that has left the page. */
export function KeptDraft<T>({ form, isChanged, read, onRestore, asksToLeave = true }: KeptDraftProps<T>) {
  const t = useTexts(texts);
  const { drafts } = useSession().session;
  const user = useUserName();
  const [offered, setOffered] = useState(() => drafts.find(form, user) as T | undefined);
  const readDraft = useEffectEvent(() => ({ user, value: read() }));
  useEffect(() => (isChanged ? drafts.hold(form, () => readDraft()) : undefined), [drafts, form, isChanged]);
  useEffect(() => () => drafts.forget(form), [drafts, form]);
  const answer = () => {
    drafts.forget(form);
    setOffered(undefined);
  };
  return (
    <>
      {asksToLeave && <LeaveGuard isChanged={isChanged} isKept={drafts.areKept} />}
      {offered !== undefined && (
        <div role="status" className={styles.offer}>
          <p>{t.kept}</p>
          <DialogButtons>
            <Button onPress={answer}>{t.discard}</Button>
            <Button
              kind="primary"
              onPress={() => {
                onRestore(offered);
                answer();
              }}
            >
              {t.restore}
            </Button>
          </DialogButtons>
        </div>
      )}
    </>
  );
}

/** Whether a form has a kept draft, so that its dialog opens again. */
export function useHasDraft(): (form: string) => boolean {
  const { drafts } = useSession().session;
  const user = useUserName();
  return (form) => drafts.find(form, user) !== undefined;
}
